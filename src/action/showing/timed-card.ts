import type { AnyCommand } from '../../handlers/command.ts';
import type { Text } from '../../handlers/reply.ts';
import type { Action, Journal, TimedChangeRow } from '../../journal/journal.ts';
import type { Button } from '../base/chat.ts';
import { appliancesOf } from '../base/stored.ts';
import { timedHeadline, timedOffers } from '../wording/timed.ts';
import { type KeptOffer, offerToKeep } from './kept-offer.ts';

/** How the card of a timed change looks now, by its rows; undefined for any other action, and while it is not known to be on. */
export type TimedCard = (
  action: Action,
  timedChanges: readonly TimedChangeRow[],
) => Promise<
  { readonly headline: Text; readonly buttons: readonly Button[]; readonly alarm: boolean } | undefined
>;

/** Longer than until the card is drawn again: at its end, and with every try from then on. In milliseconds. */
const beyond = 24 * 60 * 60_000;

export function createTimedCard(
  journal: Pick<Journal, 'keep'>,
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
  now: () => number,
): TimedCard {
  return async (action, timedChanges) => {
    const command = commandByPhrase.get(action.phrase ?? '');
    const timed = command?.kind === 'change' ? command.timed : undefined;
    if (timed === undefined) return undefined;
    const isSettled = action.state !== 'running' || timedChanges.some(({ state }) => state !== 'on');
    if (timedChanges.length === 0 || !isSettled) return undefined;
    const live = timedChanges.filter(({ state }) => state !== 'over');
    const buttons: Button[] = [];
    for (const timedChange of live) {
      for (const { label, line, loud } of timedOffers(timed, timedChange, live.length > 1)) {
        const content: KeptOffer = { line };
        const token = await journal.keep({
          kind: 'offer',
          content: offerToKeep(content),
          channel: action.channel,
          action: action.id,
          until: Math.max(timedChange.endsAt, now()) + beyond,
        });
        buttons.push({ press: 'offer', label, token, ...(loud && { style: 'danger' }) });
      }
    }
    const without = appliancesOf(action).filter(
      (name) => !timedChanges.some(({ appliance }) => appliance === name),
    );
    const headline = timedHeadline(timed, timedChanges, without, action.state !== 'unknown', now());
    return { headline, buttons, alarm: live.length > 0 };
  };
}

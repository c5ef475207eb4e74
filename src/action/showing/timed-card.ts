import type { AnyChange, AnyCommand } from '../../handlers/command.ts';
import { code, say, type Text } from '../../handlers/reply.ts';
import type { Action, Journal, TimedChangeRow } from '../../journal/journal.ts';
import { isPutBack } from '../../journal/timed/timed-change-row.ts';
import type { Authority } from '../authority/authority.ts';
import { freezeAtEnd } from '../authority/freeze-over.ts';
import type { Button } from '../base/chat.ts';
import { appliancesOf, argsOf, changeOf, shownOf, type Target, targetsIn } from '../base/stored.ts';
import { type TimedName, timedHeadline, timedOffers } from '../wording/timed.ts';
import { type KeptOffer, offerToKeep } from './kept-offer.ts';

/** How the card of a timed change looks now, by its rows; undefined for any other action, and while it is not known to be on. */
export type TimedCard = (
  action: Action,
  timedChanges: readonly TimedChangeRow[],
) => Promise<
  | {
      readonly headline: Text;
      readonly buttons: readonly Button[];
      readonly alarm: boolean;
      /** It stays for good, so that it can be taken back as any other. */
      readonly isKept: boolean;
    }
  | undefined
>;

/** Longer than until the card is drawn again: at its end, and with every try from then on. In milliseconds. */
const beyond = 24 * 60 * 60_000;

export function createTimedCard(
  journal: Pick<Journal, 'keep'>,
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
  authority: Pick<Authority, 'freezeFor'>,
  now: () => number,
): TimedCard {
  return async (action, timedChanges) => {
    const isSettled = action.state !== 'running' || timedChanges.some(({ state }) => state !== 'on');
    const [first] = timedChanges;
    if (first === undefined || !isSettled) return undefined;
    const command = changeOf(commandByPhrase, action);
    const live = timedChanges.filter(({ state }) => state !== 'over');
    const buttons: Button[] = [];
    for (const timedChange of live) {
      const named = timedName(action, command, timedChange);
      for (const { label, line, loud, moves } of timedOffers(named, timedChange, live.length > 1, now())) {
        const content: KeptOffer = { line, ...(moves && { moves, agreed: true }) };
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
    const named = timedName(action, command, first);
    const headline = timedHeadline(named, timedChanges, without, action.state !== 'unknown', now());
    const [next] = live.toSorted((one, other) => one.endsAt - other.endsAt);
    const frozen =
      command === undefined || next?.state !== 'on' || named.kind === 'mode'
        ? undefined
        : freezeAtEnd(authority, command, targetsIn(action), next.endsAt);
    const although =
      frozen === undefined ? [] : say`, and undone then although ${code(frozen.name)} freezes changes`;
    return {
      headline: say`${headline}${although}`,
      buttons,
      alarm: named.kind === 'mode' && live.length > 0,
      isKept: timedChanges.some(({ ended }) => ended?.how === 'kept'),
    };
  };
}

/** By which name, and with which lines, people are told of what an action has made temporary on an appliance. */
export function timedName(action: Action, command: AnyChange | undefined, row: TimedChangeRow): TimedName {
  if (command?.timed !== undefined) return { kind: 'mode', ...command.timed };
  const target = targetsIn(action).find(({ appliance }) => appliance === row.appliance);
  if (command === undefined || target === undefined || !isPutBack(row)) {
    return { kind: 'mode', name: `What ${action.phrase ?? ''} began`, end: '', extend: '', confirm: '' };
  }
  const { lasts, until = 0, called } = shownOf(action)?.temporary ?? {};
  return {
    kind: 'change',
    action: action.id,
    undo: row.undoLine,
    done: doneBy(action, command, target),
    extend: lasts ?? asSaid(until - row.startedAt),
    called: called === undefined ? undefined : { at: until, as: called },
  };
}

/** Of many, what was ordered is found right before the order, so that the preview does not know it: the outcome says it. */
function doneBy({ state, outcome, appliance }: Action, command: AnyChange, target: Target): Text {
  const { fingerprint } = target;
  const isToldAlone = state === 'done' && outcome?.code === 'checked' && appliance === target.appliance;
  return isToldAlone && command.survey?.isNeeded(fingerprint)
    ? say`${outcome.headline ?? outcome.says}`
    : command.done(argsOf(target), fingerprint);
}

const minute = 60_000;
/** As people say how long something is, in milliseconds, the longest first. */
const said = [24 * 60, 12 * 60, 60, 30, 15, 10, 5].map((minutes) => minutes * minute);

/** Of what was asked for until a moment nobody has said how long it is: 3 h 58 min are 4 h. Not by more than a seventeenth. */
function asSaid(lasts: number): number {
  const rounded = said.map((unit) => Math.round(lasts / unit) * unit);
  return rounded.find((one) => one > 0 && Math.abs(one - lasts) <= lasts / 17) ?? lasts;
}

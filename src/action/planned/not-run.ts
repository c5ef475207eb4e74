import { lineOf } from '../../handlers/language/asked.ts';
import {
  channel as channelSpan,
  code,
  messageLink,
  moment,
  type Offer,
  type Part,
  person,
  plainText,
  say,
  type Text,
} from '../../handlers/reply.ts';
import type { Action, ToSend } from '../../journal/journal.ts';
import type { Shown } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { momentary } from '../showing/card.ts';
import { notifyPerson } from '../showing/messages.ts';

/** Why something planned did not run. `details`: what shows it. */
export interface NotRun {
  readonly state: 'cancelled' | 'expired';
  readonly code: string;
  readonly why: Text;
  readonly details?: readonly Part[];
}

/** Ends what did not run at its time, and tells so in its thread and to whoever asked, with a button that asks again. */
export type EndNotRun = (action: Action, how: NotRun) => Promise<void>;

export function createEndNotRun({
  match,
  notifications,
  secretStore,
}: Pick<Parts, 'match' | 'notifications' | 'secretStore'>): EndNotRun {
  return async (action, { state, code: why, why: headline, details = [] }) => {
    const offers = offersFor(action, why);
    const ended = await notifications.transitionAndNotify(
      action,
      state,
      { outcome: { code: why, says: plainText(headline) } },
      {
        headline,
        threadReply: {
          headline: say`${person(action.person)}: this was planned and did not run: ${code(action.line)}. ${headline}`,
          details: [...details, ...(offers.length === 0 ? [] : [{ kind: 'offers', offers } as const])],
        },
        also: inPerson(action, headline),
      },
    );
    if (ended === undefined) return;
    // Kept for so long, it may be at hand nowhere.
    await secretStore.fetch(action.id);
    await secretStore.forget(action.id);
  };

  /** The line as it runs now, which is looked at and put before whoever presses, whatever it is; none where there is nothing to do. */
  function offersFor({ understoodAs, line }: Action, why: string): readonly Offer[] {
    const found = match(understoodAs ?? line);
    if (why === 'nothing_to_act_on' || (found.kind !== 'command' && found.kind !== 'missing')) return [];
    return [{ label: 'Ask again now', line: lineOf({ ...found, start: undefined }), guess: true }];
  }
}

/** Whoever is asleep reads it where it stays. */
function inPerson({ person: asker, channel, direct, card, line }: Action, why: Text): readonly ToSend[] {
  if (direct !== undefined) return [];
  const where = card === undefined ? [] : say` ${messageLink('See its card.', channel, card)}`;
  const headline = say`What you planned in ${channelSpan(channel)} did not run: ${code(line)}. ${why}${where}`;
  return [notifyPerson(asker, { headline })];
}

/** What is not as it was agreed to, side by side. */
export function differences(then: Shown, now: Shown): readonly Part[] {
  const before = new Map(then.fields.map(({ name, value }) => [name, value]));
  const after = new Map(now.fields.map(({ name, value }) => [name, value]));
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => !momentary.has(name));
  const rows = [
    ['Question', then.question, now.question] as const,
    ...names.map((name) => [name, before.get(name) ?? say`–`, after.get(name) ?? say`–`] as const),
  ].filter(([, one, other]) => plainText(one) !== plainText(other));
  return rows.length === 0
    ? []
    : [
        {
          kind: 'table',
          columns: ['What', 'When it was planned', 'Now'],
          rows: rows.map(([name, one, other]) => [say`${name}`, one, other]),
        },
      ];
}

/** The bot was away, or could not look, for so long that nobody expects it any more. */
export const tooLate = (at: number): NotRun => ({
  state: 'expired',
  code: 'too_late',
  why: say`Its time was ${moment(at)}, and it is too late now. No changes were made.`,
});

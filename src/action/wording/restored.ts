import { code, say, strong, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Generation, Outcome } from '../../journal/journal.ts';

/** How what stood open in a backup has ended since: nobody here knows. */
export const lostOutcome: Outcome = {
  code: 'restored',
  says: 'The outcome is not in the journal, which was restored from an older backup. The card shows it.',
};

/** What is on for a time, or was, as an appliance shows it when a restore is noticed. */
export interface Reread {
  readonly appliance: string;
  /** "Emergency mode". */
  readonly name: string;
  /** `unknown`: it is on, and the journal knows nothing of it. */
  readonly state: 'on' | 'over' | 'unclear' | 'unknown';
  /** When the bot ends it, as far as it knows. */
  readonly endsAt: number | undefined;
}

interface Found {
  readonly generation: Generation;
  readonly timed: readonly Reread[];
}

/** What the admins are told, the most important first. */
export function restoredNotice(
  { generation, timed }: Found,
  now: number,
): { readonly headline: Text; readonly points: readonly Text[] } {
  const { knownUntil, saidUntil, first, lostRecord } = generation;
  const until = saidUntil === undefined ? [] : say`, and the bot posted until ${when(saidUntil, now)}`;
  const told = lostRecord === undefined ? [] : say` The audit channel was told of ${code(lostRecord)}.`;
  return {
    headline: say`🚨 The bot’s journal is older than what the bot posted and did: it knows nothing after ${knownUntil === 0 ? 'its beginning' : when(knownUntil, now)}${until}. It was restored from a backup, its database has lost its end, or another bot works with the same token.`,
    points: [
      ...timed.map((one) => timedAfterRestore(one, now)),
      say`Requests, decisions and changes made in between are missing from it. Messages of that time stay as they are, and their buttons no longer work.`,
      say`Commands that were open then are neither ended nor repeated: their cards show the outcome.`,
      say`Changes made in between may still have to be compiled. Temporary changes made in between stay on: take them back by a command.`,
      say`The audit continues with record ${code(String(first))}; no number is used twice.${told} ${code('appliance-bot audit verify')} tells of it each time.`,
    ],
  };
}

export const restoredLine = (
  { number, first, follows, knownUntil, lostRecord }: Generation,
  now: number,
): Text => {
  const told = lostRecord === undefined ? [] : say` ${code(lostRecord)} is not in it any more.`;
  return say`🚨 My journal was restored: it knows nothing after ${knownUntil === 0 ? 'its beginning' : when(knownUntil, now)}.${told} Generation ${number} begins, after record ${code(String(follows))} and with record ${code(String(first))}.`;
};

function timedAfterRestore({ appliance, name, state, endsAt }: Reread, now: number): Text {
  const what = say`${name} on ${strong(appliance)}`;
  switch (state) {
    case 'unknown':
      return say`${what} is on, and the journal knows nothing of it: ${strong('it does not end automatically.')} End it when it is no longer needed.`;
    case 'over':
      return say`${what} is over by now, as the appliance shows.`;
    case 'on':
      return say`${what} is on. It ends ${endsAt === undefined ? 'at its time' : when(endsAt, now)}, as the journal says: if it was extended since, extend it again.`;
    case 'unclear':
      return say`Whether ${what} is on can’t be read now. As the journal says, it ends ${endsAt === undefined ? 'at its time' : when(endsAt, now)}.`;
  }
}

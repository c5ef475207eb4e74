import { code, say, strong, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Generation, Outcome } from '../../journal/journal.ts';

/** How what stood open in a backup has ended since: nobody here knows. */
export const lostOutcome: Outcome = {
  code: 'restored',
  says: 'What became of this is not in my journal, which was restored from a backup of before that. Its card tells.',
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
  const until = saidUntil === undefined ? [] : say`, and I have said things until ${when(saidUntil, now)}`;
  const told = lostRecord === undefined ? [] : say` The audit channel was told of ${code(lostRecord)}.`;
  return {
    headline: say`🚨 My journal is older than what I have said and done: it knows nothing after ${knownUntil === 0 ? 'its beginning' : when(knownUntil, now)}${until}. It was restored from a backup, its database has lost its end, or another bot works with the same token.`,
    points: [
      ...timed.map((one) => timedAfterRestore(one, now)),
      say`What was asked, decided and done in between is not in it. Messages of that time stay as they are, and their buttons do nothing any more.`,
      say`What was open then I neither end nor repeat: its cards tell what became of it.`,
      say`What was changed in between may still have to be compiled, and what was to be undone must be typed.`,
      say`The audit goes on with record ${code(String(first))}; no number is given twice.${told} ${code('npm run audit -- verify')} tells of it each time.`,
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
      return say`${what} is on, and I know nothing of it: ${strong('I will not end it by myself.')} End it when it is not needed any more.`;
    case 'over':
      return say`${what} is over by now, as the appliance shows.`;
    case 'on':
      return say`${what} is on. I end it ${endsAt === undefined ? 'at its time' : when(endsAt, now)}, as my journal says: if it was extended since, extend it again.`;
    case 'unclear':
      return say`Whether ${what} is on cannot be seen now. I go on as my journal says, and end it ${endsAt === undefined ? 'at its time' : when(endsAt, now)}.`;
  }
}

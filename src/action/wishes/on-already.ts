import type { AnyChange } from '../../handlers/command.ts';
import { code, enumerate, person, say } from '../../handlers/reply.ts';
import { extending } from '../../handlers/temporary/extending.ts';
import { joining } from '../../handlers/temporary/joining.ts';
import { standsAs } from '../../handlers/temporary/stands-as.ts';
import { when } from '../../handlers/wording/when.ts';
import type { JsonObject } from '../../journal/journal.ts';
import { isPutBack } from '../../journal/timed/timed-change-row.ts';
import { lineNow, type Shown, type Target, type Temporary, targetsIn } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import type { Fault } from '../wording/faults.ts';
import { askedParts, sameForATime, undoneBy } from './wishes.ts';

type AlreadyParts = Pick<Parts, 'commandByPhrase' | 'journal' | 'match' | 'now'>;

/** The same change, of which only the end moves: what was asked for is on already. */
export interface EndMoved {
  readonly command: AnyChange;
  readonly temporary: Temporary;
}

interface OnAlready extends EndMoved {
  /** Since when it is on, and when it ends so far, in milliseconds since the epoch. */
  readonly since: number;
  readonly ends: number;
}

/** Until when it is to be on, for whom. */
interface Wanted {
  readonly temporary: Temporary | undefined;
  readonly until: number | undefined;
  readonly person: string;
}

/** What something was made with on one appliance, or is to be. */
export type MadeOn = Pick<Target, 'appliance' | 'args'>;

/** What is asked for is on for a time already: only its end moves, or somebody else's stays for longer. Undefined where it is not. */
export async function onAlready(
  parts: AlreadyParts,
  command: AnyChange,
  wish: Wanted,
  wanted: readonly MadeOn[],
): Promise<OnAlready | Fault | undefined> {
  if (command.undo === undefined) return undefined;
  return (await movedEnd(parts, command, wish, wanted)) ?? joinedEnd(parts, command, wish, wanted);
}

/**
 * There is nothing to do because the same person has done it for a time: what is meant is another end, or none, so that it stays. What
 * somebody else has done is theirs, and whoever asks now has a wish of their own (`wishes/wishes.ts`).
 */
async function movedEnd(
  parts: Pick<Parts, 'journal'>,
  command: AnyChange,
  { until, person }: Pick<Wanted, 'until' | 'person'>,
  wanted: readonly MadeOn[],
): Promise<OnAlready | undefined> {
  const begun = await beganIt(parts, command, person, wanted);
  if (begun === undefined) return undefined;
  const { of, shown, since, ends } = begun;
  return {
    command: extending(command, { of, shown, until }),
    temporary: { extends: of, ...(until !== undefined && { until }) },
    ...{ since, ends },
  };
}

/**
 * There is nothing to send because others have it on for a time, or what they have on has all of it: what ends too early for whoever asks
 * now is to stay on. A fault where it ends late enough; undefined where none of it is on for a time.
 */
async function joinedEnd(
  parts: AlreadyParts,
  command: AnyChange,
  { temporary, until }: Pick<Wanted, 'temporary' | 'until'>,
  wanted: readonly MadeOn[],
): Promise<OnAlready | Fault | undefined> {
  const each = await Promise.all(
    wanted.map(async ({ appliance, args }) => {
      const found = await sameForATime(parts, { appliance, action: undefined }, askedParts(command, args));
      return found.filter(({ row, parts: asked }) => {
        const undone = undoneBy(parts.match, row)?.parts ?? [];
        return asked.some((part) => undone.includes(part));
      });
    }),
  );
  const [first] = each.flat().toSorted((one, other) => one.row.endsAt - other.row.endsAt);
  if (first === undefined) return undefined;
  const { action, row } = first;
  if (until === undefined || until > row.endsAt) {
    const joins = { ends: row.endsAt, by: action.person, line: lineNow(action) };
    return {
      command: joining(command, joins),
      temporary: { ...temporary, joins },
      since: parts.now(),
      ends: row.endsAt,
    };
  }
  const on = say`until ${when(row.endsAt, parts.now())} by ${person(action.person)}, with ${code(lineNow(action))}`;
  const what = first.parts.length > 3 ? say`It` : enumerate(first.parts.map((part) => part || 'It'));
  return {
    code: 'nothing_to_act_on',
    why: say`${what} ${first.parts.length > 1 && first.parts.length <= 3 ? 'are' : 'is'} ${standsAs(command)} already, ${on}. Yours would end ${until < row.endsAt ? 'earlier' : 'then, too'}.`,
  };
}

interface Begun {
  readonly of: string;
  /** When, and until when, in milliseconds since the epoch. */
  readonly since: number;
  readonly ends: number;
  readonly shown: Shown['targets'][number]['fingerprint'];
}

/** The action that has done the very same on all of these appliances, and that is on for a time for this person. */
export async function beganIt(
  { journal }: Pick<Parts, 'journal'>,
  command: AnyChange,
  person: string,
  wanted: readonly MadeOn[],
): Promise<Begun | undefined> {
  const live = (await journal.timedChanges()).filter((row) => isPutBack(row) && row.person === person);
  for (const of of new Set(live.map(({ action }) => action))) {
    const action = await journal.byId(of);
    if (action?.phrase !== command.phrase || wanted.length === 0) continue;
    const targets = targetsIn(action);
    const rows = live.filter((row) => row.action === of);
    const isSame = wanted.every(({ appliance, args }) => {
      const target = targets.find((one) => one.appliance === appliance);
      const isOn = rows.some((row) => row.appliance === appliance);
      return isOn && target !== undefined && isSameArgs(target.args, args);
    });
    const since = Math.min(...rows.map(({ startedAt }) => startedAt));
    const ends = Math.min(...rows.map(({ endsAt }) => endsAt));
    if (isSame) return { of, since, ends, shown: targets[0]?.fingerprint ?? {} };
  }
  return undefined;
}

const isSameArgs = (one: JsonObject, other: JsonObject): boolean =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every(
    (key) => JSON.stringify(one[key]) === JSON.stringify(other[key]),
  );

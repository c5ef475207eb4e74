import type { AnyCommand } from '../../handlers/command.ts';
import { lineOf } from '../../handlers/language/asked.ts';
import type { Match } from '../../handlers/language/match.ts';
import { readAsked } from '../../handlers/language/reading.ts';
import { code, enumerate, type Field, type Offer, person, say, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Action, JsonObject, TimedChangeRow } from '../../journal/journal.ts';
import { isPutBack } from '../../journal/timed/timed-change-row.ts';
import { appliancesOf, argsOn, changeOf, lineNow } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { type NamingParts, undoneNow } from './names.ts';
import {
  type AskedParts,
  askedParts,
  askedWords,
  isTakenBack,
  isWhole,
  longestFirst,
  naming,
  partsText,
  type SharedWish,
  sameForATime,
  sameForGood,
  undoneBy,
  wordsIn,
} from './wishes.ts';

type OthersParts = Pick<Parts, 'commandByPhrase' | 'journal' | 'match' | 'now'>;
type Found = Extract<Match, { kind: 'command' }>;

/** What takes something back: its command, and what it is given. */
interface Undoing {
  readonly command: AnyCommand;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Two who ask at once do not see each other; in milliseconds. */
const atOnce = 60_000;

/**
 * Who else wants some of what a change has done, whether for less long or for longer; the longest first. What somebody has taken away
 * from all of them since is nobody's wish any more. `aside`: what is taken back with it.
 * @param undo the line that takes it back
 */
export async function othersWish(
  parts: OthersParts,
  origin: Action,
  appliance: string,
  undo: Undoing,
  aside: ReadonlySet<string> = new Set(),
): Promise<readonly SharedWish[]> {
  const command = changeOf(parts.commandByPhrase, origin);
  if (command === undefined) return [];
  const asked = askedParts(command, argsOn(origin, appliance));
  const since = origin.createdAt - atOnce;
  const timed = await sameForATime(parts, { appliance, action: origin.id }, asked);
  const phrases = [command.phrase, undo.command.phrase];
  const done = (await parts.journal.changesIn(since, parts.now(), phrases)).filter(
    (action) => action.state === 'done' && appliancesOf(action).includes(appliance),
  );
  const forGood = await sameForGood(parts, { appliance, action: origin.id }, done, asked);
  const overruled = await takenAway(parts, appliance, done, undo, asked);
  return [...forGood, ...timed]
    .filter(({ action }) => !aside.has(action.id))
    .map((wish) => ({
      ...wish,
      parts: wish.parts.filter((part) => (overruled.get(part) ?? 0) <= wish.action.changedAt),
    }))
    .filter((wish) => wish.parts.length > 0)
    .toSorted(longestFirst);
}

/** Of each part when somebody has taken it away the last time, by the command that takes such a thing back. */
async function takenAway(
  { commandByPhrase, journal }: OthersParts,
  appliance: string,
  done: readonly Action[],
  undo: Undoing,
  { byField }: AskedParts,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  if (undo.command.kind !== 'change') return found;
  const { same } = askedParts(undo.command, undo.args);
  for (const action of done) {
    const command = changeOf(commandByPhrase, action);
    if (command?.phrase !== undo.command.phrase) continue;
    const theirs = askedParts(command, argsOn(action, appliance));
    if (theirs.same !== same || (await isTakenBack(journal, action))) continue;
    const taken = undo.command.fields === undefined ? theirs.parts : otherwiseIn(byField, theirs.byField);
    for (const part of taken) found.set(part, Math.max(found.get(part) ?? 0, action.changedAt));
  }
  return found;
}

/** What somebody has set to something else. */
const otherwiseIn = (wanted: AskedParts['byField'], set: AskedParts['byField']): readonly string[] =>
  [...wanted].flatMap(([name, part]) => (set.has(name) && set.get(name) !== part ? [part] : []));

/** What an undo takes back, without what others want still. */
export type LeftToOthers =
  | { readonly kind: 'none' | 'some'; readonly found: Found; readonly stays: readonly Field[] }
  /** All of it is somebody else’s. `ends`: the change itself is on for a time there, and its own end comes now. */
  | { readonly kind: 'all'; readonly why: Text; readonly ends: TimedChangeRow | undefined }
  /** Not the same on each of its appliances. */
  | { readonly kind: 'differs'; readonly why: Text; readonly offers: readonly Offer[] };

export async function leaveToOthers(
  parts: OthersParts & NamingParts,
  found: Found,
  origin: Action,
  aside?: ReadonlySet<string>,
): Promise<LeftToOthers> {
  const on = found.on?.split(',') ?? [];
  const rows = (await parts.journal.timedChangesOf(origin.id)).filter(
    (row) => isPutBack(row) && row.state !== 'over' && row.undoLine !== undefined,
  );
  const looks = await Promise.all(
    on.map(async (appliance) => {
      const row = rows.find((one) => one.appliance === appliance);
      // What others had left to it is its own by now.
      const own =
        row === undefined
          ? await undoneNow(parts, lineOf({ ...found, on: undefined }), appliance, origin)
          : undoneBy(parts.match, row);
      const all = own?.parts ?? [];
      const wishes = await othersWish(parts, origin, appliance, found, aside);
      const shares = shareOut(all, wishes);
      const others = new Set(shares.flatMap((one) => one.parts));
      const left = all.filter((part) => !others.has(part));
      return { appliance, row, shares, isNone: left.length === 0, left: own?.words(left) ?? [] };
    }),
  );
  const [first] = looks;
  if (first === undefined) return { kind: 'none', found, stays: [] };
  const asText = (look: typeof first) => look.left.join('\n');
  const stays = staysText(
    looks.flatMap(({ shares }) => shares),
    parts.now(),
  );
  const line = (left: readonly string[], where: readonly string[]): Found => withParts(found, left, where);
  if (looks.some((look) => asText(look) !== asText(first))) {
    const groups = [...Map.groupBy(looks, asText).values()].filter(([look]) => (look?.left.length ?? 0) > 0);
    const lines = groups.map((group) =>
      lineOf(
        line(
          group[0]?.left ?? [],
          group.map(({ appliance }) => appliance),
        ),
      ),
    );
    return {
      kind: 'differs',
      why: say`Others want some of it still, and not the same on each appliance: ${stays}.`,
      offers: lines.map((one) => ({ label: one, line: one, guess: true })),
    };
  }
  if (first.isNone)
    return {
      kind: 'all',
      why: say`Others want all of it: ${stays}.`,
      ends: on.length === 1 ? first.row : undefined,
    };
  const isAlone = first.shares.length === 0;
  return {
    kind: isAlone ? 'none' : 'some',
    found: line(first.left, on),
    stays: isAlone ? [] : [{ name: 'Stays', value: stays }],
  };
}

/** What the undo of an action leaves to others, before anybody presses it. `line`: as its button has it. */
export const leftByUndo =
  (parts: OthersParts & NamingParts) =>
  async (line: string, origin: Action): Promise<Text | undefined> => {
    const found = parts.match(line);
    if (found.kind !== 'command') return undefined;
    const left = await leaveToOthers(parts, found, origin);
    if (left.kind === 'all' || left.kind === 'differs') return left.why;
    const [stays] = left.stays;
    return stays && say`Stays, because others want it: ${stays.value}.`;
  };

/** Each part belongs to the longest of those who want it. */
export function shareOut(own: readonly string[], wishes: readonly SharedWish[]): readonly SharedWish[] {
  const left = new Set(own);
  return wishes.flatMap((wish) => {
    const parts = wish.parts.filter((part) => left.delete(part));
    return parts.length === 0 ? [] : [{ ...wish, parts }];
  });
}

/** With these parts of what was made with `made`, too. */
export function withMore(found: Found, made: JsonObject, more: readonly string[]): Found {
  const wanted = askedWords(found.command, made).filter(([part]) => more.includes(part));
  const words = [...(wordsIn(found) ?? []), ...wanted.map(([, word]) => word)];
  return withParts(found, [...new Set(words)], found.on?.split(',') ?? []);
}

function withParts(found: Found, words: readonly string[], on: readonly string[]): Found {
  const where = { ...found, on: on.join(',') };
  const own = wordsIn(found);
  if (own === undefined || own.join('\n') === words.join('\n')) return where;
  const read = readAsked(naming(where, words));
  return read.kind === 'command' ? read : where;
}

/** "d1.example until 18:00, for @dana with `category add …`" */
function staysText(shares: readonly SharedWish[], now: number): Text {
  const each = new Map(
    shares.map(({ action, row, parts }) => [
      `${action.id} ${parts.join(' ')}`,
      say`${partsText(parts)} ${row === undefined ? 'for good' : say`until ${when(row.endsAt, now)}`}, for ${person(action.person)} with ${code(lineNow(action))}`,
    ]),
  );
  return enumerate([...each.values()]);
}

export function staysFor({ action, row, parts }: SharedWish): Text {
  const what = isWhole(parts) ? say`It` : partsText(parts);
  const stays = parts.length === 1 ? 'stays' : 'stay';
  return say`${what} ${stays} for ${row === undefined ? 'good' : 'longer'}, with ${code(lineNow(action))}.`;
}

import { distance } from 'fastest-levenshtein';
import { type AskedAppliance, IncompleteList } from '../../api/index.ts';
import { type Arguments, anyValue } from '../../auth/request.ts';
import { type Argument, isNamed, type Listed, lackIn } from '../../handlers/argument.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { nameOf } from '../../handlers/command-name.ts';
import { type Asked, lineOf } from '../../handlers/language/asked.ts';
import { mannerOf } from '../../handlers/language/manner.ts';
import { isPosted } from '../../handlers/lists/posted-file.ts';
import type { Offer } from '../../handlers/reply.ts';
import type { Fault } from '../wording/faults.ts';
import type { Choice } from '../wording/no-such.ts';

export type Resolution =
  | { readonly ok: true; readonly args: never }
  /** `known`: what it was asked with as far as that is known, with the words that name nothing as they were typed. */
  | {
      readonly ok: false;
      readonly fault: Extract<Fault, { code: 'no_such_thing' | 'which_one' }>;
      readonly known: Arguments;
    };

/** For whom something is looked up. */
export interface Sight {
  /** Whether somebody may have it with these arguments. */
  readonly may: (args: Arguments) => boolean;
  /**
   * Whether what they may not have is looked at, too, because others decide about it. Otherwise it is to them as though it were
   * not there: what becomes of a name must not depend on what they may not know of.
   */
  readonly isWhole: boolean;
  /** Whether words are IDs that were known before, as in an undo: nothing else is meant by them, and nothing else offered. */
  readonly isExact: boolean;
  /** Of several, those that are gone are left out: what is to be taken back was taken back in part. */
  readonly withoutGone?: true;
}

/**
 * Looks up what the appliance lists: a typed ID or name becomes the thing itself. Rejects with an `ApplianceFailure`
 * when the appliance does not say what it has.
 * @param args read from the words by the command's declaration
 */
export async function resolve(
  asked: Asked,
  args: Readonly<Record<string, unknown>>,
  appliance: AskedAppliance,
  { may, isWhole, isExact, withoutGone }: Sight,
): Promise<Resolution> {
  const { command } = asked;
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    if (command.args[name]?.list === undefined || value === undefined || value === null) found[name] = value;
  }
  for (const [name, argument] of Object.entries(command.args)) {
    const value = args[name];
    if (argument.list === undefined || value === undefined || value === null) continue;
    const listed = await argument.list(appliance, found);
    const words = Array.isArray(value) ? value.map(String) : [String(value)];
    const lack = lackIn(listed);
    const isTheirs = ({ value: one }: Listed<unknown>) => may(withValue(command, found, name, one));
    const things: unknown[] = [];
    for (const word of words) {
      const theirs = lookUp(listed, word, isTheirs, isExact);
      const fitting = theirs.length === 0 && isWhole ? lookUp(listed, word, () => true, isExact) : theirs;
      const [only] = fitting;
      if (only !== undefined && fitting.length === 1) things.push(only.value);
      else if (fitting.length === 0 && lack !== undefined) {
        const rest = listed.length === 0 ? '' : `, and ${word} is not among them`;
        throw new IncompleteList(`${lack}${rest}`, { operation: '', sent: 'yes' });
      } else if (!withoutGone || fitting.length > 0 || !Array.isArray(value)) {
        const near = isExact
          ? []
          : fitting.length === 0
            ? nearestTo(word, listed.filter(isTheirs))
            : fitting.filter(isTheirs);
        const choices = near.map(
          ({ word: exact, name: called, hint }): Choice => ({
            word: exact,
            name: called,
            hint,
            line: lineWith(asked, name, word, exact, appliance.name),
          }),
        );
        const about = {
          appliance: appliance.name,
          within: withinOf(command, found),
          what: argument.what,
          word,
          choices,
          ...(!isExact && formIn(asked, name)),
          ...(listed.length === 0 && { isNoneListed: true as const }),
        };
        const code = fitting.length === 0 ? 'no_such_thing' : 'which_one';
        return { ok: false, fault: { code, ...about }, known: withValue(command, found, name, value) };
      }
    }
    found[name] = Array.isArray(value) ? things : things[0];
  }
  // As the command declares them: each argument was read, and looked up where it lists.
  return { ok: true, args: found as never };
}

/** What it was looked up in, where that was named. */
function withinOf({ args }: AnyCommand, known: Arguments): string | undefined {
  const named = Object.keys(args).find((name) => args[name]?.narrows && isNamed(known[name]));
  const value = named === undefined ? undefined : known[named];
  return isNamed(value) ? value.name || String(value.id) : undefined;
}

/** What is known of a command's arguments, with this value for one of them: what is not known may be anything. */
export function withValue(command: AnyCommand, known: Arguments, name: string, value: unknown): Arguments {
  const rest = Object.keys(command.args).map((one) => [one, known[one] ?? anyValue] as const);
  return { ...Object.fromEntries(rest), [name]: value };
}

/** The form of the command without the word that names nothing: it searches in what there is. */
function formIn({ command, typed, ...manner }: Asked, wrong: string): { readonly form: Offer } {
  const others = Object.fromEntries(Object.entries(typed).filter(([name]) => name !== wrong));
  return {
    form: {
      label: 'Choose in a form',
      line: nameOf(command),
      form: { ...mannerOf(manner), phrase: command.phrase, typed: others },
    },
  };
}

/** The line with one word in the place of another. On several appliances a word means something on one of them only. */
function lineWith(asked: Asked, slot: string, word: string, exact: string, appliance: string): string {
  const words = (asked.typed[slot] ?? []).map((typed) =>
    !isPosted(typed) && typed.replace(/^#/, '') === word ? exact : typed,
  );
  // A password does not stand in a line: without it the button opens the form.
  const typed = Object.entries({ ...asked.typed, [slot]: words }).filter(
    ([name]) => asked.command.args[name]?.input !== 'secret',
  );
  return lineOf({
    ...asked,
    typed: Object.fromEntries(typed),
    on: asked.on === undefined ? undefined : appliance,
  });
}

/** By ID before by name, by the whole name before by one that differs in case only. */
function lookUp<Value>(
  listed: readonly Listed<Value>[],
  word: string,
  isSeen: (thing: Listed<Value>) => boolean,
  isExact: boolean,
): readonly Listed<Value>[] {
  const lower = word.toLowerCase();
  const ways: ((thing: Listed<Value>) => boolean)[] = [
    (thing) => thing.word === word,
    (thing) => thing.name === word,
    (thing) => thing.word.toLowerCase() === lower || thing.name.toLowerCase() === lower,
  ];
  for (const way of isExact ? ways.slice(0, 1) : ways) {
    const fitting = listed.filter((thing) => way(thing) && isSeen(thing));
    // Some appliances list a thing twice. What has the same ID is the same to every order, so nobody is asked which one.
    if (fitting.length > 0)
      return [...new Map(fitting.toReversed().map((one) => [one.word, one])).values()].toReversed();
  }
  return [];
}

/** What may have been meant, best first: names that contain the word, then names that are a slip away. */
function nearestTo(word: string, listed: readonly Listed<unknown>[], most = 3): readonly Listed<unknown>[] {
  const lower = word.toLowerCase().slice(0, 100);
  return listed
    .map((thing) => ({ thing, far: farFrom(lower, thing) }))
    .filter(({ far }) => far <= 0.5)
    .toSorted((one, other) => one.far - other.far)
    .slice(0, most)
    .map(({ thing }) => thing);
}

function farFrom(lower: string, { name, word }: Listed<unknown>): number {
  const names = [name.toLowerCase(), word.toLowerCase()].map((known) => known.slice(0, 200));
  if (lower !== '' && names.some((known) => known.includes(lower))) return 0;
  return Math.min(...names.map((known) => distance(known, lower) / Math.max(known.length, lower.length, 1)));
}

/** What a live search in a form shows for what was typed so far. */
export function search(
  argument: Argument,
  listed: readonly Listed<unknown>[],
  typed: string,
  most = 100,
): readonly Listed<unknown>[] {
  const lower = typed.trim().toLowerCase();
  if (argument.list === undefined) return [];
  const fitting = listed.filter(({ name, word, hint = '' }) =>
    [name, word, hint].some((known) => known.toLowerCase().includes(lower)),
  );
  return (fitting.length > 0 ? fitting : nearestTo(typed, listed, most)).slice(0, most);
}

import type { IdentifiedEntry, UnnamedFields } from '../../../api/index.ts';
import { isSecretName } from '../../../secrets.ts';
import type { Argument } from '../../argument.ts';
import { cleanLine, wordsIn } from '../../language/line.ts';
import { capital, enumerate, type Field, say, type Text } from '../../reply.ts';
import type { Fingerprint, Verification } from '../../results.ts';
import type { FieldParts } from '../../temporary/field-parts.ts';
import { yesOrNo } from '../shown.ts';
import { untilText } from './until.ts';

/**
 * Fields by the appliance's own names, for things of which the document names none (appliance-api.md §2.14):
 * `--set address=10.20.1.44 protocol=rdp description=Old accounting, read only`.
 */
export type SetFields = Readonly<Record<string, string>>;

/** A pair begins where a name and an equals sign stand; its value goes on to the next one. */
const pair = /(?:^|(?<![\s,;])[\s,;]+)([A-Za-z_][\w.-]*)\s*=/g;
const most = 1_000;

/** The option `--set`. Passwords are not taken: they come by form. */
export const setFields: Argument<SetFields> = {
  what: 'fields by their API names',
  example: 'description=Old accounting, read only',
  input: 'text',
  read: (written) => {
    const wanted = (problem: string) =>
      ({ ok: false, problem: { code: 'malformed', wanted: problem } }) as const;
    if (written.length > most)
      return { ok: false, problem: { code: 'too_long', most, given: written.length } };
    const found = [...written.matchAll(pair)];
    if (found.length === 0 || found[0]?.index !== 0) return wanted('written as name=value, name=value');
    const fields = found.map(({ 0: whole, 1: name = '', index }, at) => {
      const value = written.slice(index + whole.length, found[at + 1]?.index).trim();
      return [name, value.replace(/^(["'])(.*)\1$/, '$2')] as const;
    });
    if (fields.some(([name]) => isSecretName(name)))
      return wanted('without passwords: enter those in the form only');
    if (fields.some(([name]) => isId(name))) return wanted('without the ID, which cannot be changed');
    return { ok: true, value: Object.fromEntries(fields) };
  },
};

/** As it is typed again, to take a change back; undefined when a typed line cannot say it. */
export function typedAgain(fields: SetFields): string | undefined {
  const written = Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');
  const typed = wordsIn(cleanLine(written))
    .map(({ text }) => text)
    .join(' ');
  const back = setFields.read(typed);
  const isWhole =
    typed === written &&
    !/(?:^|\s)--/.test(written) &&
    back.ok &&
    Object.keys(back.value).length === Object.keys(fields).length &&
    Object.entries(fields).every(([name, value]) => back.value[name] === value);
  return isWhole ? written : undefined;
}

/**
 * What is sent in the place of a thing: everything it has that can be read and is its own, with the changes. What the
 * replacement leaves out may be lost, and what a list in it means is not documented.
 */
export function replacementOf(fields: UnnamedFields, changes: SetFields): SetFields {
  const own = Object.entries(fields).filter(
    ([name, value]) => !isId(name) && name !== 'key' && !isSecretName(name) && !/^[[{]/.test(value),
  );
  const merged = new Map(own);
  for (const [name, value] of Object.entries(changes)) merged.set(sameName(fields, name), value);
  return Object.fromEntries(merged);
}

/** The appliance's own spelling of a name that somebody typed. */
export const sameName = (fields: UnnamedFields, name: string): string =>
  Object.keys(fields).find((own) => own === name) ??
  Object.keys(fields).find((own) => own.toLowerCase() === name.toLowerCase()) ??
  name;

/** The name of the field that holds what a thing is called by; the document does not tell. */
export function nameFieldOf(things: readonly IdentifiedEntry[], usual: string): string {
  const [one] = things.filter(({ name }) => name !== undefined && name !== '');
  return Object.entries(one?.fields ?? {}).find(([, value]) => value === one?.name)?.[0] ?? usual;
}

/** "address: 10.20.1.5 → 10.20.1.6", as the fields of a preview. */
export const changesIn = (before: UnnamedFields, changes: SetFields): readonly Field[] =>
  Object.entries(changes).map(([name, value]) => {
    const own = sameName(before, name);
    const then = before[own];
    return {
      name: labelOf(own),
      value:
        then === undefined ? say`${worded(own, value)}` : say`${worded(own, then)} → ${worded(own, value)}`,
    };
  });

/** Whether everything is as wanted already. */
export const isSo = (fields: UnnamedFields, wanted: SetFields): boolean =>
  Object.entries(wanted).every(([name, value]) => {
    const is = fields[sameName(fields, name)];
    return is !== undefined && isSame(is, value);
  });

/** The old values of what is changed, as far as they were there, for the fingerprint: `before.address`. */
export const beforeOf = (fields: UnnamedFields, changes: SetFields): Fingerprint =>
  Object.fromEntries(
    Object.keys(changes).map((name) => [`before.${name}`, fields[sameName(fields, name)] ?? null]),
  );

/** And one of them out of it again; undefined when it was not reported, so that nobody could put it back. */
function beforeIn(shown: Fingerprint, name: string): string | undefined {
  const before = Object.entries(shown).find(([key]) => key.toLowerCase() === `before.${name.toLowerCase()}`);
  return typeof before?.[1] === 'string' ? before[1] : undefined;
}

/**
 * The line that sets fields back to what they were; `phrase` is all of it before `--set`. What was as wanted before is somebody else's
 * and stays. Undefined when it cannot be typed.
 */
export function lineBack(phrase: string, shown: Fingerprint, changes: SetFields): string | undefined {
  const before = Object.entries(changes).map(([name, value]) => ({
    name,
    value,
    was: beforeIn(shown, name),
  }));
  if (before.some(({ was }) => was === undefined)) return undefined;
  const changed = before.flatMap(({ name, value, was = '' }) => (isSame(was, value) ? [] : [[name, was]]));
  const typed = changed.length === 0 ? undefined : typedAgain(Object.fromEntries(changed));
  return typed === undefined ? undefined : `${phrase} --set ${typed}`;
}

/** What is said of every command that sets fields: each is wanted, undone and left alone by itself. */
export const eachField = <Args extends { readonly set?: SetFields | undefined }>(
  asked: (args: Args) => SetFields,
): {
  readonly fields: FieldParts<Args>;
  readonly doneOf: (now: Fingerprint, then: Fingerprint, args: Args) => readonly string[] | undefined;
} => ({
  fields: { asked, option: 'set', before: beforeIn, called: fieldCalled },
  doneOf: (now, then, args) => {
    const isField = (key: string) => key.startsWith('before.');
    const isSuccessor = Object.keys(then).some(
      (key) => !isField(key) && key !== 'enabled' && now[key] !== then[key],
    );
    if (isSuccessor) return undefined;
    const fields = Object.entries(asked(args)).map(([name, back]) => {
      const [is, was] = [beforeIn(now, name), beforeIn(then, name)];
      const isBack = is !== undefined && was !== undefined && !isSame(is, was) && isSame(is, back);
      return { called: fieldCalled(name, was ?? ''), isBack, isKept: is === was || isBack };
    });
    return fields.every(({ isKept }) => isKept)
      ? fields.flatMap(({ called, isBack }) => (isBack ? [called] : []))
      : undefined;
  },
});

/** "printers allowed", "port 3389" */
function fieldCalled(name: string, value: string): string {
  const truth = yesOrNo(value);
  if (isRight(name) && truth !== undefined)
    return `${labelOf(name.toLowerCase())} ${truth ? 'allowed' : 'forbidden'}`;
  const said = truth === undefined ? value.trim() : String(Number(truth));
  return `${labelOf(name.toLowerCase())} ${said === '' ? 'empty' : said}`;
}

/**
 * Compares what was ordered with what is there. `thing` begins the sentence: "target 27". Something created is there
 * even if it is not as ordered; something changed that is not as ordered was not changed.
 */
export function compare(
  order: 'created' | 'changed',
  thing: string,
  fields: UnnamedFields,
  wanted: SetFields,
): Verification {
  const ordered = Object.entries(wanted).map(([name, value]) => {
    const own = sameName(fields, name);
    const is = fields[own];
    return { own, is, asOrdered: is !== undefined && isSame(is, value) };
  });
  const said = ({ own, is = '' }: { readonly own: string; readonly is: string | undefined }) =>
    say`${labelOf(own)} is ${worded(own, is)}`;
  const wrong = ordered.filter(({ is, asOrdered }) => is !== undefined && !asOrdered);
  const seen = ordered.filter(({ asOrdered }) => asOrdered);
  const unseen = ordered.filter(({ is }) => is === undefined).map(({ own }) => labelOf(own));
  if (order === 'changed' && wrong.length > 0) {
    return {
      kind: 'not_happened',
      evidence: say`${capital(thing)} read back: ${enumerate(wrong.map(said))}.`,
    };
  }
  if (order === 'changed' && seen.length === 0 && unseen.length > 0) {
    const why = `the API does not report ${unseen.join(', ')} of ${thing}`;
    return { kind: 'not_checkable', why, final: true };
  }
  const state = seen.length === 0 ? say`it exists` : enumerate(seen.map(said));
  const otherwise = wrong.length === 0 ? [] : say` But ${enumerate(wrong.map(said))}.`;
  const hidden =
    unseen.length === 0 ? '' : ` It does not report ${unseen.join(', ')}, so that is not verified.`;
  return { kind: 'happened', evidence: say`${capital(thing)} read back: ${state}.${otherwise}${hidden}` };
}

/** An appliance may write 1 for yes, and drop blanks. */
const isSame = (one: string, other: string): boolean =>
  one.trim() === other.trim() || (yesOrNo(one) !== undefined && yesOrNo(one) === yesOrNo(other));

/** `allow_file_transfer` is what people call "file transfer". */
function labelOf(name: string): string {
  if (isEnd(name)) return 'the last day';
  return isRight(name) ? name.slice('allow_'.length).replaceAll('_', ' ') : name;
}

function worded(name: string, value: string): Text {
  if (value === '') return say`empty`;
  if (isEnd(name) && /^\d+$/.test(value)) return untilText({ endOfLife: Number(value), fields: {} });
  const truth = isRight(name) ? yesOrNo(value) : undefined;
  return say`${truth === undefined ? value : truth ? 'allowed' : 'forbidden'}`;
}

const isEnd = (name: string): boolean => name.toLowerCase() === 'endoflife';
const isRight = (name: string): boolean => /^allow_./i.test(name);
const isId = (name: string): boolean => /^(?:id|(?:member|target|policy|pattern)_?id)$/i.test(name);

import type { IdentifiedEntry, UnnamedFields } from '../../../api/index.ts';
import { anyValue } from '../../../auth/request.ts';
import { isSecretName } from '../../../secrets.ts';
import type { Argument } from '../../argument.ts';
import type { KnownOf } from '../../command.ts';
import { cleanLine, wordsIn } from '../../language/line.ts';
import { capital, enumerate, type Field, say, type Text } from '../../reply.ts';
import type { Fingerprint, Verification } from '../../results.ts';
import type { FieldParts } from '../../temporary/field-parts.ts';
import { yesOrNo } from '../shown.ts';
import { untilText } from './until.ts';

/**
 * Fields by the appliance's own names, for things whose fields are undocumented (appliance-api.md §2.14):
 * `--set address=10.20.1.44 protocol=rdp description=Old accounting, read only`.
 */
export type SetFields = Readonly<Record<string, string>>;

/** A pair begins with a name and an equals sign; its value lasts until the next pair. */
const pair = /(?:^|(?<![\s,;])[\s,;]+)([A-Za-z_][\w.-]*)\s*=/g;
const most = 1_000;

/** The option `--set`. Passwords are refused, because they come by form. */
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

/** The fields as a typed line, to undo a change; undefined if a line cannot express them. */
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
 * The replacement to send: all readable fields of its own, with the changes. Omitted fields may be lost, and
 * the meaning of lists is not documented.
 */
export function replacementOf(fields: UnnamedFields, changes: SetFields): SetFields {
  const own = Object.entries(fields).filter(
    ([name, value]) => !isId(name) && name !== 'key' && !isSecretName(name) && !/^[[{]/.test(value),
  );
  const merged = new Map(own);
  for (const [name, value] of Object.entries(changes)) merged.set(sameName(fields, name), value);
  return Object.fromEntries(merged);
}

/** The appliance's spelling of a typed name. */
export const sameName = (fields: UnnamedFields, name: string): string =>
  Object.keys(fields).find((own) => own === name) ??
  Object.keys(fields).find((own) => own.toLowerCase() === name.toLowerCase()) ??
  name;

/** The field that holds the name of a thing, which the document does not give. */
export function nameFieldOf(things: readonly IdentifiedEntry[], usual: string): string {
  const [one] = things.filter(({ name }) => name !== undefined && name !== '');
  return Object.entries(one?.fields ?? {}).find(([, value]) => value === one?.name)?.[0] ?? usual;
}

/** "address: 10.20.1.5 → 10.20.1.6", for a preview. */
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

export const isSo = (fields: UnnamedFields, wanted: SetFields): boolean =>
  Object.entries(wanted).every(([name, value]) => {
    const is = fields[sameName(fields, name)];
    return is !== undefined && isSame(is, value);
  });

/** The old values of the changed fields, for the fingerprint: `before.address`. */
export const beforeOf = (fields: UnnamedFields, changes: SetFields): Fingerprint =>
  Object.fromEntries(
    Object.keys(changes).map((name) => [`before.${name}`, fields[sameName(fields, name)] ?? null]),
  );

/** Reads an old value from the fingerprint; undefined if it was not reported and so cannot be restored. */
function beforeIn(shown: Fingerprint, name: string): string | undefined {
  const before = Object.entries(shown).find(([key]) => key.toLowerCase() === `before.${name.toLowerCase()}`);
  return typeof before?.[1] === 'string' ? before[1] : undefined;
}

/**
 * The line that restores fields; `phrase` is its beginning up to `--set`. Values that were already as wanted
 * belong to somebody else and stay. Undefined if it cannot be typed.
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

/**
 * A command that sets fields can have the effect of *enable* and *disable*, identified by `slot`. A value that
 * is neither yes nor no may mean either.
 */
export const switches = <Slot extends string>(thing: string, slot: Slot) =>
  (['enable', 'disable'] as const).map((verb) => ({
    name: `rdp ${thing} ${verb}`,
    with: (args: KnownOf<{ readonly set?: SetFields | undefined }> & Readonly<Record<Slot, unknown>>) =>
      Object.entries(known(args.set)).some(
        ([name, value]) =>
          mayBeSwitch.test(name) && (!isSwitch.test(name) || yesOrNo(value) !== (verb === 'disable')),
      )
        ? { [slot]: args[slot] }
        : undefined,
  }));

/** The set fields, as far as they are known. */
export const known = (set: KnownOf<{ readonly set: SetFields | undefined }>['set']): SetFields =>
  set === undefined || set === anyValue ? {} : set;

/** Field names are undocumented: a name such as "disabled" may mean the opposite. */
const isSwitch = /^(?:is_?)?(?:enabled?|active)$/i;
const mayBeSwitch = /^(?:is_?)?(?:enabled?|active|disabled?|inactive|stat(?:us|e))$/i;

/** Shared by commands that set fields: each field counts as a change of its own. */
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
 * Compares the order with the current fields. `thing` begins the sentence: "target 27". A created thing exists
 * even if its fields differ; a changed thing with other fields was not changed.
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

/** "file transfer" for `allow_file_transfer`. */
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

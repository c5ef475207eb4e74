import { readSiteWord, text } from '../argument.ts';
import { change } from '../declare.ts';
import { plural, say, strong } from '../reply.ts';
import { number } from '../wording/quantities.ts';
import { orderedOf, previewAdding, runAdding, undoAdding, verifyAdding } from './adding.ts';
import { nameOf, object } from './objects.ts';
import { isHostAddress, mostRecords } from './patterns.ts';

/** As long as the longest pattern that any proxy takes. */
const anyPattern = text('a pattern', 'example.com', 1_000);

const pattern = {
  ...anyPattern,
  most: mostRecords,
  fromFile: true,
  holdsSites: true,
  read: (typed: string) => {
    const read = anyPattern.read(typed);
    return read.ok && isHostAddress(read.value) ? readSiteWord(read.value) : read;
  },
} as const;

/** A small word is no object, or `acl record add to 12` with a file would be about an object called so. */
const target: typeof object = {
  ...object,
  read: (typed) =>
    /^(?:to|in|into)$/i.test(typed)
      ? { ok: false, problem: { code: 'malformed', wanted: 'the number or the name of an ACL object' } }
      : object.read(typed),
};

export const addRecords = change({
  phrase: 'acl record add <object> <pattern>… [--note]',
  says: `
    add <pattern> to whitelist / add <pattern> to blacklist / add <pattern> to acl <object> /
    whitelist <pattern> / blacklist <pattern> / block <pattern> / unblock <pattern> /
    put <pattern> on the allowlist <object> / exclude <pattern> from ssl inspection /
    add ip <pattern> to acl <object> / add an exception for <pattern> /
    add <pattern> as exception to <object> / make an exception for <pattern> / bypass <pattern> /
    put <pattern> on list <object> / exempt <pattern> from the proxy / no ssl inspection for <pattern> /
    do not decrypt <pattern> / <pattern> must not be decrypted / stop decrypting <pattern> /
    do not inspect <pattern> / <pattern> must not be inspected / exempt <pattern> from decryption /
    bypass ssl inspection for <pattern> / add an ssl exception for <pattern> / new entry <pattern> in acl <object> /
    let <pattern> through acl <object> / allow network <pattern> in acl <object> / <object> += <pattern> /
    <pattern> to list <object> / append <pattern> to <object> / <pattern> belongs in <object> /
    <object> needs <pattern> / put <pattern> in acl <object> / block <pattern> completely /
    cut <pattern> off / isolate <pattern> / <pattern> is infected / quarantine <pattern> /
    add <pattern> and <pattern> to acl <object>
  `,
  also: ['acl record add <pattern>… to <object> [--note]'],
  args: { object: target, pattern, note: text('a note', 'ticket 4711', 500) },
  summary:
    'Add records to an ACL object, separated by spaces or commas; put a pattern that contains commas in quotes',
  example: 'acl record add 12 example.com, example.org --note "ticket 4711"',
  effect: 'write',
  verb: 'Add',
  each: 'pattern',
  doing: (args, shown) => {
    const ordered = orderedOf(args, shown);
    const what = ordered === undefined ? 'records' : plural(ordered.length, 'record');
    return say`Adding ${what} to ACL object ${nameOf(args.object)}`;
  },
  done: (args, shown) => {
    const [first = '', ...others] = orderedOf(args, shown) ?? args.pattern;
    const what = others.length === 0 ? first : `${number(others.length + 1)} records`;
    return say`${strong(what)} added to ACL object ${strong(nameOf(args.object))}`;
  },
  preview: previewAdding,
  run: runAdding,
  verify: verifyAdding,
  undo: (_, shown) => undoAdding(shown),
  doneOf: (now, then) => {
    const [there, before] = [linesIn(now.there), linesIn(then.there)];
    const isMore = now.object === then.object && before.isSubsetOf(there);
    return isMore ? [...there.difference(before)] : undefined;
  },
  within: true,
  requires: () => ['acl'],
});

const linesIn = (text: unknown): ReadonlySet<string> => new Set(text === '' ? [] : String(text).split('\n'));

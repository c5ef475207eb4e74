import { type AclRecord, type AddedRecord, isApplianceFailure } from '../../api/index.ts';
import { type Named, nameOrNumber, readSiteWord, text } from '../argument.ts';
import {
  type BroadEntry,
  broadFields,
  type HeldEntry,
  heldFields,
  isBroadNetwork,
  networkHolding,
  networkIn,
  parentsOf,
} from '../broad.ts';
import type { AskingAppliance, OnAppliance } from '../context.ts';
import { change } from '../declare.ts';
import { endingIn, hasManyOwners } from '../language/domain.ts';
import { readBackIn } from '../listing.ts';
import { code, plural, say, strong, type Text } from '../reply.ts';
import {
  type Fingerprint,
  type Preview,
  type Ran,
  skippedField,
  type Verification,
  withSkipped,
} from '../results.ts';
import { kindOf } from '../why/kinds.ts';
import { tryRegular } from '../why/regular.ts';
import { readIn, settle } from '../wording/answer.ts';
import { number } from '../wording/quantities.ts';
import { reasonOf } from '../wording/reason.ts';
import { allConfirmed } from './answers.ts';
import { findObject, gone, object, some, stateOf, usedBy, usersOf } from './objects.ts';
import { isHostAddress, mostRecords, tornIn } from './patterns.ts';
import { listedRecords, recordsIn, recordsOf, type StatedRecord } from './records.ts';

/** The longest pattern that any proxy accepts. */
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

/** A small word is no object. Otherwise `acl record add to 12` with a file would mean an object called "to". */
const target: typeof object = {
  ...object,
  read: (typed) =>
    /^(?:to|in|into)$/i.test(typed)
      ? { ok: false, problem: { code: 'malformed', wanted: 'the number or the name of an ACL object' } }
      : object.read(typed),
};

const verifyAdding = readBackIn<Adding, StatedRecord>(
  ({ object }) => recordsIn(object),
  async ({ see }, { args }, shown): Promise<Verification> => {
    const fresh = freshOf(args, shown);
    const missingIn = (all: readonly StatedRecord[]) => {
      const there = new Set(all.map(({ record }) => record.pattern));
      return fresh.filter((pattern) => !there.has(pattern));
    };
    const missing = missingIn(await see((all) => missingIn(all).length > 0));
    const object = strong(nameOrNumber(args.object));
    if (missing.length === fresh.length) {
      return {
        kind: 'not_happened',
        evidence: say`Records of ${object} read back: ${fresh.length === 1 ? 'it is' : 'they are'} not among them: ${some(missing)}.`,
      };
    }
    const seen: Verification = {
      kind: missing.length === 0 ? 'happened' : 'in_part',
      evidence:
        missing.length === 0
          ? say`Records of ${object} read back: ${fresh.length === 1 ? 'the new one is' : `${fresh.length === 2 ? 'both' : `all ${number(fresh.length)}`} new ones are`} there.`
          : say`Records of ${object} read back: ${strong(`only ${number(fresh.length - missing.length)} of ${number(fresh.length)}`)} new ones are there. Missing: ${some(missing)}.`,
    };
    const isFresh = new Set(fresh);
    return withSkipped(seen, skippedIn(args.pattern.filter((pattern) => !isFresh.has(pattern))));
  },
);

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
    return say`Adding ${what} to ACL object ${nameOrNumber(args.object)}`;
  },
  done: (args, shown) => {
    const [first = '', ...others] = orderedOf(args, shown) ?? args.pattern;
    const what = others.length === 0 ? first : `${number(others.length + 1)} records`;
    return say`${strong(what)} added to ACL object ${strong(nameOrNumber(args.object))}`;
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

interface Adding {
  readonly object: Named;
  readonly pattern: readonly string[];
  readonly note?: string | undefined;
}

/** Records between two progress reports. After them, other commands may use the appliance. */
const chunk = { together: 250, singly: 25 };
/** Up to this number, the table shows who added each record. */
const mostSigned = 100;

async function previewAdding({
  appliance,
  args: { object, pattern: patterns, note },
}: AskingAppliance<Adding>): Promise<Preview> {
  const torn = tornIn(patterns);
  if (torn !== undefined) {
    return {
      kind: 'nothing',
      why: say`${code(torn)} has an unmatched bracket: commas separate patterns. Put a pattern that contains commas in quotes: ${code(`/appliance acl record add ${object.id} '^a{1,3}'`)}.`,
    };
  }
  const found = await findObject(appliance, object);
  if (found === undefined) return gone(appliance.name, object.id);
  const { all: records } = await recordsOf(appliance, found);
  const there = presentIn(records, patterns);
  const fresh = patterns.filter((pattern) => !there.has(pattern));
  if (fresh.length === 0) {
    const known = [...there.values()].map(
      (record) => `${record.pattern} (record ${record.id}, ${stateOf(record)})`,
    );
    return {
      kind: 'nothing',
      why: say`ACL object ${strong(nameOrNumber(found))} already has ${some(known, 10)}.`,
    };
  }
  const all = records.map((one) => one.pattern);
  const broad = await broadPatterns(fresh, found.type);
  const held = heldPatterns(fresh, all, found.type);
  const holding = heldByNew(fresh, all, found.type);
  return {
    kind: 'ready',
    ...(broad.length + held.length > 0 && { asksFirst: true }),
    question: say`Add ${strong(plural(fresh.length, 'record'))} to ACL object ${strong(nameOrNumber(found))}?`,
    fields: [
      { name: 'New', value: some(fresh, 10) },
      ...skippedField(skippedIn([...there.keys()])),
      ...broadFields(broad, fresh.length),
      ...heldFields(held, fresh.length),
      ...(holding.length === 0
        ? []
        : [{ name: 'Includes records', value: some(holding.map((one) => one.entry)) }]),
      ...(note === undefined ? [] : [{ name: 'Note', value: say`${note}` }]),
      { name: 'Object', value: say`${found.id}, ${found.type ?? 'type not reported'}, ${stateOf(found)}` },
      { name: 'Used by', value: usedBy(await usersOf(appliance, found)) },
    ],
    // Patterns come from a typed line, so they contain no line breaks.
    fingerprint: { object: found.id, name: found.name ?? null, there: [...there.keys()].join('\n') },
  };
}

async function runAdding(context: OnAppliance<Adding>, shown: Fingerprint): Promise<Ran> {
  const { appliance, args, person, progress, giveWay } = context;
  const { object, pattern: patterns, note } = args;
  const fresh = freshOf(args, shown);
  // Users and notes cost one request for each record.
  const signed = note !== undefined || fresh.length <= mostSigned;
  const step = signed ? chunk.singly : chunk.together;
  const answers: AddedRecord[] = [];
  for (let at = 0; at < fresh.length; at += step) {
    if (at > 0) {
      progress(say`${number(answers.length)} of ${number(fresh.length)} patterns sent`);
      await giveWay();
    }
    answers.push(
      ...(await appliance.acl.addRecords({
        objectId: object.id,
        patterns: fresh.slice(at, at + step),
        ...(signed ? { uid: `slack:${person}` } : {}),
        ...(note === undefined ? {} : { description: note }),
      })),
    );
  }
  const confirmed = allConfirmed(answers.map(({ answer }) => answer));
  // Only for the table; `verify` decides whether a failure to read matters.
  const records = readIn(await settle(recordsWith(patterns)));
  const now = records && presentIn(records, patterns);
  const added = fresh.flatMap((pattern) => now?.get(pattern)?.id ?? []);
  const answerTo = new Map(answers.map(({ pattern, answer }) => [pattern, answer]));
  return {
    confirmed,
    learned: { added: added.join(' ') },
    details: [
      {
        kind: 'table',
        columns: ['Pattern', 'Result'],
        rows: patterns.map((pattern) => [say`${pattern}`, fateOf(answerTo.get(pattern), now, pattern)]),
      },
    ],
  };

  /** Rejects if a record is missing, and the list is not whole. */
  function recordsWith(wanted: readonly string[]): Promise<readonly AclRecord[]> {
    return listedRecords(object).see(appliance, (all) => presentIn(all, wanted).size < new Set(wanted).size);
  }
}

/** The line that removes the new records by their numbers. */
function undoAdding({ added }: Fingerprint): string | undefined {
  return typeof added === 'string' && added !== '' ? `acl record delete ${added}` : undefined;
}

const skippedIn = (there: readonly string[]): Text =>
  there.length === 0 ? [] : say`${some(there, 10)}, already there`;

/** The patterns that the order covers; undefined if they differ between appliances. */
const orderedOf = (args: Adding, shown: Fingerprint): readonly string[] | undefined =>
  shown.there === undefined ? undefined : freshOf(args, shown);

const freshOf = ({ pattern: patterns }: Adding, { there }: Fingerprint): readonly string[] => {
  const known = new Set(String(there ?? '').split('\n'));
  return patterns.filter((pattern) => !known.has(pattern));
};

/** The patterns that the records contain, each with its record. */
function presentIn(
  records: readonly AclRecord[],
  patterns: readonly string[],
): ReadonlyMap<string, AclRecord> {
  const wanted = new Set(patterns);
  return new Map(
    records.filter(({ pattern }) => wanted.has(pattern)).map((record) => [record.pattern, record]),
  );
}

function fateOf(
  answer: AddedRecord['answer'] | undefined,
  now: ReadonlyMap<string, AclRecord> | undefined,
  pattern: string,
): Text {
  const record = now?.get(pattern);
  if (answer === undefined) {
    return say`was already there${record === undefined ? '' : ` (record ${record.id}, ${stateOf(record)})`}`;
  }
  if (record !== undefined) return say`added as record ${record.id}`;
  if (isApplianceFailure(answer)) {
    const why = reasonOf(answer);
    if (now === undefined) return say`unknown, not read back: the request failed, ${why}`;
    return say`${answer.mayHaveHappened ? 'not there yet' : 'not added'}: ${why}`;
  }
  return now === undefined ? say`accepted, not read back` : say`accepted, but not there`;
}

/** Patterns that match more than they name, and patterns that others already cover, by the type of their object. */

/** Random names that nobody has. An expression that matches one matches any text before its ending. */
const unlikely = 'zq7vkx0jw';
/** An expression that matches a name in each of these domains matches all sites. */
const unrelated = ['com', 'net', 'example'];

/** The patterns that match a whole top-level domain, a public suffix, a large range of addresses, or everything. */
async function broadPatterns(
  patterns: readonly string[],
  type: string | undefined,
): Promise<readonly BroadEntry[]> {
  const kind = kindOf(type);
  const isRegular = kind === 'domain_regex' || kind === 'url_regex';
  const found = new Map<string, string>();
  for (const pattern of patterns) {
    const hits = isRegular ? undefined : plainHits(pattern);
    if (hits !== undefined) found.set(pattern, hits);
  }
  if (isRegular) {
    // A regular expression may match any ending, so it is tried with every ending in its text.
    const ends = patterns.map((pattern) => [...new Set([...unrelated, ...endsIn(pattern)])]);
    const textOf = (end: string) =>
      kind === 'url_regex' ? `https://${unlikely}.${end}/` : `${unlikely}.${end}`;
    const trials = patterns.flatMap((pattern, at) =>
      (ends[at] ?? []).map((end) => ({ pattern, end, texts: [textOf(end)] })),
    );
    const outcome = await tryRegular(trials);
    const matched = Map.groupBy(
      trials.filter((_, at) => outcome[at] === 'matches'),
      ({ pattern }) => pattern,
    );
    for (const [pattern, hit] of matched) {
      const isAll = unrelated.every((end) => hit.some((one) => one.end === end));
      found.set(pattern, isAll ? 'every site' : hit.map(({ end }) => endingIn(end)).join(' and '));
    }
  }
  return [...found].map(([entry, hits]) => ({ entry, hits }));
}

function plainHits(pattern: string): string | undefined {
  if (/^(?:\.|\*|\.\*|\*\.\*|all)$/i.test(pattern)) return 'everything';
  const network = networkIn(pattern);
  if (network !== undefined) {
    if (!isBroadNetwork(network)) return undefined;
    if (network.bits === 0) return 'every address';
    const all = network.family === 'ipv4' ? (2 ** (32 - network.bits)).toLocaleString('en') : undefined;
    return all === undefined ? 'a very large part of all addresses' : `up to ${all} addresses`;
  }
  const name = /^(?:\*?\.)?([a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?$/i.exec(pattern)?.[1]?.toLowerCase();
  // A single word is a user, a port or a program; with a leading dot it is a top-level domain.
  const isName =
    name !== undefined && !/^[\d.]+$/.test(name) && (name.includes('.') || /^\*?\./.test(pattern));
  return isName && hasManyOwners(name) ? endingIn(name) : undefined;
}

/** The endings in an expression, such as `ru` in `\.ru$`, and both in `(ru|su)`. */
function endsIn(pattern: string): readonly string[] {
  const plain = pattern.replaceAll('\\.', '.').replace(/(?<!\$)\$+$/, '');
  const tail = /(?<![a-z0-9.|()-])[a-z0-9.|()-]*$/i.exec(plain.slice(-60))?.[0] ?? '';
  const several = /\(([a-z0-9.|-]+)\)$/i.exec(tail)?.[1]?.split('|');
  return (several ?? [tail.replace(/^.*[()|]/, '')])
    .map((end) => end.replace(/^\.+/, '').toLowerCase())
    .filter((end) => /^[a-z][a-z0-9.-]*$/.test(end) && hasManyOwners(end));
}

/** The patterns that an existing or new one already covers. Expressions are not compared. */
function heldPatterns(
  patterns: readonly string[],
  there: readonly string[],
  type: string | undefined,
): readonly HeldEntry[] {
  if (/reg/i.test(type ?? '')) return [];
  const all = [...new Set([...there, ...patterns])];
  const wide = new Map(all.flatMap((one) => (/^\*?\./.test(one) ? [[nameOf(one), one] as const] : [])));
  const networks = all.flatMap((pattern) => {
    const network = networkIn(pattern);
    return network === undefined ? [] : [{ pattern, network }];
  });
  return patterns.flatMap((entry): HeldEntry[] => {
    const name = nameOf(entry);
    // `.example.com` includes example.com itself.
    const own = /^\*?\./.test(entry) ? [] : [name];
    const above = [...own, ...parentsOf(name)].find((one) => wide.has(one));
    const by = above === undefined ? networkHolding(entry, networks) : wide.get(above);
    return by === undefined ? [] : [{ entry, by }];
  });
}

/** The existing patterns that one of the new patterns will cover. */
const heldByNew = (
  patterns: readonly string[],
  there: readonly string[],
  type: string | undefined,
): readonly HeldEntry[] => {
  const fresh = new Set(patterns);
  return heldPatterns(there, patterns, type).filter(({ entry, by }) => !fresh.has(entry) && fresh.has(by));
};

const nameOf = (pattern: string): string =>
  pattern
    .toLowerCase()
    .replace(/^\*?\./, '')
    .replace(/\.$/, '');

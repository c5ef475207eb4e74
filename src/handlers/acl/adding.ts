import { type AclObject, type AclRecord, type AddedRecord, isApplianceFailure } from '../../api/index.ts';
import type { Named } from '../argument.ts';
import { broadFields, heldFields } from '../broad.ts';
import type { AskingAppliance, OnAppliance } from '../context.ts';
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
import { readIn, settle } from '../wording/answer.ts';
import { number } from '../wording/quantities.ts';
import { reasonOf } from '../wording/reason.ts';
import { allConfirmed } from './answers.ts';
import { findObject, gone, nameOf, some, stateOf, usedBy, usersOf } from './objects.ts';
import { broadPatterns, heldByNew, heldPatterns } from './overlap.ts';
import { tornIn } from './patterns.ts';
import { recordsIn, recordsOf, type StatedRecord } from './records.ts';

/** Adding records to an ACL object. */
export interface Adding {
  readonly object: Named;
  readonly pattern: readonly string[];
  readonly note?: string | undefined;
}

/** So many go to the appliance between two words of how far it is; then others may have their turn there. */
const chunk = { together: 250, singly: 25 };
/** Up to so many say who pushed them. */
const mostSigned = 100;

export async function previewAdding({
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
  const there = await presentIn(appliance, found, patterns);
  const fresh = patterns.filter((pattern) => !there.has(pattern));
  if (fresh.length === 0) {
    const records = [...there.values()];
    const known = records.map((record) => `${record.pattern} (record ${record.id}, ${stateOf(record)})`);
    return {
      kind: 'nothing',
      why: say`ACL object ${strong(nameOf(found))} already has ${some(known, 10)}.`,
    };
  }
  const all = (await recordsOf(appliance, found)).map((one) => one.pattern);
  const broad = await broadPatterns(fresh, found.type);
  const held = heldPatterns(fresh, all, found.type);
  const holding = heldByNew(fresh, all, found.type);
  return {
    kind: 'ready',
    ...(broad.length + held.length > 0 && { asksFirst: true }),
    question: say`Add ${strong(plural(fresh.length, 'record'))} to ACL object ${strong(nameOf(found))}?`,
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
    // Patterns come from a typed line and have no line breaks in them.
    fingerprint: { object: found.id, name: found.name ?? null, there: [...there.keys()].join('\n') },
  };
}

export async function runAdding(context: OnAppliance<Adding>, shown: Fingerprint): Promise<Ran> {
  const { appliance, args, person, progress, giveWay } = context;
  const { object, pattern: patterns, note } = args;
  const fresh = freshOf(args, shown);
  // Who pushed them, and a note, cost a request each.
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
  // For the table only: whether they could be read is for `verify` to say.
  const now = readIn(await settle(presentIn(appliance, { id: object.id }, patterns)));
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
}

export const verifyAdding = readBackIn<Adding, StatedRecord>(
  ({ object }) => recordsIn(object),
  async ({ see }, { args }, shown): Promise<Verification> => {
    const fresh = freshOf(args, shown);
    const missingIn = (all: readonly StatedRecord[]) => {
      const there = new Set(all.map(({ record }) => record.pattern));
      return fresh.filter((pattern) => !there.has(pattern));
    };
    const missing = missingIn(await see((all) => missingIn(all).length > 0));
    const object = strong(nameOf(args.object));
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

/** The line that takes back what was added, by the numbers that the new records got. */
export function undoAdding({ added }: Fingerprint): string | undefined {
  return typeof added === 'string' && added !== '' ? `acl record delete ${added}` : undefined;
}

const skippedIn = (there: readonly string[]): Text =>
  there.length === 0 ? [] : say`${some(there, 10)}, already there`;

/** Those that the order is for; undefined where each appliance has others of them. */
export const orderedOf = (args: Adding, shown: Fingerprint): readonly string[] | undefined =>
  shown.there === undefined ? undefined : freshOf(args, shown);

const freshOf = ({ pattern: patterns }: Adding, { there }: Fingerprint): readonly string[] => {
  const known = new Set(String(there ?? '').split('\n'));
  return patterns.filter((pattern) => !known.has(pattern));
};

/** Those of the patterns that the object has, with the record of each. */
async function presentIn(
  appliance: AskingAppliance<Adding>['appliance'],
  object: Pick<AclObject, 'id' | 'items'>,
  patterns: readonly string[],
): Promise<ReadonlyMap<string, AclRecord>> {
  const wanted = new Set(patterns);
  const records = await recordsOf(appliance, object);
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

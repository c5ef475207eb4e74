import { type AskedAppliance, isApplianceFailure } from '../../api/index.ts';
import { type Named, nameOrNumber } from '../argument.ts';
import { change } from '../declare.ts';
import { readBackIn } from '../listing.ts';
import { inWaves } from '../lists/waves.ts';
import { code, plural, say, strong, type Text, tableOf } from '../reply.ts';
import { type Fingerprint, notHappened, nothing, ready, skippedField, withSkipped } from '../results.ts';
import { number } from '../wording/quantities.ts';
import { reasonOf } from '../wording/reason.ts';
import { type Answered, allConfirmed, answerOf } from './answers.ts';
import { some, stateOf, usedBy, usersOf } from './objects.ts';
import { addingLine, mostRecords } from './patterns.ts';
import {
  type HeldRecord,
  type NamedRecord,
  pushedBy,
  recordsIn,
  recordWithin,
  type StatedRecord,
} from './records.ts';

const shownSingly = 10;

export const deleteRecords = change({
  phrase: 'acl record delete <record>… [--object]',
  says: `
    delete acl record <record> / remove record <record> / remove <record> from whitelist /
    remove <record> from blacklist / take <record> off the acl / delete rule entry <record> /
    unblock <record> / delete entry <record> / drop record <record> / remove the exception <record> /
    acl record <record> is not needed any more / erase acl entry <record> /
    record <record> is wrong, kill it / kill record <record> / get rid of record <record> /
    acl entry <record> must go / throw record <record> away / remove <record> from <object> /
    take <record> off <object> / drop <record> from <object> / remove <record> from acl <object> /
    delete <record> from <object> / delete <record> of <object> / delete <record> in <object> /
    remove <record> in <object> / <record> does not belong in <object>
  `,
  also: ['acl record delete <record>… from <object>'],
  args: { ...recordWithin, record: { ...recordWithin.record, most: mostRecords, fromFile: true } },
  summary: 'Delete ACL records, by record number (not the object’s) or pattern',
  example: 'acl record delete .youtube.com',
  effect: 'destructive',
  verb: 'Delete',
  each: 'record',
  called: ({ records }) =>
    new Map(
      String(records ?? '')
        .split('\n')
        .map((line) => [String(Number.parseInt(line, 10)), patternIn(line)]),
    ),
  doing: ({ record: wanted }, shown) =>
    shown.records === undefined && wanted.length > 1
      ? say`Deleting records of ${ownersOf(wanted)}`
      : say`Deleting ${wordsFor(orderedOf(wanted, shown))}`,
  done: ({ record: wanted }, shown) => say`${wordsFor(orderedOf(wanted, shown))} deleted`,
  preview: async ({ appliance, args }) => {
    const held = await present(appliance, args.record);
    const isHeld = new Set(held.map((one) => one.record.id));
    const missing = args.record.filter(({ id }) => !isHeld.has(id));
    if (args.record.length === 0)
      return nothing`None of these records exists on ${strong(appliance.name)} any more.`;
    if (held.length === 0)
      return nothing`${missing.length === 1 ? 'This record no longer exists' : 'These records no longer exist'} on ${strong(appliance.name)}: ${some(missing.map(({ id }) => String(id)))}. ${code('/appliance acl find')} finds records.`;
    const objects = [...new Map(held.map(({ object }) => [object.id, object])).values()];
    const users = await Promise.all(
      objects.map(async (one) => ({
        name: `${nameOrNumber(one)} is used by`,
        value: usedBy(await usersOf(appliance, one)),
      })),
    );
    return ready({
      question: say`Delete ${wordsFor(held.map(({ record: item, object }) => ({ ...item, object: { id: object.id, name: object.name ?? '' } })))}?`,
      fields: [
        ...held.slice(0, shownSingly).map(({ record: item, object }) => ({
          name: `Record ${item.id}`,
          value: say`${item.pattern}, ${stateOf(item)}, in ${nameOrNumber(object)}, added by ${pushedBy(item)}`,
        })),
        ...(held.length > shownSingly
          ? [
              {
                name: `And ${held.length - shownSingly} more`,
                value: some(
                  held.slice(shownSingly).map(({ record: item }) => item.pattern),
                  20,
                ),
              },
            ]
          : []),
        ...users,
        ...skippedField(skippedIn(missing)),
      ],
      fingerprint: {
        records: held.map(({ record: { id, pattern } }) => `${id} ${pattern}`).join('\n'),
        enabled: held.every(({ record: { enabled } }) => enabled === true),
      },
    });
  },
  run: async (context, shown) => {
    const { appliance, args, progress } = context;
    const ids = idsOf(shown);
    const answers: Answered[] = [];
    let answered = 0;
    await inWaves(ids, context, async (itemId, at) => {
      answers[at] = await answerOf(appliance.acl.deleteRecord({ itemId }));
      answered += 1;
      if (answered % 20 === 0) progress(say`${number(answered)} of ${number(ids.length)} records deleted`);
    });
    const patterns = new Map(args.record.map(({ id, pattern }) => [id, pattern]));
    return {
      confirmed: allConfirmed(answers),
      details:
        ids.length === 1
          ? []
          : tableOf(ids, {
              Record: (id) => id,
              Pattern: (id) => patterns.get(id) ?? '',
              Result: (_, at) => fateOf(answers[at]),
            }),
    };
  },
  verify: readBackIn<Deleting, StatedRecord>(
    ({ record: wanted }) => recordsIn(...ownersIn(wanted)),
    async ({ see }, { args }, shown) => {
      const ids = new Set(idsOf(shown));
      const patterns = new Map(args.record.map(({ id, pattern }) => [id, pattern]));
      const leftIn = (all: readonly StatedRecord[]) =>
        all.filter(({ record: { id, pattern } }) => ids.has(id) && patterns.get(id) === pattern);
      const left = leftIn(await see((all) => leftIn(all).length < ids.size, ...ids));
      const skipped = skippedIn(args.record.filter(({ id }) => !ids.has(id)));
      const names = left.map(({ record: { id, pattern } }) => `${id} (${pattern})`);
      if (left.length === ids.size)
        return withSkipped(
          notHappened`Records read back: ${left.length === 1 ? 'it is' : 'all of them are'} still there: ${some(names)}.`,
          skipped,
        );
      return withSkipped(
        {
          kind: left.length === 0 ? 'happened' : 'in_part',
          evidence:
            left.length === 0
              ? say`Records read back: ${ids.size === 1 ? 'it is' : `${ids.size === 2 ? 'both' : `all ${ids.size}`} are`} gone.`
              : say`Records read back: ${strong(`only ${ids.size - left.length} of ${ids.size}`)} are gone. Still there: ${some(names)}.`,
        },
        skipped,
      );
    },
  ),
  // The undo restores what the records match, but not their dates, remarks and users.
  undo: ({ record: wanted }, shown) => {
    const ordered = orderedOf(wanted, shown);
    const [first, ...others] = ordered;
    if (first === undefined || shown.enabled !== true) return undefined;
    if (others.some(({ object }) => object.id !== first.object.id)) return undefined;
    return addingLine(
      first.object.id,
      ordered.map(({ pattern }) => pattern),
    );
  },
  doneOf: (now, then) => {
    const held = new Set(String(now.records).split('\n'));
    const before = new Set(String(then.records).split('\n'));
    const isLess = now.enabled === then.enabled && held.isSubsetOf(before);
    return isLess ? [...before.difference(held)].map(patternIn) : undefined;
  },
  requires: () => ['acl'],
});

/** The records that still exist. */
async function present(
  appliance: AskedAppliance,
  wanted: readonly NamedRecord[],
): Promise<readonly HeldRecord[]> {
  const patterns = new Map(wanted.map(({ id, pattern }) => [id, pattern]));
  const among = (all: readonly StatedRecord[]) =>
    all.filter(({ record: { id, pattern } }) => patterns.get(id) === pattern);
  return among(
    await recordsIn(...ownersIn(wanted)).see(appliance, (all) => among(all).length < patterns.size),
  );
}

const ownersIn = (wanted: readonly NamedRecord[]): readonly Named[] => [
  ...new Map(wanted.map(({ object }) => [object.id, object])).values(),
];

interface Deleting {
  readonly record: readonly NamedRecord[];
}

const patternIn = (line: string): string => line.slice(line.indexOf(' ') + 1);

/** One number a line, followed by its pattern; `preview` writes them. */
const idsOf = ({ records }: Fingerprint): readonly number[] =>
  String(records)
    .split('\n')
    .map((line) => Number.parseInt(line, 10));

/** The records that the order covers; all named records while that is unknown. */
function orderedOf(wanted: readonly NamedRecord[], shown: Fingerprint): readonly NamedRecord[] {
  if (shown.records === undefined) return wanted;
  const ids = new Set(idsOf(shown));
  return wanted.filter(({ id }) => ids.has(id));
}

const skippedIn = (gone: readonly NamedRecord[]): Text =>
  gone.length === 0 ? [] : say`${some(gone.map(({ id, pattern }) => `${id} (${pattern})`))}, no longer there`;

function fateOf(answer: Answered | undefined): Text {
  if (answer === undefined) return say`not sent`;
  if (isApplianceFailure(answer)) return say`not deleted: ${reasonOf(answer)}`;
  return answer.confirmed ? say`deleted` : say`accepted`;
}

function wordsFor(wanted: readonly NamedRecord[]): Text {
  const [only, ...others] = wanted;
  if (only === undefined) return say`no record`;
  return others.length === 0
    ? say`ACL record ${only.id} (${strong(only.pattern)}) of ${strong(nameOrNumber(only.object))}`
    : say`${strong(plural(wanted.length, 'record'))} of ${ownersOf(wanted)}`;
}

const ownersOf = (wanted: readonly NamedRecord[]): Text => {
  const names = [...new Set(wanted.map(({ object }) => nameOrNumber(object)))];
  return names.length === 1 ? say`ACL object ${strong(names[0] ?? '')}` : say`${names.length} ACL objects`;
};

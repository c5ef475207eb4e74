import type { AclObject, AclRecord, AskedAppliance } from '../../api/index.ts';
import { type Argument, isNamed, listed, type Named } from '../argument.ts';
import { say, type Text } from '../reply.ts';
import { findObject, nameOf, object, stateOf } from './objects.ts';

/** The records of ACL objects (appliance-api.md §2.2), as commands speak of them. */

/** A record as an argument: which one it is, and where it is. */
export interface NamedRecord {
  readonly id: number;
  readonly pattern: string;
  readonly object: Named;
}

const records = listed<NamedRecord>('an ACL record', '120', async (appliance, { object: within }) =>
  (await allRecords(appliance))
    .filter(({ object: { id } }) => !isNamed(within) || within.id === id)
    .map(({ record: { id, pattern }, object: { id: owner, name } }) => ({
      word: String(id),
      name: pattern,
      value: { id, pattern, object: { id: owner, name: name ?? '' } },
      hint: `in ${nameOf({ id: owner, name })}`,
    })),
);

/** A record, by its number or its pattern. A pattern may be an address, which begins like a number and is none. */
const record: Argument<NamedRecord> = {
  ...records,
  numbered: true,
  isCostly: true,
  read: (word) =>
    // A cast as in `listed`: until it is looked up as the other patterns are, the word stands in for what it names.
    /^[0-9]{1,3}(?:\.[0-9]{1,3}){2,3}$/.test(word)
      ? { ok: true, value: word as unknown as NamedRecord }
      : records.read(word),
};

/** A record of an object that may be named: several can hold the same pattern. */
export const recordWithin = { object: { ...object, narrows: true }, record } as const;

export interface HeldRecord {
  readonly record: AclRecord;
  readonly object: AclObject;
}

/** Every record with the object that holds it. */
async function allRecords(appliance: AskedAppliance): Promise<readonly HeldRecord[]> {
  const objects = await appliance.acl.listObjects();
  const held = await Promise.all(
    objects.map(async (one) =>
      (await recordsOf(appliance, one)).map((item) => ({ record: item, object: one })),
    ),
  );
  return held.flat();
}

/** The records of one object, from the list of objects where it tells them. */
export async function recordsOf(
  appliance: AskedAppliance,
  { id, items }: Pick<AclObject, 'id' | 'items'>,
): Promise<readonly AclRecord[]> {
  return items ?? appliance.acl.listRecords({ objectId: id });
}

/** The record where it was; undefined when it, or its object, is gone. */
export async function locate(
  appliance: AskedAppliance,
  { id, object: owner }: NamedRecord,
): Promise<HeldRecord | undefined> {
  const holder = await findObject(appliance, owner);
  if (holder === undefined) return undefined;
  const item = (await recordsOf(appliance, holder)).find((one) => one.id === id);
  return item && { record: item, object: holder };
}

/** A record of a disabled object matches nothing, whatever it says of itself. */
export const stateIn = (item: AclRecord, owner: AclObject | undefined): string =>
  item.enabled === true && owner?.enabled === false ? 'enabled, but its object is disabled' : stateOf(item);

/** Who pushed it, what it says beside its pattern; a dash for what is empty. */
export const pushedBy = ({ uid }: AclRecord): Text => say`${uid === undefined || uid === '' ? '–' : uid}`;
export const remarksOf = ({ description = '', other = '' }: AclRecord): Text =>
  say`${[description, other].filter((one) => one !== '').join(' · ') || '–'}`;

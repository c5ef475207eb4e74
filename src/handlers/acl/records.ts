import {
  type AclObject,
  type AclRecord,
  type AskedAppliance,
  extentOf,
  withExtent,
} from '../../api/index.ts';
import { type Argument, isNamed, lackIn, lacking, listed, type Named, nameOrNumber } from '../argument.ts';
import { type Listing, type Look, listedIn, listing, lookIn } from '../listing.ts';
import { say, type Text } from '../reply.ts';
import { aclObjects, object, stateOf } from './objects.ts';

/** The records of ACL objects (appliance-api.md §2.2), as commands use them. */

/** A record as an argument, with its object. */
export interface NamedRecord {
  readonly id: number;
  readonly pattern: string;
  readonly object: Named;
}

const records = listed<NamedRecord>('an ACL record', '120', async (appliance, { object: within }) => {
  const held = await allRecords(appliance);
  const named = held
    .filter(({ object: { id } }) => !isNamed(within) || within.id === id)
    .map(({ record: { id, pattern }, object: { id: owner, name } }) => ({
      word: String(id),
      name: pattern,
      value: { id, pattern, object: { id: owner, name: name ?? '' } },
      hint: `in ${nameOrNumber({ id: owner, name })}`,
    }));
  return lacking(named, lackIn(held));
});

/** A record, by its number or its pattern. A pattern may be an address, which begins with a number. */
const record: Argument<NamedRecord> = {
  ...records,
  numbered: true,
  isCostly: true,
  read: (word) =>
    // A cast as in `listed`: the word stands in for the record until it is looked up.
    /^[0-9]{1,3}(?:\.[0-9]{1,3}){2,3}$/.test(word)
      ? { ok: true, value: word as unknown as NamedRecord }
      : records.read(word),
};

/** A record with an optional object, because several objects can hold the same pattern. */
export const recordWithin = { object: { ...object, narrows: true }, record } as const;

export interface HeldRecord {
  readonly record: AclRecord;
  readonly object: AclObject;
}

async function allRecords(appliance: AskedAppliance): Promise<readonly HeldRecord[]> {
  const objects = await listedIn(aclObjects, appliance, (one) => one);
  const held = await Promise.all(
    objects.map(async (one) => {
      const { all, lack } = await recordsOf(appliance, one);
      return { those: all.map((item) => ({ record: item, object: one })), lack };
    }),
  );
  const lack = lackIn(objects) ?? held.find((one) => one.lack !== undefined)?.lack;
  return lacking(
    held.flatMap(({ those }) => those),
    lack,
  );
}

/** The records of one object. Uses the list of objects if that includes them. */
export async function recordsOf(
  appliance: AskedAppliance,
  { id, items }: Pick<AclObject, 'id' | 'items'>,
): Promise<Look<AclRecord>> {
  return items !== undefined
    ? lookIn('records of the object', items, (record) => record.id)
    : listedRecords({ id }).look(appliance);
}

export const listedRecords = ({ id }: Pick<Named, 'id'>): Listing<AclRecord> =>
  listing<AclRecord>({
    things: 'records of the object',
    read: ({ acl }) => acl.listRecords({ objectId: id }),
    keyOf: (record) => record.id,
    isUp: isListed([{ id }]),
    isBesideThat: true,
  });

/** With its own state, as things that can be enabled have it. */
export type StatedRecord = HeldRecord & Pick<AclRecord, 'enabled'>;

export const recordsIn = (...owners: readonly Pick<Named, 'id'>[]): Listing<StatedRecord> =>
  listing<StatedRecord>({
    things: owners.length === 1 ? 'records of the object' : 'records of the objects',
    read: async (appliance) => {
      const objects = await aclObjects.see(appliance, (all) =>
        owners.some(({ id }) => !all.some((one) => one.id === id)),
      );
      const parts = await Promise.all(
        owners.map(async ({ id }) => {
          const object = objects.find((one) => one.id === id);
          if (object === undefined) return { held: [], isTold: false };
          const { items = [] } = object;
          // A null in the list of objects may mean none, so an empty list is read again from the object.
          const records = items.length > 0 ? items : await appliance.acl.listRecords({ objectId: id });
          const held = records.map(
            (record): StatedRecord => ({
              record,
              object,
              ...(record.enabled !== undefined && { enabled: record.enabled }),
            }),
          );
          const { namesMore = false, isWritten = true } = extentOf(records) ?? {};
          return { held, isTold: isWritten && !namesMore };
        }),
      );
      const isTold = parts.every((part) => part.isTold);
      const held = parts.flatMap((part) => part.held);
      return withExtent(held, {
        operation: 'acl.listRecords',
        isWritten: isTold,
        namesMore: held.length > 0 && !isTold,
      });
    },
    keyOf: ({ record: { id } }) => id,
    isUp: isListed(owners),
  });

/** Listing the owning objects shows that the appliance has loaded its data. */
const isListed =
  (owners: readonly Pick<Named, 'id'>[]) =>
  async (appliance: AskedAppliance): Promise<boolean> => {
    const { all } = await aclObjects.look(appliance);
    return owners.every(({ id }) => all.some((one) => one.id === id));
  };

/** A record of a disabled object matches nothing, even if the record itself is enabled. */
export const stateIn = (item: AclRecord, owner: AclObject | undefined): string =>
  item.enabled === true && owner?.enabled === false ? 'enabled, but its object is disabled' : stateOf(item);

/** The record's user and remarks; a dash for empty ones. */
export const pushedBy = ({ uid }: AclRecord): Text => say`${uid === undefined || uid === '' ? '–' : uid}`;
export const remarksOf = ({ description = '', other = '' }: AclRecord): Text =>
  say`${[description, other].filter((one) => one !== '').join(' · ') || '–'}`;

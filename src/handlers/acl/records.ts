import {
  type AclObject,
  type AclRecord,
  type AskedAppliance,
  extentOf,
  withExtent,
} from '../../api/index.ts';
import { type Argument, isNamed, lackIn, lacking, listed, type Named } from '../argument.ts';
import { type Listing, listedIn, listing } from '../listing.ts';
import { say, type Text } from '../reply.ts';
import { aclObjects, nameOf, object, stateOf } from './objects.ts';

/** The records of ACL objects (appliance-api.md §2.2), as commands speak of them. */

/** A record as an argument: which one it is, and where it is. */
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
      hint: `in ${nameOf({ id: owner, name })}`,
    }));
  return lacking(named, lackIn(held));
});

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
  const objects = await listedIn(aclObjects, appliance, (one) => one);
  const held = await Promise.all(
    objects.map(async (one) =>
      (await recordsOf(appliance, one)).map((item) => ({ record: item, object: one })),
    ),
  );
  return lacking(held.flat(), lackIn(objects));
}

/** The records of one object, from the list of objects where it tells them. */
export async function recordsOf(
  appliance: AskedAppliance,
  { id, items }: Pick<AclObject, 'id' | 'items'>,
): Promise<readonly AclRecord[]> {
  return items ?? appliance.acl.listRecords({ objectId: id });
}

/** The records of one object alone. */
export const listedRecords = ({ id }: Pick<Named, 'id'>): Listing<AclRecord> =>
  listing<AclRecord>({
    things: 'records of the object',
    read: ({ acl }) => acl.listRecords({ objectId: id }),
    keyOf: (record) => record.id,
    isUp: isListed([{ id }]),
  });

/** With its own state beside it, as what can be enabled has it. */
export type StatedRecord = HeldRecord & Pick<AclRecord, 'enabled'>;

/** The records that these objects hold. */
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
          // That there is none is not taken from the list of objects, where null may stand for it.
          const records = items.length > 0 ? items : await appliance.acl.listRecords({ objectId: id });
          const held = records.map(
            (record): StatedRecord => ({
              ...{ record, object },
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
        ...{ operation: 'acl.listRecords', isWritten: isTold, namesMore: held.length > 0 && !isTold },
      });
    },
    keyOf: ({ record: { id } }) => id,
    isUp: isListed(owners),
  });

/** What they are in is listed, so that the appliance has read what it keeps. */
const isListed =
  (owners: readonly Pick<Named, 'id'>[]) =>
  async (appliance: AskedAppliance): Promise<boolean> => {
    const { all } = await aclObjects.look(appliance);
    return owners.every(({ id }) => all.some((one) => one.id === id));
  };

/** A record of a disabled object matches nothing, whatever it says of itself. */
export const stateIn = (item: AclRecord, owner: AclObject | undefined): string =>
  item.enabled === true && owner?.enabled === false ? 'enabled, but its object is disabled' : stateOf(item);

/** Who pushed it, what it says beside its pattern; a dash for what is empty. */
export const pushedBy = ({ uid }: AclRecord): Text => say`${uid === undefined || uid === '' ? '–' : uid}`;
export const remarksOf = ({ description = '', other = '' }: AclRecord): Text =>
  say`${[description, other].filter((one) => one !== '').join(' · ') || '–'}`;

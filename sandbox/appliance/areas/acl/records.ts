import type { SimulatedAclObject, SimulatedAclRecord } from '../../company/acl.ts';
import { counted } from '../../counted.ts';
import { done, refused } from '../../envelope.ts';
import type { Order, Route } from '../../route.ts';
import { dateText } from '../../times.ts';
import { heldRecord, item, items, ofAnObject } from './order.ts';

const prefix = '/proxy/acls/record';

/** Records: listed, found, added and deleted. */
export const records: readonly Route[] = [
  // "JSON of all records" is all the document says of the next two answers.
  ofAnObject('GET', `${prefix}/list/{objectId}`, (object) => ({
    Status: true,
    Error: '',
    Items: items(object),
  })),
  {
    method: 'GET',
    path: `${prefix}/find/{pattern}`,
    answer({ state, slots }) {
      const keyword = slots.get('pattern').trim().toLowerCase();
      // An empty keyword would match everything.
      if (keyword === '') return refused('A search needs a keyword');
      const found = [...state.acl.objects.values()].flatMap((object) =>
        [...object.records.values()]
          .filter((record) => isFound(record, keyword))
          .map((record) => item(record, object.id)),
      );
      return { ...done(`${counted(found.length, 'record')} found`), Items: found };
    },
  },

  // Every comma begins another record here, so a pattern with a comma is torn apart.
  ofAnObject('GET', `${prefix}/add/{objectId}/{records}`, (object, order) =>
    add(order.slots.get('records').split(','), { uid: 'webapi', description: '' }, object, order),
  ),
  ofAnObject('PUT', `${prefix}/add/{objectId}`, (object, order) => {
    const field = (name: string) => (order.form.get(name) ?? '').trim();
    return add([field('pattern')], { uid: field('uid'), description: field('description') }, object, order);
  }),

  {
    method: 'GET',
    path: `${prefix}/delete/{itemId}`,
    answer(order) {
      const held = heldRecord(order);
      // Only enable and disable take an unknown ID for granted (§4.1 rule 2).
      if (held === undefined) return refused(`No record has the ID ${order.slots.get('itemId')}`);
      held.object.records.delete(held.record.id);
      return done(`Record ${held.record.id} of ${held.object.name} is deleted`);
    },
  },
];

/** In any part of the description, the user and the pattern; no wildcards are needed (§4.1). */
function isFound({ description, uid, pattern }: SimulatedAclRecord, keyword: string): boolean {
  return [description, uid, pattern].some((text) => text.toLowerCase().includes(keyword));
}

/** Adds what the object does not have yet, as an object has a pattern once. */
function add(
  texts: readonly string[],
  pushed: Pick<SimulatedAclRecord, 'uid' | 'description'>,
  object: SimulatedAclObject,
  { state, now }: Order,
) {
  const patterns = texts.map((text) => text.trim()).filter((text) => text !== '');
  if (patterns.length === 0) return refused('A record needs a pattern');
  const known = new Set([...object.records.values()].map(({ pattern }) => pattern));
  const fresh = new Set(patterns.filter((pattern) => !known.has(pattern)));
  for (const pattern of fresh) {
    state.acl.lastRecordId += 1;
    const id = state.acl.lastRecordId;
    object.records.set(id, { id, pattern, date: dateText(now), other: '', ...pushed, enabled: true });
  }
  return done(`${fresh.size} of ${counted(patterns.length, 'record')} added to ${object.name}`);
}

import type { SimulatedAclObject, SimulatedAclRecord } from '../../company/acl.ts';
import { refused } from '../../envelope.ts';
import { idOf, withId } from '../../ids.ts';
import type { Order, Route } from '../../route.ts';

/** An operation on the object of the slot `objectId`. */
export function ofAnObject(
  method: Route['method'],
  path: string,
  answer: (object: SimulatedAclObject, order: Order) => object,
): Route {
  return {
    method,
    path,
    answer(order) {
      const id = order.slots.get('objectId');
      const object = withId(order.state.acl.objects, id);
      return object === undefined ? refused(`No object has the ID ${id}`) : answer(object, order);
    },
  };
}

/** The record of the slot `itemId`, which is a number of its own and not the object's, with the object that holds it. */
export function heldRecord({ state, slots }: Order) {
  const id = idOf(slots.get('itemId'));
  if (id === undefined) return undefined;
  for (const object of state.acl.objects.values()) {
    const record = object.records.get(id);
    if (record !== undefined) return { object, record };
  }
  return undefined;
}

/** A record as it is answered (§2.2), without its description. */
export function item({ id, pattern, date, uid, other, enabled }: SimulatedAclRecord, gpid: number) {
  return { id, pattern, date, uid, other, gpid, enabled: enabled ? 1 : 0 };
}

export function items({ id, records }: SimulatedAclObject) {
  return [...records.values()].map((record) => item(record, id));
}

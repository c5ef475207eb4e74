import { idOf } from '../../ids.ts';
import type { Order, Route } from '../../route.ts';
import { heldRecord } from './order.ts';

/** Records, enabled and disabled: the one answer of this area besides the list of objects that is documented. */
export const recordSwitches: readonly Route[] = [
  {
    method: 'GET',
    path: '/proxy/acls/record/disable/{itemId}',
    answer: (order) => turn(false, order),
  },
  {
    method: 'GET',
    path: '/proxy/acls/record/enable/{itemId}',
    answer: (order) => turn(true, order),
  },
];

/** The document quotes no more of it than a syntax error near `zdate` (appliance-api.md §4.1 rule 3). */
const zdate = "You have an error in your SQL syntax near 'zdate' at line 1";

function turn(enabled: boolean, order: Order) {
  const { acl, directory } = order.state;
  const answer = { Status: true, Info: 'Success', Error: '', Version: directory.version.text };
  // For every ITEM ID, and the record stays as it was.
  if (acl.build === 'zdate') return { ...answer, Status: false, Info: zdate };
  const itemId = order.slots.get('itemId');
  if (idOf(itemId) === undefined)
    return { ...answer, Status: false, Info: '', Error: `${itemId} is not a record ID` };
  // The answer to an unknown ID is the same as that to a known one (§4.1 rule 2).
  const held = heldRecord(order);
  if (held !== undefined) held.record.enabled = enabled;
  return answer;
}

import type { AclObject, AclRecord } from '../../api/index.ts';
import { nameOrNumber } from '../argument.ts';
import { type Part, say } from '../reply.ts';
import { rulesOf, stateOf } from './objects.ts';
import { pushedBy, remarksOf, stateIn } from './records.ts';

/** One object a row. No part if there are none. */
export function objectsTable(objects: readonly AclObject[]): readonly Part[] {
  if (objects.length === 0) return [];
  return [
    {
      kind: 'table',
      columns: ['Object', 'Name', 'Type', 'State', 'Records', 'Rules'],
      rows: objects.map((one) => [
        say`${one.id}`,
        say`${nameOrNumber(one)}`,
        say`${one.type ?? 'not reported'}`,
        say`${stateOf(one)}`,
        say`${one.items?.length ?? 'not reported'}`,
        rulesOf(one),
      ]),
    },
  ];
}

/**
 * One record a row, with its object if there are several. Dates are the appliance's own, in an unknown time
 * zone (appliance-api.md §2.2). No part if there are none.
 */
export function recordsTable(
  records: readonly AclRecord[],
  ownerOf: (record: AclRecord) => AclObject | undefined,
  of: 'one object' | 'several objects',
): readonly Part[] {
  if (records.length === 0) return [];
  const several = of === 'several objects';
  return [
    {
      kind: 'table',
      columns: [
        'Record',
        'Pattern',
        ...(several ? ['Object'] : []),
        'State',
        'Added by',
        'Date (appliance time)',
        'Remarks',
      ],
      rows: records.map((item) => {
        const owner = ownerOf(item);
        return [
          say`${item.id}`,
          say`${item.pattern}`,
          ...(several ? [say`${owner === undefined ? 'not reported' : nameOrNumber(owner)}`] : []),
          say`${stateIn(item, owner)}`,
          pushedBy(item),
          say`${item.date ?? 'not reported'}`,
          remarksOf(item),
        ];
      }),
    },
  ];
}

import { type Part, say, type Text } from '../reply.ts';
import { bytes } from '../wording/quantities.ts';
import { nameOf, stateOf, type VlanInterface } from './interfaces.ts';

/** VLAN interfaces, one a line. What the appliance does not report of any of them has no column. */
export function interfacesTable(all: readonly VlanInterface[]): Part {
  const columns = known.filter(({ isTold }) => all.some(isTold));
  return {
    kind: 'table',
    columns: columns.map(({ name }) => name),
    rows: all.map((one) => columns.map(({ value }) => value(one))),
  };
}

interface Column {
  readonly name: string;
  readonly isTold: (one: VlanInterface) => boolean;
  readonly value: (one: VlanInterface) => Text;
}

const known: readonly Column[] = [
  { name: 'ID', isTold: () => true, value: ({ id }) => say`${id}` },
  { name: 'Name', isTold: ({ name }) => name !== '', value: (one) => say`${nameOf(one)}` },
  { name: 'State', isTold: () => true, value: (one) => say`${stateOf(one)}` },
  optional('Description', ({ description }) => description),
  optional('Tag', ({ tag }) => tag),
  optional('Address', ({ address }) => address),
  optional('Received', ({ received }) => received, bytes),
  optional('Sent', ({ sent }) => sent, bytes),
];

function optional<Value extends string | number>(
  name: string,
  read: (one: VlanInterface) => Value | undefined,
  shown: (value: Value) => string = String,
): Column {
  return {
    name,
    isTold: (one) => read(one) !== undefined,
    value: (one) => {
      const value = read(one);
      return say`${value === undefined ? 'not reported' : shown(value)}`;
    },
  };
}

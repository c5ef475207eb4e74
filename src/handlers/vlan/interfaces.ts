import {
  type AskedAppliance,
  extentOf,
  type IdentifiedEntry,
  type UnnamedFields,
  withExtent,
} from '../../api/index.ts';
import { type Named, named, nameOrNumber } from '../argument.ts';
import { listedIn, listing } from '../listing.ts';
import { code, type Field, say, strong, type Text } from '../reply.ts';
import type { Fingerprint } from '../results.ts';
import type { ReadResult } from '../wording/answer.ts';
import { bytes } from '../wording/quantities.ts';
import { amountUnder, reportedUnder } from '../wording/reported.ts';

/**
 * VLAN interfaces (appliance-api.md §4.8). Only their ID is documented (§2.14). Other fields are found under
 * likely names, and missing ones are "not reported".
 */
export interface VlanInterface {
  readonly id: number;
  readonly name: string;
  /** Undefined if not reported, or not clearly. */
  readonly up: boolean | undefined;
  /** False if it is unlinked, while its definition stays in the list. Undefined if not reported. */
  readonly enabled: boolean | undefined;
  /** The VLAN number, which is not the ID. */
  readonly tag: string | undefined;
  readonly address: string | undefined;
  readonly description: string | undefined;
  /** A problem in the appliance's words, such as "Link not found"; undefined without one. Hostile text. */
  readonly trouble: string | undefined;
  /** Bytes since the interface was made. */
  readonly received: number | undefined;
  readonly sent: number | undefined;
  /** Every field; nested ones as `outer.inner`. */
  readonly fields: UnnamedFields;
}

export const interfaces = listing<VlanInterface>({
  things: 'VLAN interfaces',
  read: async ({ vlan }) => {
    const all = await vlan.list();
    return withExtent(all.map(interfaceOf), extentOf(all));
  },
  keyOf: ({ id }) => id,
});

/** The words of an appliance without the VLAN feature; undefined for other answers. */
export function notInstalledIn(answer: ReadResult<unknown>): string | undefined {
  if (answer.answered || answer.failure.code !== 'not_served') return undefined;
  return answer.failure.obstacle === 'feature_off' ? answer.failure.reason : undefined;
}

export const findInterface = async (
  appliance: AskedAppliance,
  { id }: Pick<Named, 'id'>,
): Promise<VlanInterface | undefined> => (await interfaces.seek(appliance, (one) => one.id === id)).found;

/** A VLAN interface, by its ID or its name. */
export const vlanInterface = named('a VLAN interface', '3', (appliance) =>
  listedIn(interfaces, appliance, ({ id, name, description, ...one }) => ({
    id,
    name,
    hint: [description, wordFor(one)].filter((word) => word !== undefined).join(', '),
  })),
);

export const gone = (appliance: string, { id, name }: Named): Text =>
  say`VLAN interface ${id}${name === '' ? '' : ` (${name})`} no longer exists on ${strong(appliance)}. ${code('/appliance vlan list')} lists all interfaces.`;

export const calledBy = (one: Named & { readonly description?: string | undefined }): string =>
  one.description === undefined || one.description === one.name
    ? nameOrNumber(one)
    : `${nameOrNumber(one)} (${one.description})`;

/** The name of a typed interface, after its preview. */
export const shownAs = (one: Named, { description }: Fingerprint): string =>
  calledBy({ ...one, description: typeof description === 'string' ? description : undefined });

type State = Pick<VlanInterface, 'up' | 'enabled' | 'trouble'>;

export const stateOf = (one: State): string => wordFor(one) ?? 'not reported';

/** The preview of one interface. Traffic changes while somebody reads it, so it is not in the fingerprint. */
export function describe(one: VlanInterface): readonly Field[] {
  return [
    { name: 'Interface', value: say`${nameOrNumber(one)}, ID ${one.id}` },
    ...(one.tag === undefined ? [] : [{ name: 'VLAN tag', value: say`${one.tag}` }]),
    ...(one.description === undefined ? [] : [{ name: 'Description', value: say`${one.description}` }]),
    ...(one.address === undefined ? [] : [{ name: 'Address', value: say`${one.address}` }]),
    { name: 'State', value: say`${stateOf(one)}` },
    { name: 'Traffic', value: say`${trafficOf(one)}` },
  ];
}

export const fingerprintOf = ({
  id,
  name,
  description,
  up,
  enabled,
  tag,
  address,
}: VlanInterface): Fingerprint => ({
  id,
  name,
  up: up ?? null,
  enabled: enabled ?? null,
  tag: tag ?? null,
  address: address ?? null,
  description: description ?? null,
});

/** Fields of the fingerprint that starting and stopping leave unchanged. */
export const described: readonly string[] = ['tag', 'address', 'description'];

/** Stopping an interface may cut off the person who does it. */
export const whoIsCut: Field = {
  name: 'Impact',
  value: say`this network loses connectivity, and possibly Appliance Bot does too`,
};

function trafficOf({ received, sent }: VlanInterface): string {
  if (received === undefined && sent === undefined) return 'not reported';
  return `${bytes(received ?? 0)} received, ${bytes(sent ?? 0)} sent`;
}

function interfaceOf({ id, name = '', fields: told }: IdentifiedEntry): VlanInterface {
  const fields = flat(told);
  const one = reportedUnder(fields, 'description', 'comment', 'label');
  return {
    id,
    name,
    // An inactive interface may be down and still linked.
    enabled: isUp(reportedUnder(fields, 'enabled', 'isenabled')),
    up: isUp(
      reportedUnder(
        fields,
        ...['state', 'status', 'operstate', 'linkstate', 'up', 'isup', 'linkup', 'running', 'isrunning'],
      ),
    ),
    tag: reportedUnder(fields, 'tag', 'vlantag', 'vlanid', 'vid'),
    address: reportedUnder(
      fields,
      ...['address', 'ipaddress', 'ipaddr', 'ip', 'ipv4', 'currentips', 'addresses', 'ipaddresses', 'ips'],
    ),
    trouble: troubleIn(fields),
    description: one === name ? undefined : one,
    received: amountUnder(fields, 'bytes', ['rxbytes', 'receivedbytes', 'bytesreceived', 'bytesin', 'rx']),
    sent: amountUnder(fields, 'bytes', ['txbytes', 'sentbytes', 'bytessent', 'bytesout', 'tx']),
    fields,
  };
}

/** The vendor's console reads `isError`, and the words beside it (field notes). */
function troubleIn(fields: UnnamedFields): string | undefined {
  const words = reportedUnder(fields, 'error', 'errormessage', 'errortext');
  const isError = isUp(reportedUnder(fields, 'iserror', 'haserror'));
  if (isError === false || (words !== undefined && isUp(words) === false)) return undefined;
  return words !== undefined && isUp(words) === undefined ? words : isError ? 'reports an error' : undefined;
}

/** An interface that is disabled and still up is shown as up, because people must know. */
const wordFor = ({ up, enabled, trouble }: State): string | undefined => {
  const word =
    enabled === false && up !== true ? 'disabled' : up === undefined ? undefined : up ? 'up' : 'down';
  return trouble === undefined ? word : word === undefined ? trouble : `${word} (${trouble})`;
};

function isUp(written: string | undefined): boolean | undefined {
  if (written === undefined) return undefined;
  if (/^(?:1|true|yes|up|on|running|active|started|configured)$/i.test(written)) return true;
  return /^(?:0|false|no|down|off|stopped|inactive)$/i.test(written) ? false : undefined;
}

/** A nested record arrives as JSON; its fields join the others. A list of texts is written as people would. */
function flat(fields: UnnamedFields): UnnamedFields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): readonly (readonly [string, string])[] => {
      const inner = nestedIn(value);
      if (Array.isArray(inner)) {
        return [[name, inner.every((one) => typeof one === 'string') ? inner.join(', ') : value]];
      }
      return inner === undefined
        ? [[name, value]]
        : Object.entries(inner).map(([key, said]) => [
            `${name}.${key}`,
            typeof said === 'object' ? JSON.stringify(said) : String(said),
          ]);
    }),
  );
}

function nestedIn(value: string): object | undefined {
  if (!/^[{[]/.test(value)) return undefined;
  try {
    // JSON that begins so is an object or a list.
    return JSON.parse(value) as object;
  } catch {
    return undefined;
  }
}

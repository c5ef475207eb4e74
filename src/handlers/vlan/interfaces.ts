import {
  type AskedAppliance,
  extentOf,
  type IdentifiedEntry,
  type UnnamedFields,
  withExtent,
} from '../../api/index.ts';
import { type Named, named } from '../argument.ts';
import { listedIn, listing } from '../listing.ts';
import { code, type Field, say, strong, type Text } from '../reply.ts';
import type { Fingerprint } from '../results.ts';
import type { ReadResult } from '../wording/answer.ts';
import { bytes } from '../wording/quantities.ts';
import { amountUnder, reportedUnder } from '../wording/reported.ts';

/**
 * VLAN interfaces (appliance-api.md §4.8). Of their fields the document names the ID alone (§2.14), so everything else is
 * looked for under likely names, and what is not found is "not reported".
 */
export interface VlanInterface {
  readonly id: number;
  readonly name: string;
  /** Undefined when the appliance does not say, or not so that it is certain. */
  readonly up: boolean | undefined;
  /** False where it is unlinked: its definition stays in the list. Undefined when the appliance does not say. */
  readonly enabled: boolean | undefined;
  /** The VLAN's own number, which is not the ID. */
  readonly tag: string | undefined;
  readonly address: string | undefined;
  readonly description: string | undefined;
  /** What is wrong with it, in the words of the appliance, such as "Link not found"; undefined where nothing is. Hostile text. */
  readonly trouble: string | undefined;
  /** Bytes since the interface was made. */
  readonly received: number | undefined;
  readonly sent: number | undefined;
  /** Everything, with what is nested under `outer.inner`. */
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

/** The words of an appliance on which the VLAN feature is not installed; undefined where that is not what it says. */
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

/** "eth1.31", or its ID where the appliance tells no name. */
export const nameOf = ({ id, name }: Named): string => (name === '' ? `number ${id}` : name);

/** "eth1.31 (Finance and personnel)" */
export const calledBy = (one: Named & { readonly description?: string | undefined }): string =>
  one.description === undefined || one.description === one.name
    ? nameOf(one)
    : `${nameOf(one)} (${one.description})`;

/** The same of what was named in a line, once it was shown. */
export const shownAs = (one: Named, { description }: Fingerprint): string =>
  calledBy({ ...one, description: typeof description === 'string' ? description : undefined });

type State = Pick<VlanInterface, 'up' | 'enabled' | 'trouble'>;

export const stateOf = (one: State): string => wordFor(one) ?? 'not reported';

/** What a preview shows of one interface. The traffic goes on while somebody reads it, so it is not part of the fingerprint. */
export function describe(one: VlanInterface): readonly Field[] {
  return [
    { name: 'Interface', value: say`${nameOf(one)}, ID ${one.id}` },
    ...(one.tag === undefined ? [] : [{ name: 'VLAN tag', value: say`${one.tag}` }]),
    ...(one.description === undefined ? [] : [{ name: 'Description', value: say`${one.description}` }]),
    ...(one.address === undefined ? [] : [{ name: 'Address', value: say`${one.address}` }]),
    { name: 'State', value: say`${stateOf(one)}` },
    { name: 'Traffic', value: say`${trafficOf(one)}` },
  ];
}

/** The same interface, in the same state. */
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

/** What of that starting and stopping it does not touch. */
export const described: readonly string[] = ['tag', 'address', 'description'];

/** Whoever stops an interface may be cutting their own branch. */
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
    // What is only not active may be down, and linked.
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

/** The vendor's console reads `isError`, and beside it the words (field notes). */
function troubleIn(fields: UnnamedFields): string | undefined {
  const words = reportedUnder(fields, 'error', 'errormessage', 'errortext');
  const isError = isUp(reportedUnder(fields, 'iserror', 'haserror'));
  if (isError === false || (words !== undefined && isUp(words) === false)) return undefined;
  return words !== undefined && isUp(words) === undefined ? words : isError ? 'reports an error' : undefined;
}

/** What is disabled and up all the same is told as up: that is what people must know. */
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

/** A record inside of a record comes as JSON; its fields are put beside the others. A list of texts is told as people write one. */
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
    // What begins like that and is JSON is an object or a list.
    return JSON.parse(value) as object;
  } catch {
    return undefined;
  }
}

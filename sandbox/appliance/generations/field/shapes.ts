import { isRecord } from '../../read-fault.ts';
import { Sent } from '../../sent.ts';
import type { AreaName } from '../../services.ts';
import { printed } from './printed.ts';

/** The ways of the program that answers an area: they are not the same from one to the other, nor those of the document. */
interface Shape {
  /** The envelope is `status` and `info`, also where the document shows `Status`, `Error` and `Info`. */
  readonly lowerCase?: true;
  /** Numbers come as text. */
  readonly numbers?: true;
  /** Booleans come as `"True"` and `"False"`, the envelope's too. */
  readonly booleans?: true;
  /** A list without entries comes as null. */
  readonly nulls?: true;
  /** A list comes as an object keyed by number. */
  readonly keyed?: true;
}

const shapes: Readonly<Record<AreaName, Shape>> = {
  acl: { numbers: true, nulls: true },
  ssl: { numbers: true, keyed: true },
  categories: { lowerCase: true, numbers: true, nulls: true },
  analysis: { numbers: true, booleans: true, nulls: true },
  sqldb: { nulls: true },
  rdp: { numbers: true, nulls: true },
  software: { numbers: true, booleans: true, nulls: true },
  vlan: { lowerCase: true, nulls: true },
  authdns: { lowerCase: true, numbers: true, nulls: true },
  ftpd: { nulls: true },
  resolver: { lowerCase: true, numbers: true },
  directory: { numbers: true, nulls: true },
  mirror: {},
  mirrorConsole: {},
};

/** These are put together by a program of its own, with the types of the vendor's client. */
const asTheyAre: ReadonlySet<string> = new Set([
  '- /appliance_version',
  '- /system/network/interfaces',
  '- /status',
]);

/** Their bodies are made with a print function. */
const printedOnes: ReadonlySet<string> = new Set([
  'GET /ftpd/events/{search}/{max}',
  '- /sqldb/service/processes',
]);

/** Every body ends with a line feed. */
export function sendIn(area: AreaName | undefined, operation: string, documented: unknown): Sent {
  const shape = area === undefined || asTheyAre.has(operation) ? {} : shapes[area];
  const reply = shaped(shape.lowerCase ? inLowerCase(documented) : documented, shape);
  const text = JSON.stringify(reply);
  return new Sent({ reply }, `${printedOnes.has(operation) ? printed(text) : text}\n`);
}

/** The reason of a refusal stands in `info`, too. */
function inLowerCase(reply: unknown): unknown {
  if (!isRecord(reply) || !('Status' in reply)) return reply;
  const { Status, Info = '', Error: error = '', ...more } = reply;
  return { status: Status, info: Info || error, ...more };
}

function shaped(value: unknown, shape: Shape): unknown {
  if (typeof value === 'number') return shape.numbers ? String(value) : value;
  if (typeof value === 'boolean') return shape.booleans ? (value ? 'True' : 'False') : value;
  if (Array.isArray(value)) {
    if (value.length === 0 && shape.nulls) return null;
    const all = value.map((one) => shaped(one, shape));
    return shape.keyed ? { ...all } : all;
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shaped(one, shape)]));
}

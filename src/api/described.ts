import { z } from 'zod';
import type { Combined } from './combined/combined.ts';
import * as combinedAreas from './combined/index.ts';
import type { Effect, Endpoint } from './endpoint.ts';
import type * as areas from './endpoints/index.ts';
import { type OperationName, operations } from './operations.ts';
import { type ArgumentSchemas, isSecret } from './wire/body.ts';

/** Headings of the areas, in the order of the document. */
export const areaTitles: Readonly<Record<keyof typeof areas, string>> = {
  acl: 'Proxy ACL objects and records',
  ssl: 'SSL inspection',
  categories: 'Categories and filtering rules',
  analysis: 'Website analysis',
  sqldb: 'SQL database server',
  rdp: 'Remote-desktop gateway',
  software: 'Software collection',
  vlan: 'VLAN interfaces',
  authdns: 'Authoritative DNS server',
  ftpd: 'FTP server',
  resolver: 'Resolver configuration',
  directory: 'Directory authentication and proxy maintenance',
  mirror: 'Mirror synchronization',
};

/** The source for pages, types and command lines: every operation and combined call with its declaration. */

export interface DescribedOperation {
  readonly area: string;
  readonly name: OperationName;
  /** `-` if the document shows none. */
  readonly method: string;
  readonly endpoint: Endpoint;
}

export function describedOperations(): readonly DescribedOperation[] {
  const order = Object.keys(areaTitles);
  return [...operations]
    .map(([name, endpoint]) => ({
      area: name.split('.')[0] ?? '',
      name,
      method: endpoint.methodShown ? endpoint.method : '-',
      endpoint,
    }))
    .toSorted((one, other) => order.indexOf(one.area) - order.indexOf(other.area));
}

export interface DescribedCombined {
  readonly area: string;
  /** Such as "acl.addRecords". */
  readonly name: string;
  readonly summary: string;
  readonly effect: Effect;
  readonly takes: ArgumentSchemas;
}

export function describedCombined(): readonly DescribedCombined[] {
  return Object.entries(combinedAreas).flatMap(([area, calls]) =>
    Object.entries(calls).map(([own, declaration]: [string, Combined<never, unknown, Effect>]) => {
      const { summary, effect, takes } = declaration;
      return { area, name: `${area}.${own}`, summary, effect, takes };
    }),
  );
}

export interface DescribedArgument {
  readonly name: string;
  readonly optional: boolean;
  /** As in TypeScript. */
  readonly type: string;
  readonly description: string | undefined;
  /** A password and the like, which nobody may read. */
  readonly isSecret: boolean;
}

/** The arguments of a call, in the order of the declaration; for an upload, with its file. */
export function argumentsOf({ slots, query, body }: Endpoint): readonly DescribedArgument[] {
  const sent = body === undefined || body.encoding === 'multipart' ? {} : body.fields;
  const described = argumentsIn({ ...slots, ...query, ...sent });
  if (body?.encoding !== 'multipart') return described;
  return [
    ...described,
    { name: 'file', optional: false, type: 'UploadContent', description: body.description, isSecret: false },
    {
      name: 'onProgress',
      optional: true,
      type: '(progress: UploadProgress) => void',
      description: 'Receives the progress of the upload.',
      isSecret: false,
    },
  ];
}

export function argumentsIn(schemas: ArgumentSchemas): readonly DescribedArgument[] {
  return Object.entries(schemas).map(([name, schema]) => ({
    name,
    optional: schema.safeParse(undefined).success,
    type: typeOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
    description: schema.description,
    isSecret: isSecret(schema),
  }));
}

function typeOf(schema: z.core.JSONSchema.BaseSchema): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const either = schema.anyOf ?? schema.oneOf;
  if (either)
    return [...new Set(either.map((one) => (typeof one === 'boolean' ? 'unknown' : typeOf(one))))].join(
      ' | ',
    );
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      const { items } = schema;
      return typeof items === 'object' && !Array.isArray(items) ? `${typeOf(items)}[]` : 'unknown[]';
    }
    case 'object':
      return 'Record<string, string>';
    case 'string':
    case 'boolean':
      return schema.type;
    default:
      return 'unknown';
  }
}

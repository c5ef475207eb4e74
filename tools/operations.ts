import { z } from 'zod';
import { type Endpoint, type OperationName, operations } from '../src/api/index.ts';
import { areaTitles } from './areas.ts';

/** What the pages about the API are made from: every operation with what its declaration says. */

export interface DescribedOperation {
  readonly area: string;
  readonly name: OperationName;
  /** `-` where the document shows none. */
  readonly method: string;
  readonly endpoint: Endpoint;
}

/** In the order of the document's areas. */
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

export interface DescribedArgument {
  readonly name: string;
  readonly optional: boolean;
  /** As in TypeScript. */
  readonly type: string;
  readonly description: string | undefined;
}

/** The arguments of a call, in the order of the declaration; for an upload, with its file. */
export function argumentsOf({ slots, query, body }: Endpoint): readonly DescribedArgument[] {
  const sent = body === undefined || body.encoding === 'multipart' ? {} : body.fields;
  const described = Object.entries({ ...slots, ...query, ...sent }).map(([name, schema]) => ({
    name,
    optional: schema.safeParse(undefined).success,
    type: typeOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
    description: schema.description,
  }));
  if (body?.encoding !== 'multipart') return described;
  return [
    ...described,
    { name: 'file', optional: false, type: 'UploadContent', description: body.description },
    {
      name: 'onProgress',
      optional: true,
      type: '(progress: UploadProgress) => void',
      description: 'Receives the progress of the upload.',
    },
  ];
}

/** A JSON schema, written as a type. */
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

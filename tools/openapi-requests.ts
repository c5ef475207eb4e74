import { z } from 'zod';
import type { Endpoint } from '../src/api/index.ts';
import type { JsonSchema } from '../src/api/reading/shape.ts';
import { type FieldsBody, isSecret, otherFields } from '../src/api/wire/body.ts';

/** A request's parameters in OpenAPI. */

export function parametersOf(
  schemas: Readonly<Record<string, z.ZodType>>,
  place: 'path' | 'query',
): object[] {
  return Object.entries(schemas).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || !schema.safeParse(undefined).success,
    ...describedBy(schema.description, separatedBy(schema)),
    schema: wireOf(schema),
  }));
}

export function bodyOf({ body }: Endpoint, referring: (schema: JsonSchema) => JsonSchema): object {
  if (body === undefined) return {};
  if (body.encoding === 'multipart') {
    const { field, description } = body;
    const file = { type: 'string', contentMediaType: 'application/octet-stream', description };
    const schema = { type: 'object', required: [field], properties: { [field]: file } };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  const type = body.encoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  return { requestBody: { required: true, content: { [type]: { schema: referring(fieldsOf(body)) } } } };
}

function fieldsOf({ encoding, title, description, fields, names }: FieldsBody): JsonSchema {
  const named = Object.entries(fields).filter(([name]) => name !== otherFields);
  const required = named.flatMap(([name, schema]) =>
    schema.safeParse(undefined).success ? [] : [names[name] ?? name],
  );
  const others = fields[otherFields];
  return {
    title,
    description: encoding === 'form' ? description : `${description} All values are text (§4.6).`,
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    ...(named.length === 0
      ? {}
      : {
          properties: Object.fromEntries(named.map(([name, field]) => [names[name] ?? name, fieldOf(field)])),
        }),
    ...(others && { additionalProperties: { type: 'string', ...describedBy(others.description) } }),
  };
}

/** The form of a value on the wire: whole numbers, or text. */
function wireOf(schema: z.ZodType): JsonSchema {
  if (isSecret(schema)) return { type: 'string', format: 'password' };
  const told = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  const { enum: words, default: usual, minimum, maximum } = told;
  return {
    type: told.type === 'integer' ? 'integer' : 'string',
    ...(words ? { enum: words } : {}),
    // zod also tells the bounds of all whole numbers that JavaScript can hold.
    ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? { minimum } : {}),
    ...(told.exclusiveMinimum === undefined ? {} : { exclusiveMinimum: told.exclusiveMinimum }),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? { maximum } : {}),
    ...(usual === undefined ? {} : { default: usual }),
  };
}

/** In a body, numbers too go as text (§4.6). */
function fieldOf(schema: z.ZodType): JsonSchema {
  const { type, format, enum: words } = wireOf(schema);
  return {
    type: 'string',
    ...(format === undefined ? {} : { format }),
    ...(words === undefined ? {} : { enum: words }),
    ...describedBy(
      schema.description,
      type === 'integer' ? 'A whole number, written as text.' : separatedBy(schema),
    ),
  };
}

const separators: Readonly<Record<string, string>> = {
  ',': 'One or more, separated by commas.',
  '\n': 'One or more, separated by line feeds.',
};

/** How several values become one text, as the schema itself does it; undefined when it takes one only. */
function separatedBy(schema: z.ZodType): string | undefined {
  const { data } = schema.safeParse(['a', 'b']);
  if (typeof data !== 'string') return undefined;
  const separator = separators[data.slice(1, -1)];
  if (separator === undefined) throw new Error(`The pages have no word for what is between in ${data}.`);
  return separator;
}

function describedBy(...sentences: readonly (string | undefined)[]): { readonly description?: string } {
  const all = sentences.filter((one) => one !== undefined);
  return all.length === 0 ? {} : { description: all.join(' ') };
}

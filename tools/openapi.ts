import { z } from 'zod';
import type { Endpoint } from '../src/api/index.ts';
import { accepted } from '../src/api/reading/reply.ts';
import type { JsonSchema } from '../src/api/reading/shape.ts';
import { isSecret, otherFields } from '../src/api/wire/body.ts';
import { areaTitles } from './areas.ts';
import { type DescribedOperation, describedOperations } from './operations.ts';

/** docs/appliance.openapi.json: OpenAPI 3.1 of what goes over the wire, from the same declarations as the client. */
export function openApi(version: string): object {
  const described = describedOperations();
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of described) {
    const { path, method } = operation.endpoint;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Appliance management REST API',
      version,
      summary: 'What the typed client of Appliance Bot knows about the API of a filtering network appliance.',
      description:
        'Generated from the declarations of the client. Many orders are plain GET requests: go by `x-effect` and never by the method. Where `x-method-not-documented` stands, the method is a guess.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [servers.web],
    security: [{}],
    tags: Object.entries(areaTitles).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        webApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Auth-Token',
          description: 'The Web API key (§5.2).',
        },
      },
      schemas: { Envelope: envelope, Refusal: refusal },
      responses: {
        Fatal: {
          description: 'A fatal error (§7.1), as a page or as an envelope.',
          content: {
            'text/html': { schema: { type: 'string' } },
            'application/json': { schema: envelopeReference },
          },
        },
      },
    },
  };
}

const envelope: JsonSchema = {
  ...accepted.wire,
  description: 'Also with its keys in lower case (§1). Status false with HTTP 200 is a refusal (§7.2).',
};
const envelopeReference = { $ref: '#/components/schemas/Envelope' };

const no: JsonSchema = { const: false };
const refusal: JsonSchema = {
  description:
    'Status false: the order or the question could not be processed (§7.2), or nothing was found where the operation says so. What else it has is an envelope.',
  type: 'object',
  anyOf: [
    { required: ['Status'], properties: { Status: no } },
    { required: ['status'], properties: { status: no } },
  ],
};
const refusalReference = { $ref: '#/components/schemas/Refusal' };

/** The variables are called as no slot of a path is. */
const server = (address: string, addressPort: string, description: string) => ({
  url: '{scheme}://{address}:{addressPort}',
  description,
  variables: {
    scheme: { enum: ['http', 'https'], default: 'https' },
    address: { default: address },
    addressPort: { default: addressPort },
  },
});

const servers = {
  web: server('appliance.example', '9503', 'The Web API.'),
  directory: server('appliance.example', '9503', 'The directory API; its port is not documented.'),
  mirror: server('mirror.example', '9090', 'The mirror service.'),
  mirrorConsole: server('mirror.example', '8081', 'The console of the mirror service.'),
};

function operationOf({ area, name, method, endpoint }: DescribedOperation): object {
  const { service, availableFrom } = endpoint;
  const gateway = endpoint.path.startsWith('/rdpproxy/');
  return {
    operationId: name,
    tags: [area],
    summary: endpoint.summary,
    description: `appliance-api.md ${endpoint.section}.`,
    'x-effect': endpoint.effect,
    ...(availableFrom === undefined ? {} : { 'x-available-from': availableFrom }),
    ...(method === '-' ? { 'x-method-not-documented': true } : {}),
    ...(service === 'web' ? {} : { servers: [servers[service]] }),
    ...(gateway ? { security: [{}, { webApiKey: [] }] } : {}),
    parameters: [...parametersOf(endpoint.slots, 'path'), ...parametersOf(endpoint.query, 'query')],
    ...bodyOf(endpoint),
    responses: {
      200: {
        description: 'The answer; look at Status.',
        content: { 'application/json': { schema: answerOf(endpoint) } },
      },
      404: { $ref: '#/components/responses/Fatal' },
      500: { $ref: '#/components/responses/Fatal' },
    },
  };
}

/** An envelope alone says both; every other answer has a refusal beside it. */
function answerOf({ reply }: Endpoint): JsonSchema {
  return reply.wire === accepted.wire ? envelopeReference : { anyOf: [reply.wire, refusalReference] };
}

function parametersOf(schemas: Readonly<Record<string, z.ZodType>>, place: 'path' | 'query'): object[] {
  return Object.entries(schemas).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || !schema.safeParse(undefined).success,
    ...describedBy(separatedBy(schema)),
    schema: wireOf(schema),
  }));
}

/** What a value is on the wire: whole numbers, or text. */
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
    ...describedBy(type === 'integer' ? 'A whole number, written as text.' : separatedBy(schema)),
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

function describedBy(description: string | undefined): { readonly description?: string } {
  return description === undefined ? {} : { description };
}

function bodyOf({ body }: Endpoint): object {
  if (body === undefined) return {};
  if (body.encoding === 'multipart') {
    const schema = {
      type: 'object',
      required: [body.field],
      properties: { [body.field]: { type: 'string', contentMediaType: 'application/octet-stream' } },
    };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  const named = Object.entries(body.fields).filter(([name]) => name !== otherFields);
  const required = named.flatMap(([name, schema]) =>
    schema.safeParse(undefined).success ? [] : [body.names[name] ?? name],
  );
  const schema = {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(named.map(([name, field]) => [body.names[name] ?? name, fieldOf(field)])),
    ...(otherFields in body.fields ? { additionalProperties: { type: 'string' } } : {}),
  };
  const type = body.encoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  return { requestBody: { required: true, content: { [type]: { schema } } } };
}

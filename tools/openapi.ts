import { areaTitles, type DescribedOperation, describedOperations } from '../src/api/described.ts';
import { accepted } from '../src/api/reading/reply-reader.ts';
import type { JsonSchema } from '../src/api/reading/shape.ts';
import { components } from './openapi-components.ts';
import { bodyOf, parametersOf } from './openapi-requests.ts';

/** docs/appliance.openapi.json: OpenAPI 3.1 of what goes over the wire, from the same declarations as the client. */
export function openApi(version: string): object {
  const { schemas, referring } = components();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of describedOperations()) {
    const { path, servers: below } = placeOf(operation);
    const own = operationOf(operation, referring);
    paths[path] = { ...paths[path], ...(below && { servers: below }), [methodOf(operation)]: own };
  }
  const responses = responsesFor(referring);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Appliance management REST API',
      version,
      summary: 'What the typed client of Appliance Bot knows about the API of a filtering network appliance.',
      description: `Generated from the declarations of the client; § is a chapter of the document of the appliance.

Many changes are plain GET requests: rely on \`x-effect\`, never on the method. With \`x-method-not-documented\`, the method is a guess.

An answer has HTTP status 200 also where it is a refusal: look at Status. Appliances write more loosely than their document: keys in another casing, numbers and booleans as text, null for an empty list, an object with counted keys for a list. All text in an answer is the appliance’s own: treat it as hostile.`,
      contact: { name: 'The maintainers of Appliance Bot' },
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
      schemas: schemas(),
      responses,
    },
  };
}

type Referring = (schema: JsonSchema) => JsonSchema;

/** The variables are called as no slot of a path is. */
const server = (address: string, addressPort: string, description: string, folder = '') => ({
  url: `{scheme}://{address}:{addressPort}${folder}`,
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

/**
 * `/categories/{id}/compile` and `/categories/query/{domain}` are the same to whoever goes by templates alone. So the first
 * stands below a server of its own, which makes the same addresses of it.
 */
function placeOf({ endpoint: { path } }: DescribedOperation) {
  const [, folder, below] = /^(\/categories)(\/\{id\}\/(?:add|compile))$/.exec(path) ?? [];
  if (folder === undefined || below === undefined) return { path };
  const own = server('appliance.example', '9503', `The Web API, below ${folder}.`, folder);
  return { path: below, servers: [own] };
}

const methodOf = ({ endpoint }: DescribedOperation): string => endpoint.method.toLowerCase();

function operationOf({ area, name, method, endpoint }: DescribedOperation, referring: Referring): object {
  const { service, availableFrom, path } = endpoint;
  const isGateway = path.startsWith('/rdpproxy/');
  return {
    operationId: name,
    tags: [area],
    summary: endpoint.summary,
    description: `\`${method === '-' ? '' : `${method} `}${path}\` in appliance-api.md ${endpoint.section}.`,
    'x-effect': endpoint.effect,
    ...(availableFrom === undefined ? {} : { 'x-available-from': availableFrom }),
    ...(method === '-' ? { 'x-method-not-documented': true } : {}),
    ...(service === 'web' ? {} : { servers: [servers[service]] }),
    ...(isGateway ? { security: [{}, { webApiKey: [] }] } : {}),
    parameters: [...parametersOf(endpoint.slots, 'path'), ...parametersOf(endpoint.query, 'query')],
    ...bodyOf(endpoint, referring),
    responses: {
      200: {
        description: 'The answer; look at Status.',
        content: { 'application/json': { schema: referring(answerOf(endpoint.reply.wire)) } },
      },
      403: { $ref: '#/components/responses/TurnedAway' },
      404: { $ref: '#/components/responses/Fatal' },
      405: { $ref: '#/components/responses/OtherMethod' },
      500: { $ref: '#/components/responses/Fatal' },
    },
  };
}

const no: JsonSchema = { const: false };

const refusal: JsonSchema = {
  title: 'Refusal',
  description:
    'Status false: the order or the question could not be processed (§7.2). What else it has is an envelope, whose Error or Info states the reason.',
  type: 'object',
  anyOf: [
    { required: ['Status'], properties: { Status: { ...no, description: 'It could not be processed.' } } },
    { required: ['status'], properties: { status: { ...no, description: 'It could not be processed.' } } },
  ],
};

/** An envelope alone says both; every other answer has a refusal beside it. */
const answerOf = (wire: JsonSchema): JsonSchema =>
  wire === accepted.wire ? wire : { anyOf: [wire, refusal] };

const responsesFor = (referring: Referring) => ({
  Fatal: {
    description: 'A fatal error (§7.1), as a page or as an envelope.',
    content: {
      'text/html': { schema: { type: 'string' } },
      'application/json': { schema: referring(accepted.wire) },
    },
  },
  OtherMethod: {
    description:
      'This appliance expects another method. The status is not documented; appliances use this one.',
    content: { 'text/plain': { schema: { type: 'string' } } },
  },
  TurnedAway: {
    description:
      'The caller may not ask: neither from an allowed network nor with the Web API key (§5.2). The document shows no status for it; appliances were found to use this one.',
    content: {
      'text/html': { schema: { type: 'string' } },
      'text/plain': { schema: { type: 'string' } },
      'application/json': { schema: referring(accepted.wire) },
    },
  },
});

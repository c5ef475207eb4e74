import { asPage, asText, loginPage, type Sent } from '../sent.ts';
import { type AreaName, operationsByArea } from '../services.ts';
import { categories } from './field/categories.ts';
import { directory } from './field/directory.ts';

import { mirror } from './field/mirror.ts';
import { network } from './field/network.ts';
import { unlessObstructed } from './field/obstacles.ts';
import { isNewerThanEarlier } from './field/releases.ts';
import { servers } from './field/servers.ts';
import { sendIn } from './field/shapes.ts';
import { sqldb } from './field/sqldb.ts';
import { uploads } from './field/uploads.ts';
import { type Asked, couldNot, type Generation, isGateway } from './generation.ts';

const areaOf: ReadonlyMap<string, AreaName> = new Map(
  [...operationsByArea].flatMap(([area, operations]) => operations.map((one) => [one, area] as const)),
);

const send: Generation['send'] = (reply, operation) => sendIn(areaOf.get(operation), operation, reply);

/** Answers of running appliances beyond the document. */
export const field: Generation = {
  // The vendor's client uses GET where the document shows no method, and for these two, where it shows POST.
  methodOf: ({ method, path }) => (method === '-' || overGet.has(path) ? 'GET' : method),
  gate: (asked) => tooNew(asked) ?? (isGateway(asked.path) ? withoutKey(asked) : undefined),
  nowhere,
  layers: unlessObstructed(
    { ...categories, ...directory, ...uploads, ...mirror, ...network, ...servers, ...sqldb },
    operationsByArea,
  ),
  send,
};

const overGet: ReadonlySet<string> = new Set([
  '/sqldb/database/delete/{database}',
  '/sqldb/user/{username}/{host}',
]);

/** A 404 of the Web API: its engine is older than the call. */
export function tooNew({ operation, state }: Asked): Sent | undefined {
  return state.ways.release === 'earlier' && isNewerThanEarlier(operation) ? asPage(404) : undefined;
}

/** The key in either of two headers. The refusal differs with and without a key; neither is JSON by its content type. */
export function withoutKey({ headers, key }: Asked): Sent | undefined {
  const sent = headers['x-auth-token'] ?? headers['x-api-key'];
  if (key === undefined || sent === key) return undefined;
  return sent === undefined
    ? asText(403, 'Forbidden\n')
    : asText(403, `${JSON.stringify(couldNot('Authentication failed'))}\n`);
}

/** A wrong method is an error in plain text. Below a known word, an unknown command is one that is not understood. */
function nowhere({ service, path, isKnownPath }: Asked): Sent {
  if (path === '/login') return loginPage;
  if (isKnownPath) return asText(405, 'Method Not Allowed\n');
  const [, first = '', second] = path.split('/');
  if (second !== undefined && commandWords.has(first))
    return send(couldNot(`Unable to understand ${second} command`), '');
  return asPage(service === 'directory' ? 500 : 404);
}

const commandWords: ReadonlySet<string> = new Set([
  'categories',
  'sqldb',
  'rdpproxy',
  'authdns',
  'ftpd',
  'webfilter',
]);

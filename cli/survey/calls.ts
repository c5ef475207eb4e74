import {
  type ApplianceFailure,
  type ApplianceSettings,
  type Endpoint,
  isApplianceFailure,
  type OperationName,
  operations,
} from '../../src/api/index.ts';
import { isRecord } from '../../src/api/reading/envelope.ts';
import { understand } from '../../src/api/reading/understand-answer.ts';
import { checkSettings } from '../../src/api/settings.ts';
import { openTransport } from '../../src/api/wire/transport.ts';
import { prepareRequest } from '../../src/api/wire/wire-request.ts';
import { itself } from '../../src/caller.ts';

/** The result of one reading operation. */
export interface Surveyed {
  readonly operation: OperationName;
  readonly endpoint: Endpoint;
  /** `not_asked`: its arguments were not to be had. */
  readonly came:
    | { readonly kind: 'answer'; readonly text: string; readonly value: unknown }
    | {
        readonly kind: 'refused' | 'not_understood';
        readonly text: string;
        readonly failure: ApplianceFailure;
      }
    | { readonly kind: 'failure'; readonly failure: ApplianceFailure }
    | { readonly kind: 'not_asked'; readonly wants: string };
}

/** All operations that only read, those first whose answers others need. */
export const reading: readonly (readonly [OperationName, Endpoint])[] = [...operations]
  .filter(([, { effect }]) => effect === 'read')
  .sort(([, one], [, other]) => slotsOf(one).length - slotsOf(other).length);

function slotsOf({ slots, query }: Endpoint): readonly string[] {
  return [...Object.keys(slots), ...Object.keys(query).filter((name) => query[name]?.isOptional() === false)];
}

/** Arguments that come from the appliance: the first that a list returns. */
const known: Readonly<Partial<Record<OperationName, Readonly<Record<string, [OperationName, string]>>>>> = {
  'acl.listRecords': { objectId: ['acl.listObjects', 'id'] },
  'rdp.getMember': { id: ['rdp.listMembers', 'id'] },
  'rdp.getTarget': { id: ['rdp.listTargets', 'id'] },
  'rdp.getPolicy': { id: ['rdp.listPolicies', 'id'] },
  'rdp.listPatterns': { policy: ['rdp.listPolicies', 'id'] },
  'sqldb.getPrivileges': { username: ['sqldb.listUsers', 'user'], host: ['sqldb.listUsers', 'host'] },
};

/** Arguments that are harmless everywhere. */
const harmless: Readonly<Record<string, unknown>> = {
  domain: 'example.com',
  pattern: 'example',
  search: 'example',
  max: 5,
  limit: 5,
  days: 7,
};

/** Asks one operation after the other, each once, and changes nothing. */
export async function* survey(settings: ApplianceSettings): AsyncGenerator<Surveyed> {
  const { key, methods, ...checked } = checkSettings(settings);
  const transport = openTransport({ ...checked, key });
  const secrets = key === undefined ? [] : [key];
  const values = new Map<OperationName, unknown>();
  try {
    for (const [operation, endpoint] of reading) {
      const given = argumentsFor(operation, endpoint, values);
      if (typeof given === 'string') {
        yield { operation, endpoint, came: { kind: 'not_asked', wants: given } };
        continue;
      }
      let text: string | undefined;
      try {
        const { service, effect, slow, large } = endpoint;
        const method = methods.get(operation) ?? endpoint.method;
        const { path, headers, asked } = prepareRequest(operation, endpoint, method, given);
        const request = { operation, service, effect, slow, large, method, path, headers, secrets };
        const rest = {
          shownPath: path,
          body: undefined,
          signal: undefined,
          fence: undefined,
          caller: itself,
          read: (answer: string) => {
            text = answer;
            return understand(operation, endpoint, answer, asked, secrets);
          },
        };
        const answer = await transport.send({ ...request, ...rest });
        values.set(operation, answer.value);
        yield { operation, endpoint, came: { kind: 'answer', text: answer.text, value: answer.value } };
      } catch (failure) {
        if (!isApplianceFailure(failure)) throw failure;
        const came =
          text === undefined
            ? ({ kind: 'failure', failure } as const)
            : ({ kind: isRefusal(failure) ? 'refused' : 'not_understood', text, failure } as const);
        yield { operation, endpoint, came };
      }
    }
  } finally {
    await transport.close();
  }
}

const isRefusal = ({ code }: ApplianceFailure): boolean =>
  code === 'refused' || code === 'not_served' || code === 'defective_build';

/** The arguments of a call, or the name of the operation that would have returned them. */
function argumentsFor(
  operation: OperationName,
  endpoint: Endpoint,
  values: ReadonlyMap<OperationName, unknown>,
): Readonly<Record<string, unknown>> | string {
  const given: Record<string, unknown> = {};
  for (const name of [...Object.keys(endpoint.slots), ...Object.keys(endpoint.query)]) {
    const [from, field] = known[operation]?.[name] ?? [];
    if (from === undefined || field === undefined) {
      if (name in harmless) given[name] = harmless[name];
      continue;
    }
    const [first] = listIn(values.get(from));
    const found = isRecord(first) ? first[field] : undefined;
    if (found === undefined) return from;
    given[name] = found;
  }
  return given;
}

/** The list that an answer is, or that stands in it. */
function listIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? (Object.values(value).find(Array.isArray) ?? []) : [];
}

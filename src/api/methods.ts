import type { Endpoint, Method } from './endpoint.ts';
import { type OperationName, operations } from './operations.ts';

/** Which method an operation is asked for by, where that is not the one of its declaration. */
export type Methods = Readonly<Partial<Record<OperationName, Method>>>;

/**
 * Why one of the given methods cannot be sent, as the end of a sentence about the operation; undefined where it can. One
 * that the document shows can be another one, too: appliances differ from it.
 * @param name by a person, so that it may be no operation at all
 */
export function problemWithMethod(
  name: string,
  given: Readonly<Record<string, unknown>>,
): string | undefined {
  const endpoint = operations.get(name as OperationName);
  if (endpoint === undefined) return 'is not an operation (see docs/api.md)';
  const method = given[name];
  if (!['GET', 'POST', 'PUT', 'DELETE'].includes(String(method))) return 'must be GET, POST, PUT or DELETE';
  if (method === 'GET' && endpoint.body !== undefined) return 'cannot be GET, because the request has a body';
  // Appliances tell the two apart by their methods alone.
  const [same] = [...operations].find(
    ([other, { method: its, path }]) =>
      other !== name && (given[other] ?? its) === method && mayBeSame(endpoint.path, path),
  ) ?? [undefined];
  return same === undefined
    ? undefined
    : `cannot be ${String(method)}, because ${same} uses it at the same path`;
}

/** The methods that the document shows otherwise. */
export function againstDocument(
  methods: Methods,
): readonly { readonly operation: OperationName; readonly endpoint: Endpoint }[] {
  return [...operations].flatMap(([operation, endpoint]) => {
    const method = methods[operation];
    const isOther = endpoint.methodShown && method !== undefined && method !== endpoint.method;
    return isOther ? [{ operation, endpoint }] : [];
  });
}

function mayBeSame(one: string, other: string): boolean {
  const [mine, theirs] = [one.split('/'), other.split('/')];
  const isSlot = (part: string | undefined) => part?.startsWith('{') === true;
  return (
    mine.length === theirs.length &&
    mine.every((part, index) => part === theirs[index] || isSlot(part) || isSlot(theirs[index]))
  );
}

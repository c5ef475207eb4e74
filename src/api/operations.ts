import type { Endpoint, Method } from './endpoint.ts';
import * as areas from './endpoints/index.ts';

type Areas = typeof areas;

/** Every operation by the name that calls and errors use: "rdp.disconnectSession". */
export type OperationName = {
  [Area in keyof Areas]: `${Area}.${keyof Areas[Area] & string}`;
}[keyof Areas];

/** Every operation with its declaration, in the order of the areas. */
export const operations: ReadonlyMap<OperationName, Endpoint> = new Map(
  Object.entries(areas).flatMap(([area, endpoints]) =>
    // Object.entries loses the literal names; they are restored here.
    Object.entries(endpoints).map(([name, endpoint]) => [`${area}.${name}` as OperationName, endpoint]),
  ),
);

/** HTTP methods that differ from the declarations. */
export type Methods = Readonly<Partial<Record<OperationName, Method>>>;

/**
 * Why a method cannot be sent, completing a sentence about the operation; undefined if it can. Even a
 * documented method may be replaced, because appliances differ from the document.
 * @param name typed by a person, so it may be unknown
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
  // Appliances distinguish the two by their methods alone.
  const [same] = [...operations].find(
    ([other, { method: its, path }]) =>
      other !== name && (given[other] ?? its) === method && mayBeSame(endpoint.path, path),
  ) ?? [undefined];
  return same === undefined
    ? undefined
    : `cannot be ${String(method)}, because ${same} uses it at the same path`;
}

/** Methods that contradict the document. */
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

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FaultKind, OperationName, ReceivedRequest, Service } from './protocol.ts';

const kept = 10_000;
/** Characters of a body. */
const keptOfBody = 65_536;
const secret = new Set(['x-auth-token', 'x-api-key', 'authorization', 'proxy-authorization', 'cookie']);

/** A request on its way through the appliance. */
export interface Arrival {
  fault?: FaultKind;
  isDone?: boolean;
}

/** The requests, in the order of arrival, the last 10,000. Calls `changed` at each arrival and each end. */
export function openRequestLog(clock: () => Date, changed: () => void) {
  const requests: Writable<ReceivedRequest>[] = [];
  let arrived = 0;
  return {
    requests: requests as readonly ReceivedRequest[],
    /** Notes a request, and later by itself how it ended; the rest is the caller's to fill in. */
    note(
      service: Service,
      request: IncomingMessage,
      response: ServerResponse,
      operation: OperationName | undefined,
    ): Arrival {
      arrived += 1;
      const entry: Writable<ReceivedRequest> = {
        id: arrived,
        service,
        method: request.method ?? '',
        path: request.url ?? '/',
        headers: shown(request),
        at: clock(),
        ...(operation !== undefined && { operation }),
        outcome: 'waiting',
      };
      requests.push(entry);
      if (requests.length > kept) requests.shift();
      response.once('close', () => {
        entry.outcome = response.writableFinished ? 'answered' : 'broken';
        if (response.writableFinished) entry.status = response.statusCode;
        entry.endedAt = clock();
        changed();
      });
      changed();
      return entry;
    },
    /** Not enumerable, so that printing requests, or sending them as JSON, shows no password. */
    keep(entry: Arrival, body: string): void {
      if (body !== '') Object.defineProperty(entry, 'body', { value: body.slice(0, keptOfBody) });
    },
    clear(): void {
      requests.length = 0;
    },
  };
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

function shown(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      secret.has(name) ? '[hidden]' : String(value),
    ]),
  );
}

import type { ServerResponse } from 'node:http';

/**
 * How the simulated appliance misbehaves on request.
 *
 * With 'slow', 'hang', 'reset', 'empty', 'broken_json', 'html' and 'huge' the order is carried out and only its answer
 * suffers, which is the case that a careful client must survive; with `happens: false` it is not carried out either.
 * With 'status', 'refuse' and 'forget' it is never carried out.
 */
export type Fault = FaultKind & {
  /** For how many requests; without it, until it is cleared. */
  readonly times?: number;
};

type Answered = { readonly happens?: boolean };

type FaultKind =
  | ({ readonly kind: 'slow' /** Milliseconds before anything happens. */; readonly ms: number } & Answered)
  /** The connection stays open and silent. */
  | ({ readonly kind: 'hang' } & Answered)
  /** The connection breaks in the middle of the answer. */
  | ({ readonly kind: 'reset' } & Answered)
  | ({ readonly kind: 'empty' } & Answered)
  | ({ readonly kind: 'broken_json' } & Answered)
  /** A page with status 200. */
  | ({ readonly kind: 'html' } & Answered)
  /** An answer of so many bytes, 10 MB by default. */
  | ({ readonly kind: 'huge'; readonly bytes?: number } & Answered)
  /** An HTML page with this HTTP status, 500 by default. */
  | { readonly kind: 'status'; readonly status?: number }
  /** Answers success and changes nothing. */
  | { readonly kind: 'forget' }
  /** Status false with this Error text. */
  | { readonly kind: 'refuse'; readonly error?: string };

export interface Faults {
  /**
   * Sets the fault of an operation, such as `POST /rdpproxy/sessions/{id}/disconnect`.
   * @throws RangeError when the simulated appliance has no such operation: a misspelt fault would test nothing
   */
  set(operation: string, fault: Fault): void;
  /** Clears one operation's fault, or all of them. */
  clear(operation?: string): void;
}

export function openFaults(
  operations: readonly string[],
): Faults & { take(operation: string): Fault | undefined } {
  const faults = new Map<string, { readonly fault: Fault; left: number }>();
  return {
    set(operation, fault) {
      if (!operations.includes(operation))
        throw new RangeError(`The simulated appliance has no operation ${operation}.`);
      faults.set(operation, { fault, left: fault.times ?? Number.POSITIVE_INFINITY });
    },
    clear(operation) {
      if (operation === undefined) faults.clear();
      else faults.delete(operation);
    },
    take(operation) {
      const entry = faults.get(operation);
      if (entry === undefined || entry.left <= 0) return undefined;
      entry.left -= 1;
      return entry.fault;
    },
  };
}

/** Whether the order is carried out although its answer will suffer. */
export function happensUnder(fault: Fault | undefined): boolean {
  if (fault === undefined) return true;
  return 'happens' in fault ? fault.happens !== false : !['status', 'forget', 'refuse'].includes(fault.kind);
}

/** Answers as the fault says; `reply` is what would have been answered. */
export function answerBadly(fault: Fault, response: ServerResponse, reply: unknown): void {
  switch (fault.kind) {
    case 'hang':
      break;
    case 'reset':
      sendHalf(response, reply);
      break;
    case 'status':
      sendPage(response, fault.status ?? 500);
      break;
    case 'html':
      sendPage(response, 200);
      break;
    case 'empty':
      response.writeHead(200, { 'content-length': 0 }).end();
      break;
    case 'broken_json':
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply).slice(0, -1));
      break;
    case 'huge':
      sendHuge(response, fault.bytes ?? 10_000_000);
      break;
    case 'refuse':
      sendJson(response, { Status: false, Error: fault.error ?? 'operation not permitted' });
      break;
    case 'slow':
    case 'forget':
      sendJson(response, reply);
      break;
  }
}

/** Only when the first half is on its way may the connection break, or it would break before the answer. */
function sendHalf(response: ServerResponse, reply: unknown): void {
  const text = JSON.stringify(reply);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.write(text.slice(0, text.length / 2), () => response.socket?.resetAndDestroy());
}

export function sendJson(response: ServerResponse, reply: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
}

const titles: Readonly<Record<number, string>> = {
  200: 'Web console',
  403: 'Forbidden',
  404: 'Not Found',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

export function sendPage(response: ServerResponse, status: number): void {
  const title = `${status === 200 ? '' : `${status} `}${titles[status] ?? 'Error'}`;
  response
    .writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
    .end(
      `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
    );
}

/** Streamed without a length, so that a client can only notice while it reads. */
function sendHuge(response: ServerResponse, bytes: number): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"Status":true,"Info":"');
  const block = 'x'.repeat(65_536);
  let left = bytes;
  const pour = () => {
    while (left > 0 && !response.destroyed) {
      left -= block.length;
      if (!response.write(block)) {
        response.once('drain', pour);
        return;
      }
    }
    if (!response.destroyed) response.end('"}');
  };
  pour();
}

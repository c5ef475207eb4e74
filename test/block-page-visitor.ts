import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { exchange } from './raw-socket.ts';

interface PageAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/** Requests of a browser, or of an attacker, to the block page's port. Each has a connection of its own. */
export interface PageVisitor {
  readonly call: (
    method: string,
    path: string,
    body?: string,
    headers?: OutgoingHttpHeaders,
  ) => Promise<PageAnswer>;
  /** Writes these bytes, and resolves to what came back until the other end closed it, or so long. */
  readonly write: (bytes: string | Buffer, timeout?: number) => Promise<string>;
}

export function pageVisitor(port: number): PageVisitor {
  return {
    call: (method, path, body = '', headers = {}) =>
      new Promise((resolve, reject) => {
        const type = body !== '' && { 'content-type': 'application/x-www-form-urlencoded' };
        const to = { port, host: '127.0.0.1', method, path, agent: false };
        const sent = request({ ...to, headers: { ...type, ...headers } }, async (response) => {
          const pieces: Buffer[] = [];
          for await (const piece of response) pieces.push(piece);
          const text = Buffer.concat(pieces).toString();
          resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
        });
        sent.on('error', reject);
        sent.end(body);
      }),
    write: (bytes, timeout = 15_000) => exchange(port, (socket) => void socket.write(bytes), timeout),
  };
}

/** The token in the form that a page shows. */
export const formIn = (text: string): string => /name="form" value="([^"]+)"/.exec(text)?.[1] ?? '';

/** A form, filled in as a browser sends it. */
export const filledIn = (form: string, more: Readonly<Record<string, string>> = {}): string =>
  new URLSearchParams({
    ...{ form, site: 'news.example', name: 'Bob Miller', reason: 'customer call', lasts: '2h' },
    user: 'bob.miller',
    ...more,
  }).toString();

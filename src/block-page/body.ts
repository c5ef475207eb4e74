import type { IncomingMessage } from 'node:http';

/** In bytes: the longest name and reason, percent-encoded, and a token. */
const most = 8 * 1_024;

/** A form's fields; else the HTTP status that says what is wrong. @throws when the connection is gone before its end */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | number> {
  const [type = ''] = String(request.headers['content-type']).split(';', 1);
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') return 415;
  if (request.headers['content-encoding'] !== undefined) return 415;
  if (Number(request.headers['content-length']) > most) return 413;
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    length += piece.length;
    if (length > most) return 413;
    pieces.push(piece);
  }
  return new URLSearchParams(Buffer.concat(pieces).toString());
}

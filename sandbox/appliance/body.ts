import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Busboy } from '@fastify/busboy';
import { isRecord } from './read-fault.ts';
import { Fatal, type Upload } from './route.ts';

/** The body of a request, in whichever of the document's three encodings it came. */
export interface Body {
  /** As it came; '' for a file. */
  readonly text: string;
  readonly form: URLSearchParams;
  readonly json: Readonly<Record<string, unknown>>;
  readonly upload: Upload | undefined;
  /** Whether there is a body that cannot be read as a JSON object; `json` is then empty, as it is without a body. */
  readonly isNotJson: boolean;
}

/** A body has more bytes than are read. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** Bytes of an upload that are kept, and the limit of any other body. */
const kept = 1_048_576;
const most = 64 * 1_048_576;
const nothing: Body = {
  text: '',
  form: new URLSearchParams(),
  json: {},
  upload: undefined,
  isNotJson: false,
};

/**
 * Reads a body to its end; keeps only the start of an uploaded file.
 * @throws Fatal (HTTP 500) for a broken multipart body
 * @throws TooLarge for any other body of more than 64 MB
 */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const type = request.headers['content-type'] ?? '';
  if (isUpload(request)) return { ...nothing, upload: await readUpload(request, type), isNotJson: true };
  const text = await readText(request, most);
  if (text === '') return nothing;
  if (!/json/i.test(type)) return { ...nothing, text, form: new URLSearchParams(text), isNotJson: true };
  const json = objectIn(text);
  return { ...nothing, text, json: json ?? {}, isNotJson: json === undefined };
}

export function isUpload({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data/i.test(headers['content-type'] ?? '');
}

/**
 * Reads a text of at most so many bytes. The rest of a longer one is read and dropped, so that its sender can read the
 * refusal.
 * @throws TooLarge
 */
export function readText(request: IncomingMessage, bytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bytes) return void chunks.push(chunk);
      chunks = [];
      reject(new TooLarge(`The body has more than ${bytes} bytes.`));
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
  });
}

/** The JSON object of a text; undefined when it is none. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The first file of a multipart body; undefined when it has none. */
function readUpload(request: IncomingMessage, type: string): Promise<Upload | undefined> {
  return new Promise((resolve, reject) => {
    let upload: Upload | undefined;
    const unreadable = () => {
      request.unpipe().resume();
      reject(new Fatal(500));
    };
    const busboy = openBusboy(type);
    if (busboy === undefined) return unreadable();
    busboy.on('file', (field, file, filename, _encoding, type) => {
      const digest = createHash('sha256');
      const start: Buffer[] = [];
      let size = 0;
      // Only this event reports a body that ends within the file.
      file.on('error', unreadable);
      file.on('data', (chunk: Buffer) => {
        if (size < kept) start.push(chunk.subarray(0, kept - size));
        size += chunk.length;
        digest.update(chunk);
      });
      file.on('end', () => {
        const sha256 = digest.digest('hex');
        upload = { field, filename, type, size, sha256, start: Buffer.concat(start) };
      });
    });
    busboy.on('finish', () => resolve(upload));
    busboy.on('error', unreadable);
    request.on('error', reject);
    request.pipe(busboy);
  });
}

/** Undefined for a content type without a boundary. */
function openBusboy(type: string): InstanceType<typeof Busboy> | undefined {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: { fileSize: Number.POSITIVE_INFINITY, files: 1 },
    });
  } catch {
    return undefined;
  }
}

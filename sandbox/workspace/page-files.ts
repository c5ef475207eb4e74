import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileLimits, type StoredFile, showFile } from './files.ts';
import { readBytes } from './http.ts';
import type { Uploaded } from './protocol.ts';
import type { World } from './world.ts';

/** Images a browser shows without running anything; all else is only ever saved. */
const shownImages = new Set(['image/png', 'image/jpeg', 'image/gif']);

/** The person's new file. Refuses an unknown person, an empty name and an empty file. */
export function uploadAs(world: World, as: string, name: string, content: Buffer): Uploaded {
  const person = world.roster.person(as);
  if (person === undefined || person.isBot || person.deleted)
    return { ok: false, error: `Nobody here has the ID ${as}.` };
  if (name.trim() === '' || name.length > 255) return { ok: false, error: 'The file needs a name.' };
  if (content.length === 0) return { ok: false, error: `${name} is empty.` };
  return { ok: true, file: showFile(world.files.add(person.id, name, content)) };
}

/** A file that the person can see: their own, or one in a channel that they are in. */
export function fileFor(world: World, as: string, id: string): StoredFile | undefined {
  const file = world.files.find(id);
  const isTheirs = file?.user === as && world.roster.person(as) !== undefined;
  const isShared = file?.shares.some(({ channel }) => world.roster.isMember(channel, as)) === true;
  return isTheirs || isShared ? file : undefined;
}

/** `GET /sandbox/file/<id>?as=U…`: the page's pictures and downloads. */
export function sendFile(
  file: StoredFile,
  response: ServerResponse,
  guards: Readonly<Record<string, string>>,
): void {
  const isImage = shownImages.has(file.type.mimetype);
  const disposition = `${isImage ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`;
  response.writeHead(200, {
    ...guards,
    'content-type': isImage ? file.type.mimetype : 'application/octet-stream',
    'content-length': file.content.length,
    'content-disposition': disposition,
  });
  response.end(file.content);
}

/** The bytes of `POST /sandbox/upload`. Throws `BodyTooLarge`. */
export const readUpload = (request: IncomingMessage): Promise<Buffer> => readBytes(request, fileLimits.bytes);

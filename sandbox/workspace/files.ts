import { randomBytes } from 'node:crypto';
import { cut } from '../../src/graphemes.ts';
import { type FileType, fileTypeOf, isText } from './file-types.ts';
import type { SharedFile } from './protocol.ts';
import { Refusal } from './refusal.ts';

/** Sizes in bytes: Slack's cap for a message, and for a `file_input` the larger of the two numbers that its pages name (slack-facts.md §7). */
export const fileLimits = { bytes: 1024 ** 3, inForm: 100 * 1024 ** 2, perMessage: 10 } as const;

/** A file as the workspace keeps it. Only this file changes one. */
export interface StoredFile {
  readonly id: string;
  /** The ID of the person who uploaded it. */
  readonly user: string;
  readonly name: string;
  readonly type: FileType;
  /** Seconds since 1970. */
  readonly created: number;
  title: string;
  readonly altText: string | undefined;
  content: Buffer;
  /** Messages that it was posted with. */
  readonly shares: { readonly channel: string; readonly ts: string; readonly threadTs: string | undefined }[];
  /** Handed to the app in one of its forms. */
  givenToApp: boolean;
  /** Fields that Slack reports beyond or against the truth; see `Workspace.changeFile`. */
  said: Readonly<Record<string, unknown>>;
}

interface Expected {
  readonly id: string;
  readonly name: string;
  readonly length: number;
  readonly altText: string | undefined;
  file: StoredFile | undefined;
}

/** All files, and the uploads that the app announced and did not finish yet. */
export class Files {
  readonly #now: () => number;
  readonly #files = new Map<string, StoredFile>();
  readonly #byTicket = new Map<string, Expected>();
  readonly #expected = new Map<string, Expected>();

  constructor(now: () => number) {
    this.#now = now;
  }

  find(id: string): StoredFile | undefined {
    return this.#files.get(id);
  }

  add(user: string, name: string, content: Buffer): StoredFile {
    return this.#keep(newId(), user, name, content, undefined);
  }

  /** The app announces an upload (files.getUploadURLExternal): the file's ID, and the path that takes its bytes once. */
  expect(
    name: string,
    length: number,
    altText: string | undefined,
  ): { readonly id: string; readonly path: string } {
    const expected: Expected = { id: newId(), name, length, altText, file: undefined };
    const ticket = randomBytes(24).toString('base64url');
    this.#byTicket.set(ticket, expected);
    this.#expected.set(expected.id, expected);
    return { id: expected.id, path: `/upload/v1/${ticket}` };
  }

  /** Takes the bytes of an announced upload. Refuses with expired_url, or length_mismatch when it was announced otherwise. */
  receive(ticket: string, user: string, content: Buffer): void {
    const expected = this.#byTicket.get(ticket);
    if (expected === undefined) throw new Refusal('expired_url');
    if (content.length !== expected.length) throw new Refusal('length_mismatch');
    this.#byTicket.delete(ticket);
    expected.file = this.#keep(expected.id, user, expected.name, content, expected.altText);
  }

  /** An announced file whose bytes are here; afterwards it is one like any other. Refuses with file_not_found. */
  complete(id: string, title: string | undefined): StoredFile {
    const file = this.#expected.get(id)?.file;
    if (file === undefined) throw new Refusal('file_not_found');
    this.#expected.delete(id);
    if (title !== undefined) file.title = title;
    return file;
  }

  /** Whether the bytes of all these announced files have arrived. */
  areComplete(ids: readonly string[]): boolean {
    return ids.every((id) => this.#expected.get(id)?.file !== undefined);
  }

  share(
    file: StoredFile,
    message: { readonly channel: string; readonly ts: string; readonly threadTs: string | undefined },
  ): void {
    file.shares.push({ channel: message.channel, ts: message.ts, threadTs: message.threadTs });
  }

  giveToApp(file: StoredFile): void {
    file.givenToApp = true;
  }

  /** Throws when there is no such file. */
  change(id: string, said: Readonly<Record<string, unknown>>): void {
    const file = this.#files.get(id);
    if (file === undefined) throw new Error(`No file has the ID ${id}`);
    file.said = { ...file.said, ...said };
  }

  #keep(id: string, user: string, name: string, content: Buffer, altText: string | undefined): StoredFile {
    const file: StoredFile = {
      id,
      user,
      name,
      type: fileTypeOf(name),
      created: Math.floor(this.#now() / 1000),
      title: name,
      altText,
      content,
      shares: [],
      givenToApp: false,
      said: {},
    };
    this.#files.set(id, file);
    return file;
  }
}

/** How much of a text is shown before somebody opens it. */
const preview = { lines: 8, characters: 800 } as const;

/** The beginning of a text file; undefined for anything else. */
export function previewOf(
  file: StoredFile,
): { readonly text: string; readonly isTruncated: boolean } | undefined {
  if (!isText(file.type) || file.content.length === 0) return undefined;
  const beginning = file.content.subarray(0, preview.characters * 4).toString('utf8');
  const text = cut(beginning.split('\n').slice(0, preview.lines).join('\n'), preview.characters);
  return { text, isTruncated: Buffer.byteLength(text) < file.content.length };
}

/** A file as the page is shown it. */
export function showFile(file: StoredFile): SharedFile {
  const beginning = previewOf(file);
  return {
    id: file.id,
    name: file.name,
    title: file.title,
    mimetype: file.type.mimetype,
    pretty_type: file.type.prettyType,
    size: file.content.length,
    ...(file.altText === undefined ? {} : { alt_txt: file.altText }),
    ...(beginning === undefined
      ? {}
      : { preview: beginning.text, preview_is_truncated: beginning.isTruncated }),
  };
}

function newId(): string {
  return `F0${randomBytes(5).toString('hex').toUpperCase()}`;
}

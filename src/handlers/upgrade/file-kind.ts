/** What a file is by its first bytes, whatever it is called. */
export interface FileKind {
  readonly kind: 'gzip' | 'zip' | 'other';
  /** For people, to go on after "it is": "a gzip archive". */
  readonly words: string;
}

/** By the signatures that the formats themselves define; `at` is an offset in bytes. */
const signatures: readonly (FileKind & { readonly bytes: string; readonly at?: number })[] = [
  { kind: 'gzip', words: 'a gzip archive', bytes: '\x1f\x8b' },
  { kind: 'zip', words: 'a zip archive', bytes: 'PK\x03\x04' },
  { kind: 'other', words: 'an empty zip archive', bytes: 'PK\x05\x06' },
  { kind: 'other', words: 'a tar archive that is not compressed', bytes: 'ustar', at: 257 },
  { kind: 'other', words: 'an xz archive', bytes: '\xfd7zXZ' },
  { kind: 'other', words: 'a bzip2 archive', bytes: 'BZh' },
  { kind: 'other', words: 'a zstd archive', bytes: '\x28\xb5\x2f\xfd' },
  { kind: 'other', words: 'a 7-Zip archive', bytes: '7z\xbc\xaf\x27\x1c' },
  { kind: 'other', words: 'a RAR archive', bytes: 'Rar!' },
  { kind: 'other', words: 'a program for Linux', bytes: '\x7fELF' },
  { kind: 'other', words: 'a program for Windows', bytes: 'MZ' },
  { kind: 'other', words: 'a script', bytes: '#!' },
  { kind: 'other', words: 'a PDF document', bytes: '%PDF' },
  { kind: 'other', words: 'a picture', bytes: '\x89PNG' },
  { kind: 'other', words: 'a picture', bytes: '\xff\xd8\xff' },
  { kind: 'other', words: 'a picture', bytes: 'GIF8' },
  { kind: 'other', words: 'a picture', bytes: 'WEBP', at: 8 },
  { kind: 'other', words: 'a picture', bytes: 'ftyphei', at: 4 },
  { kind: 'other', words: 'a video', bytes: 'ftyp', at: 4 },
  { kind: 'other', words: 'a document of an older Office', bytes: '\xd0\xcf\x11\xe0' },
];

export function kindOf(head: Uint8Array): FileKind {
  if (head.length === 0) return { kind: 'other', words: 'empty' };
  const text = Buffer.from(head).toString('latin1');
  const found = signatures.find(({ bytes, at = 0 }) => text.startsWith(bytes, at));
  if (found !== undefined) return { kind: found.kind, words: found.words };
  if (/^\s*<(?:!doctype html|html)/i.test(text)) return { kind: 'other', words: 'a web page' };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no text has
  const isText = !/[\x00-\x08\x0e-\x1f]/.test(text);
  return { kind: 'other', words: isText ? 'plain text' : 'not a known archive type' };
}

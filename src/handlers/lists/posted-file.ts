export interface PostedFile {
  /** The chat's ID of the file. */
  readonly id: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** Compares in any case, because people name their files. */
export const hasEnding = ({ name }: Pick<PostedFile, 'name'>, endings: readonly string[]): boolean =>
  endings.some((ending) => name.toLowerCase().endsWith(ending));

/** A value of a slot: a word, or a posted file. */
export type GivenValue = string | PostedFile;

/** The values of each slot. A file is an object, so that no typed word can be one. */
export type GivenSlots = Readonly<Record<string, readonly GivenValue[]>>;

export const isPosted = (given: GivenValue): given is PostedFile => typeof given !== 'string';

export const wordsAmong = (given: readonly GivenValue[] = []): readonly string[] =>
  given.filter((one) => typeof one === 'string');

export const filesAmong = (given: readonly GivenValue[] = []): readonly PostedFile[] =>
  given.filter(isPosted);

/** Whether the name allows a list or a table. Pasted snippets often have no ending. */
export const mayBeList = ({ name }: Pick<PostedFile, 'name'>): boolean =>
  !name.includes('.') || hasEnding({ name }, listEndings);

/** Also matches workbooks. They cannot be read, and the error in `lines.ts` says so. */
export const isMeantAsList = (posted: Pick<PostedFile, 'name'>): boolean =>
  mayBeList(posted) || hasEnding(posted, workbookEndings);

const workbookEndings = ['.xlsx', '.xls', '.xlsm', '.ods', '.numbers', '.docx', '.pdf'];

export const listEndings = [
  ...[
    '.csv',
    '.txt',
    '.tsv',
    '.lst',
    '.list',
    '.json',
    '.jsonl',
    '.ndjson',
    '.hosts',
    '.conf',
    '.zone',
    '.rpz',
    '.acl',
  ],
];

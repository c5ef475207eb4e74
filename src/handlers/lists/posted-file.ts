/** A file that somebody has handed to the bot. */
export interface PostedFile {
  /** The chat's ID of the file. */
  readonly id: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** Files come with names that people gave them, in any case. */
export const hasEnding = ({ name }: Pick<PostedFile, 'name'>, endings: readonly string[]): boolean =>
  endings.some((ending) => name.toLowerCase().endsWith(ending));

/** A file in the place of a typed word. Only `action/` writes it: one that is typed is never read (`phrase.ts`). */
export const fileWord = ({ id, name, size }: PostedFile): string => JSON.stringify({ id, name, size });

/** Undefined when the word is none that `fileWord` wrote. */
export function readPosted(word: string): PostedFile | undefined {
  if (!word.startsWith('{')) return undefined;
  try {
    const { id, name, size }: Partial<Record<string, unknown>> = Object(JSON.parse(word));
    return typeof id === 'string' && typeof name === 'string' && typeof size === 'number'
      ? { id, name, size }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether by its name it may hold a list or a table; what was pasted as a snippet often has a name without an ending. */
export const mayBeList = ({ name }: Pick<PostedFile, 'name'>): boolean =>
  !name.includes('.') || hasEnding({ name }, listEndings);

/** Also what programs for tables save: it cannot be read, and whoever has put it behind a line is told so (`lines.ts`). */
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

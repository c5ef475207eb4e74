/** Slack derives these from a file's name: its own short type, the MIME type, and the words a person is shown. */
export interface FileType {
  readonly filetype: string;
  readonly mimetype: string;
  readonly prettyType: string;
}

const unknown: FileType = {
  filetype: 'binary',
  mimetype: 'application/octet-stream',
  prettyType: 'Binary',
};

const types: Readonly<Record<string, FileType>> = {
  csv: { filetype: 'csv', mimetype: 'text/csv', prettyType: 'CSV' },
  txt: { filetype: 'text', mimetype: 'text/plain', prettyType: 'Plain Text' },
  log: { filetype: 'text', mimetype: 'text/plain', prettyType: 'Plain Text' },
  json: { filetype: 'json', mimetype: 'application/json', prettyType: 'JSON' },
  yml: { filetype: 'yaml', mimetype: 'text/plain', prettyType: 'YAML' },
  yaml: { filetype: 'yaml', mimetype: 'text/plain', prettyType: 'YAML' },
  md: { filetype: 'markdown', mimetype: 'text/plain', prettyType: 'Markdown (raw)' },
  sh: { filetype: 'shell', mimetype: 'text/plain', prettyType: 'Shell' },
  sql: { filetype: 'sql', mimetype: 'text/plain', prettyType: 'SQL' },
  xml: { filetype: 'xml', mimetype: 'application/xml', prettyType: 'XML' },
  html: { filetype: 'html', mimetype: 'text/html', prettyType: 'HTML' },
  png: { filetype: 'png', mimetype: 'image/png', prettyType: 'PNG' },
  jpg: { filetype: 'jpg', mimetype: 'image/jpeg', prettyType: 'JPEG' },
  jpeg: { filetype: 'jpg', mimetype: 'image/jpeg', prettyType: 'JPEG' },
  gif: { filetype: 'gif', mimetype: 'image/gif', prettyType: 'GIF' },
  pdf: { filetype: 'pdf', mimetype: 'application/pdf', prettyType: 'PDF' },
  zip: { filetype: 'zip', mimetype: 'application/zip', prettyType: 'Zip' },
  gz: { filetype: 'gzip', mimetype: 'application/gzip', prettyType: 'Gzip' },
  tgz: { filetype: 'gzip', mimetype: 'application/gzip', prettyType: 'Gzip' },
  tar: { filetype: 'tar', mimetype: 'application/x-tar', prettyType: 'Tar' },
};

/** The ending of the name alone decides: the author of an upload chooses its type (slack-facts.md §7). */
export function fileTypeOf(name: string): FileType {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(types, ending) ? (types[ending] ?? unknown) : unknown;
}

const texts = new Set(['csv', 'text', 'json', 'yaml', 'markdown', 'shell', 'sql', 'xml', 'html']);

/** Types that Slack keeps as snippets and shows the beginning of. */
export const isText = ({ filetype }: Pick<FileType, 'filetype'>): boolean => texts.has(filetype);

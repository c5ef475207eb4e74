import { describe, expect, test } from 'vitest';
import { code, moment, person, say, strong, type Text } from '../../handlers/reply.ts';
import { csvOf, fileName, jsonOf, type Table, textOf, visible } from './plain-files.ts';

const table = (columns: readonly string[], ...rows: readonly (readonly (string | Text)[])[]): Table => ({
  kind: 'table',
  columns,
  rows: rows.map((row) => row.map((cell) => (typeof cell === 'string' ? [cell] : cell))),
});

/** The cells of the only row. */
const csvRow = async (...cells: readonly string[]): Promise<string> =>
  (await csvOf(table(['A'], cells))).replace(/^\ufeffA\r\n/, '').replace(/\r\n$/, '');

describe('a table as CSV', () => {
  test('begins with the mark of UTF-8, and ends each line as RFC 4180 says', async () => {
    expect(await csvOf(table(['Name', 'Number'], ['Café', '1'], ['b', '2']))).toBe(
      '\ufeffName,Number\r\nCafé,1\r\nb,2\r\n',
    );
  });

  test('says what cells mean, without formatting: IDs stay IDs, moments are ISO 8601', async () => {
    const cells = [say`${strong('a')} ${code('b')}`, say`${person('U1')}`, say`${moment(0)}`];
    expect(await csvOf(table(['A', 'B', 'C'], cells))).toBe(
      '\ufeffA,B,C\r\na b,U1,1970-01-01T00:00:00.000Z\r\n',
    );
  });

  test('quotes commas, quotes and line ends', async () => {
    expect(await csvRow('a,b', 'say "c"', 'd\ne', 'f\r\ng', ' h ')).toBe(
      '"a,b","say ""c""","d\ne","f\ng", h ',
    );
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', ' =1', '\u00a0=1', '＝1', "=cmd|'/c calc'!A1"])(
    'does not let %j be a formula',
    async (cell) => {
      expect(await csvRow(cell)).toBe(`'${cell}`);
    },
  );

  test('does not let a formula hide behind a line end or a quote', async () => {
    expect(await csvRow('\r\n=1')).toBe('"\'\n=1"');
    expect(await csvRow('=HYPERLINK("x","y")')).toBe('"\'=HYPERLINK(""x"",""y"")"');
    expect(await csvRow('"=1')).toBe('"""=1"');
  });

  test('leaves alone what is no formula', async () => {
    expect(await csvRow('a=b', 'bob@example.com', '10-12', "'x'", '')).toBe("a=b,bob@example.com,10-12,'x',");
  });

  test('has column names that are no formulas either', async () => {
    expect(await csvOf(table(['=A', 'B,C']))).toBe('\ufeff\'=A,"B,C"\r\n');
  });

  test('has no controls that a terminal would obey', async () => {
    expect(await csvRow('\u001b[2Ja\u202eb')).toBe('␛[2Ja\ufffdb');
  });
});

describe('a table as JSON', () => {
  const read = async (given: Table): Promise<unknown> => JSON.parse(await jsonOf(given));

  test('is an object a row, by the names of the columns', async () => {
    expect(await read(table(['ID', 'Name'], ['1', 'a'], ['2', '']))).toEqual([
      { ID: 1, Name: 'a' },
      { ID: 2, Name: '' },
    ]);
    expect(await read(table(['ID']))).toEqual([]);
  });

  test('has numbers where a column holds nothing else, so that a column is of one kind', async () => {
    const given = table(
      ['Files', 'Release', 'Code', 'Records'],
      ['12', '4.50', '007', '3'],
      ['', '4.40', '1', 'not reported'],
    );
    expect(await read(given)).toEqual([
      { Files: 12, Release: '4.50', Code: '007', Records: '3' },
      { Files: null, Release: '4.40', Code: '1', Records: 'not reported' },
    ]);
  });

  test('keeps two columns of one name apart, and a short row whole', async () => {
    expect(await read(table(['A', 'A', '__proto__'], ['x', 'y']))).toEqual([
      Object.fromEntries([
        ['A', 'x'],
        ['A (2)', 'y'],
        ['__proto__', ''],
      ]),
    ]);
  });

  test('holds every character, and none that a terminal would obey', async () => {
    const hostile = '\u001b\u009b\u202e\u2028\u{e0041}"\\\n';
    expect(await read(table(['A'], [hostile]))).toEqual([{ A: hostile }]);
    expect(await jsonOf(table(['A'], [hostile]))).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });
});

test('parts as text stand below each other, with tables in columns', () => {
  expect(
    textOf([
      { kind: 'text', text: say`${strong('hq')}` },
      table(['Name', 'Number'], ['long name', '1'], ['b', '22']),
      { kind: 'list', items: [['one'], ['two']] },
      { kind: 'fields', fields: [{ name: 'Release', value: ['4.50'] }] },
      { kind: 'log', name: 'trace.log', text: 'a\r\nb\u0007' },
    ]),
  ).toBe(
    '\nhq\n\nName       Number\nlong name  1\nb          22\n\n- one\n- two\n\nRelease  4.50\n\ntrace.log\na\nb␇\n',
  );
});

test('a log keeps its lines and tabs, and shows its controls', () => {
  expect(visible('a\r\n\tb\u001b[31m\u0000\rc\u007f\u202e\ud83e!')).toBe('a\n\tb␛[31m␀␍c␡\ufffd\ufffd!');
});

test.each([
  ['acl objects', 'csv', 'acl-objects.csv'],
  ['acl objects --on all', 'csv', 'acl-objects-on-all.csv'],
  ['../../etc/passwd', 'log', 'etc-passwd.log'],
  ['installation.log', 'log', 'installation.log'],
  ['installation.log.exe\u202egpj', 'log', 'installation.log.exe-gpj.log'],
  ['Überwachung 日本', 'json', 'berwachung.json'],
  ['…', 'csv', 'answer.csv'],
  ['x'.repeat(300), 'csv', `${'x'.repeat(60)}.csv`],
])('the file of %j is only a name', (wanted, ending, name) => {
  expect(fileName(wanted, ending)).toBe(name);
});

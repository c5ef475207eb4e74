import { describe, expect, test } from 'vitest';
import { domain, word } from '../argument.ts';
import { FileFailure } from '../context.ts';
import { readDomain } from '../language/domain.ts';
import { isComment } from './cells.ts';
import { linesOfFile } from './lines.ts';
import { valuesOf } from './values.ts';

/** A posted file, in chunks as the chat sends them. */
const posted = { id: 'F1', name: 'list.csv', size: 0 };
const filesWith = (content: Buffer | string) => ({
  open: async () =>
    (async function* () {
      const bytes = Buffer.from(content);
      for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
    })(),
});
const linesIn = (content: Buffer | string) => linesOfFile(filesWith(content), posted);
const valuesIn = async (content: Buffer | string) => valuesOf(await linesIn(content), domain);
const wordsIn = async (content: Buffer | string) => (await valuesIn(content)).words;

const failureOf = async (content: Buffer | string): Promise<string> => {
  const error = await linesIn(content).catch((found: unknown) => found);
  if (!(error instanceof FileFailure)) throw new Error('It could be read');
  return error.message;
};

const utf16 = (text: string, order: 'le' | 'be', mark = '\ufeff') => {
  const bytes = Buffer.from(mark + text, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};

describe('the text of a file', () => {
  const list = 'bücher.example\r\nexample.com\r\n';
  test.each<[string, Buffer | string]>([
    ['UTF-8', list],
    ['UTF-8 with its mark', `\ufeff${list}`],
    ['UTF-16 as Excel saves it', utf16(list, 'le')],
    ['UTF-16 the other way round', utf16(list, 'be')],
    ['the Latin letters of Windows', Buffer.from(list, 'latin1')],
    ['line ends of old Macs', list.replaceAll('\r\n', '\r')],
  ])('is read in %s', async (_, content) => {
    expect(await wordsIn(content)).toEqual(['bücher.example', 'example.com']);
  });

  test('is read in UTF-16 without a mark', async () => {
    expect(await wordsIn(utf16('a.example\nb.example\n', 'le', ''))).toEqual(['a.example', 'b.example']);
    expect(await wordsIn(utf16('a.example\nb.example\n', 'be', ''))).toEqual(['a.example', 'b.example']);
  });

  test.each<[string, Buffer | string, RegExp]>([
    [
      'an Excel workbook',
      Buffer.from('PK\x03\x04\x14\0\0\0', 'latin1'),
      /as Excel workbooks are\. Post the list as CSV/,
    ],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), /a picture/],
    ['a web page', '<!doctype html>\n<title>Sign in</title>', /a web page/],
    ['nothing but space', ' \n\n', /nothing in list\.csv/],
    ['too much', 'a.example\n'.repeat(500_000), /larger than 4 MB/],
    ['too many lines', 'a\n'.repeat(100_002), /more than 100,000 lines/],
  ])('that is %s is refused with what to do', async (_, content, words) => {
    expect(await failureOf(content)).toMatch(words);
  });

  test('has its lines numbered as an editor does, also below cells with line ends', async () => {
    const lines = await linesIn('\n# ours\n"a\nb",1\r\ncategory add a.example to 252\n');
    expect(lines).toEqual([
      { number: 2, text: '# ours', cells: ['# ours'] },
      { number: 3, text: '"a\nb",1', cells: ['a\nb', '1'] },
      { number: 5, text: 'category add a.example to 252', cells: ['category add a.example to 252'] },
    ]);
    expect(lines.map(({ text }) => isComment(text))).toEqual([true, false, false]);
  });
});

describe('values of any text', () => {
  const patternsIn = async (content: string) => valuesOf(await linesIn(content), word('a pattern', 'x'));

  test('keep a leading bullet, unless each of them has one', async () => {
    expect((await patternsIn('* a b\n^c$\n- [x] d')).words).toEqual(['* a b', '^c$', '- [x] d']);
    expect((await patternsIn('```\n- a.example\n- b.example\n```')).words).toEqual([
      'a.example',
      'b.example',
    ]);
  });
});

describe('the sites in a file', () => {
  test.each<[string, string, readonly string[]]>([
    ['one to a line', 'a.example\nb.example', ['a.example', 'b.example']],
    ['several to a line', 'a.example, b.example\nc.example', ['a.example', 'b.example', 'c.example']],
    ['between semicolons', 'a.example;b.example', ['a.example', 'b.example']],
    ['in a column by its name', 'Nr;Domain\n1;a.example\n2;b.example', ['a.example', 'b.example']],
    [
      'in a column by what stands in it',
      '1\ta.example\tfoo bar\n2\tb.example\tbaz',
      ['a.example', 'b.example'],
    ],
    ['in quotes', '"a.example","x, ""y"""\n"b.example","z"', ['a.example', 'b.example']],
    ['below what Excel says first', 'sep=;\nsite;note\na.example;x', ['a.example']],
    [
      'as a hosts file',
      '127.0.0.1 a.example b.example # both\n0.0.0.0\tc.example',
      ['a.example', 'b.example', 'c.example'],
    ],
    ['with remarks', '# ours\na.example # ticket 12\n! theirs', ['a.example']],
    [
      'with remarks that contain separators and other sites',
      'a.example # bad, see http://x.example, y.example; z.example\nb.example, # bad, too\nc.example',
      ['a.example', 'b.example', 'c.example'],
    ],
    [
      'with remarks behind other marks',
      'a.example // bad\nb.example - bad\nc.example (worse one)\nd.example -- bad\ne.example ; bad',
      ['a.example', 'b.example', 'c.example', 'd.example', 'e.example'],
    ],
    [
      'as addresses',
      'https://a.example/x?y=1,2\nhxxp://b[.]example',
      ['https://a.example/x?y=1,2', 'hxxp://b[.]example'],
    ],
    [
      'with the marks of a list',
      '- a.example\n* b.example,\n1. c.example;\n2) d.example\n> e.example\n•\u00a0f.example\n- [x] g.example',
      ['a.example', 'b.example', 'c.example', 'd.example', 'e.example', 'f.example', 'g.example'],
    ],
    ['in a code block', '```text\na.example\n```\n~~~\nb.example', ['a.example', 'b.example']],
    [
      'in a table of a wiki',
      '| Nr | Site |\n|---|---|\n| 1 | a.example |\n| 2 | b.example |',
      ['a.example', 'b.example'],
    ],
    ['between spaces', 'a.example b.example\nc.example', ['a.example', 'b.example', 'c.example']],
    [
      'between other ends of lines',
      'a.example\u2028b.example\fc.example',
      ['a.example', 'b.example', 'c.example'],
    ],
  ])('are read %s', async (_, content, words) => {
    expect(await wordsIn(content)).toEqual(words);
  });

  test('are read out of links, and out of quotes and invisible marks', async () => {
    const { words, refused } = await valuesIn(
      '<http://a.example|a.example>\n[b.example](https://b.example/x)\n“c.example”,\n\u200bd.example\u00a0\n[bank.example](https://evil.example)',
    );
    expect(words.map((word) => readDomain(word))).toEqual([
      'a.example',
      'b.example',
      'c.example',
      'd.example',
    ]);
    expect(refused.map(({ line }) => line)).toEqual([5]);
  });

  test("in no column of a table get an answer with the table's columns", async () => {
    const { nowhereIn } = await valuesIn('when,who,what\nmonday,bob,phishing\ntuesday,alice,scam');
    expect(nowhereIn).toEqual(['when', 'who', 'what']);
  });

  test('are each taken once, in any spelling', async () => {
    const { words, duplicates } = await valuesIn('A.example\na.example.\nhttps://a.example/\nb.example');
    expect([words, duplicates]).toEqual([['A.example', 'b.example'], 2]);
  });

  test('are refused with their line number if they are invalid', async () => {
    const { words, refused } = await valuesIn(
      'a.example\nnot a site\n=HYPERLINK("http://evil.example")\n\nlocalhost',
    );
    expect(words).toEqual(['a.example']);
    expect(refused.map(({ line, word }) => [line, word])).toEqual([
      [2, 'not a site'],
      [3, '=HYPERLINK("http://evil.example")'],
      [5, 'localhost'],
    ]);
  });

  test('report skipped words: comments, the names of columns, other columns', async () => {
    const found = await valuesIn(
      '# from the abuse desk\nwhen,what,domain\nmonday,phishing,a.example\n,,\nfriday,scam,\n',
    );
    expect(found).toEqual({
      words: ['a.example'],
      refused: [{ line: 5, word: 'friday,scam', problem: { code: 'nothing_in_column', column: 'domain' } }],
      duplicates: 0,
      comments: 1,
      frame: 0,
      header: ['when', 'what', 'domain'],
      column: { number: 3, of: 3, name: 'domain' },
      nowhereIn: undefined,
    });
  });

  test('behind a mark that may join values, another site is no remark: its line is named', async () => {
    const { words, refused } = await valuesIn(
      'a.example - b.example\n???\nc.example (was d.example)\ne.example',
    );
    expect(words).toEqual(['e.example']);
    expect(refused.map(({ line, word }) => [line, word])).toEqual([
      [1, 'a.example - b.example'],
      [2, '???'],
      [3, 'c.example (was d.example)'],
    ]);
  });

  test('are not taken for the names of columns', async () => {
    expect(await wordsIn('a.example,b.example\nc.example,d.example')).toHaveLength(4);
    const { header, refused } = await valuesIn('mistake\na.example');
    expect([header, refused]).toMatchObject([undefined, [{ line: 1, word: 'mistake' }]]);
  });

  test.each<[string, string, readonly string[], readonly string[], number]>([
    [
      'a hosts file',
      '# ours\n127.0.0.1 localhost\n::1 ip6-localhost ip6-loopback\n0.0.0.0 0.0.0.0\n0.0.0.0 a.example b.example # both\n10.1.2.3 intranet.example',
      ['a.example', 'b.example'],
      ['10.1.2.3 intranet.example'],
      3,
    ],
    [
      'filter rules',
      '[Adblock Plus 2.0]\n! ours\n||a.example^\n||b.example^$third-party\n||*.c.example^|\n@@||d.example^\n||e.example^$script\n||f.example/page\ng.example##.ad\n/banner[0-9]/',
      ['a.example', 'b.example', '*.c.example'],
      ['@@||d.example^', '||e.example^$script', '||f.example/page', 'g.example##.ad', '/banner[0-9]/'],
      1,
    ],
    [
      'dnsmasq',
      'no-resolv\naddress=/a.example/b.example/0.0.0.0\nserver=/c.example/\nlocal=/d.example/\nserver=/e.example/10.1.1.1\naddress=/f.example/#',
      ['a.example', 'b.example', 'c.example', 'd.example', 'f.example'],
      ['server=/e.example/10.1.1.1'],
      1,
    ],
    [
      'unbound',
      'server:\n  local-zone: "a.example" always_nxdomain\n  local-zone: "b.example." redirect # x\n  local-data: "b.example A 0.0.0.0"\n  local-zone: "c.example" transparent',
      ['a.example', 'b.example.'],
      ['local-zone: "c.example" transparent'],
      1,
    ],
    [
      'a response policy zone',
      '$TTL 60\n$ORIGIN rpz.local.\n@ IN SOA localhost. root.localhost. (\n 2026\n 3600 )\n  IN NS localhost.\n; ours\na.example CNAME .\n*.a.example CNAME .\nb.example 60 IN CNAME *.\nc.example.rpz.local. CNAME rpz-drop.\nd.example CNAME rpz-passthru.\n32.4.3.2.1.rpz-ip CNAME .',
      ['a.example', 'b.example', 'c.example'],
      ['d.example CNAME rpz-passthru.', '32.4.3.2.1.rpz-ip CNAME .'],
      7,
    ],
    [
      'a list in JSON',
      '["a.example",\n "b.example", "nothing here"]',
      ['a.example', 'b.example'],
      ['nothing here'],
      0,
    ],
    [
      'objects in JSON',
      '{"name": "ours", "tags": ["x"], "entries": [\n{"domain": "a.example", "note": "no. 1"},\n{"url": "https://b.example/x", "id": 2},\n{"id": 3}]}',
      ['a.example', 'https://b.example/x'],
      ['{"id":3}'],
      0,
    ],
    [
      'an object in each line',
      '{"host":"a.example"}\n{"host":"b.example"}',
      ['a.example', 'b.example'],
      [],
      0,
    ],
  ])('are read out of %s, and what is none is named', async (_, content, sites, others, frame) => {
    const { words, refused, frame: found } = await valuesIn(content);
    expect(words).toEqual(sites);
    expect(refused.map(({ word }) => word)).toEqual(others);
    expect(found).toBe(frame);
  });

  test('by the thousand do not block the process', async () => {
    const content = Array.from({ length: 20_000 }, (_, index) => `site-${index}.example`).join('\n');
    // In processor time of this thread, so that other work on a busy machine does not count.
    const timeSince = (begin: NodeJS.CpuUsage) => {
      const { user, system } = process.threadCpuUsage(begin);
      return user + system;
    };
    const begin = process.threadCpuUsage();
    let longest = 0;
    let last = begin;
    const beat = setInterval(() => {
      longest = Math.max(longest, timeSince(last));
      last = process.threadCpuUsage();
    }, 5);
    expect(await wordsIn(content)).toHaveLength(20_000);
    clearInterval(beat);
    // Measured: less than half of the whole at a time, on any machine.
    expect(longest / timeSince(begin)).toBeLessThan(0.7);
  });
});

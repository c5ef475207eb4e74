import type { KnownBlock } from '@slack/types';
import { describe, expect, test } from 'vitest';
import { checkBlocks } from '../../../sandbox/workspace/blocks.ts';
import type { Said, SaidPart } from '../../action/base/chat.ts';
import { channel, clock, code, group, moment, person, say, strong, type Text } from '../../handlers/reply.ts';
import { fullPalette, plainPalette } from './palette.ts';
import { buttonRow, render, renderParts } from './render.ts';
import { limits } from './slack-limits.ts';
import { mrkdwn, summary } from './slack-text.ts';

/** Workspaces that draw every block, and ones that draw none of the newer. */
const palettes = { every: fullPalette, none: plainPalette };
const noon = Date.UTC(2026, 10, 20, 12);
const table = (rows: readonly (readonly Text[])[], columns = ['Name', 'Number']): SaidPart => ({
  kind: 'table',
  columns,
  rows,
});

function elementsOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(value)) return value.flatMap(elementsOf);
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(elementsOf);
  return 'type' in value ? [{ ...value }, ...inner] : inner;
}

const typesOf = (blocks: readonly KnownBlock[]) => new Set(elementsOf(blocks).map(({ type }) => type));
const textOf = (blocks: readonly KnownBlock[]): string =>
  elementsOf(blocks)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
const problemsOf = (blocks: readonly KnownBlock[]) => checkBlocks(blocks, 'message').problems;

const hostile = [
  '<!channel>',
  '<!here|here>',
  '<!everyone>',
  '<!subteam^S0ADMINS>',
  '<@U0ALICE001>',
  '<#C0HELPDESK>',
  '<https://evil.example|Approve>',
  '&lt;!channel&gt;',
  '*bold*',
  ' _italic_ ',
  '~struck~',
  '`code`',
  '```code```',
  '`*<@U0ALICE001>*`',
  '\u202egnp.exe\u202c',
  'zero\u200bwidth\ufeff',
  'a\u061cb\u00adc',
  'line\nbreak\r\n\u2028\u0000',
  '\ud83e half a duck',
];

/** Every way for a text into a reply. */
const everywhere = (text: string): Said => ({
  headline: say`It is ${text} and ${strong(text)} and ${code(text)}`,
  details: [
    { kind: 'text', text: [text] },
    { kind: 'fields', fields: [{ name: text, value: [text, strong(text)] }] },
    { kind: 'list', items: [[text], [code(text)]] },
    table([[[text], [strong(text)]]], [text, 'Other']),
  ],
});

describe.each(hostile)('the text %j', (text) => {
  test.each(Object.entries(palettes))('is only text in blocks (%s)', (_, palette) => {
    const { blocks } = render(everywhere(text), palette);
    expect(problemsOf(blocks)).toEqual([]);
    for (const { type } of elementsOf(blocks)) {
      expect([
        'rich_text',
        'rich_text_section',
        'rich_text_list',
        'rich_text_preformatted',
        'table',
        'raw_text',
        'text',
      ]).toContain(type);
    }
    expect(textOf(blocks)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}]/u);
  });

  test('is plain text in the line for notifications', () => {
    const { text: line } = render(everywhere(text));
    const outsideCode = line.replace(/`[^`]*`/g, '');
    expect(line).not.toMatch(/[<>]/);
    expect(line.split('`')).toHaveLength(5);
    expect(outsideCode).not.toMatch(/(?<![\p{L}\p{N}])[*_~]|[*_~](?![\p{L}\p{N}])/u);
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}]/u);
  });
});

describe('an intended span', () => {
  const text = say`${person('U1')} ${group('S1')} ${channel('C1')} ${clock(noon)} ${moment(noon)} ${strong('b')} ${code('c')}`;

  test('is a mention, a moment or formatting in blocks', () => {
    const { blocks } = render({ headline: [], details: [{ kind: 'text', text }] });
    expect(problemsOf(blocks)).toEqual([]);
    expect(
      elementsOf(blocks)
        .filter(({ type }) => type !== 'text')
        .slice(2),
    ).toEqual([
      { type: 'user', user_id: 'U1' },
      { type: 'usergroup', usergroup_id: 'S1' },
      { type: 'channel', channel_id: 'C1' },
      { type: 'date', timestamp: noon / 1_000, format: '{time}', fallback: '2026-11-20 12:00 UTC' },
      {
        type: 'date',
        timestamp: noon / 1_000,
        format: '{date_short_pretty} {time}',
        fallback: '2026-11-20 12:00 UTC',
      },
    ]);
    expect(elementsOf(blocks)).toContainEqual({ type: 'text', text: 'b', style: { bold: true } });
    expect(elementsOf(blocks)).toContainEqual({ type: 'text', text: 'c', style: { code: true } });
  });

  test('is the same in the line for notifications', () => {
    const seconds = noon / 1_000;
    expect(mrkdwn(text)).toBe(
      `<@U1> <!subteam^S1> <#C1> <!date^${seconds}^{time}|2026-11-20 12:00 UTC> <!date^${seconds}^{date_short_pretty} {time}|2026-11-20 12:00 UTC> b \`c\``,
    );
  });

  test('is spelled out in a fixed-width table', () => {
    const { blocks } = render(
      { headline: [], details: [table([[[strong('U1')], [moment(noon)]]])] },
      plainPalette,
    );
    expect(textOf(blocks)).toBe('Name  Number\nU1    2026-11-20 12:00 UTC');
  });
});

describe('an ordinary text', () => {
  test('keeps its letters: underscores inside words, stars in names of domains', () => {
    expect(mrkdwn(['social_networks, 2*3, a~b & c'])).toBe('social_networks, 2*3, a~b &amp; c');
  });

  test('that is empty gives a valid message', () => {
    const empty: Said = {
      headline: say`${strong('')}`,
      details: [
        { kind: 'text', text: [] },
        { kind: 'text', text: [''] },
        { kind: 'fields', fields: [{ name: 'Name', value: [''] }] },
        { kind: 'list', items: [[], [code('')]] },
        table([[[], [strong('')]]]),
      ],
    };
    for (const palette of Object.values(palettes)) {
      expect(problemsOf(render(empty, palette).blocks)).toEqual([]);
    }
    expect(render({ headline: [], details: [{ kind: 'list', items: [] }] }).blocks).toEqual([]);
  });

  test('the text for notifications and screen readers is everything visible, the headline first', () => {
    expect(render({ headline: ['Done'], details: [{ kind: 'text', text: ['More'] }] }).text).toBe(
      'Done · More',
    );
    expect(render({ headline: [], details: [{ kind: 'text', text: ['More'] }] }).text).toBe('More');
    expect(render({ headline: [], details: [table([])] }).text).toBe('Table of Name, Number');
    expect(render({ headline: [] }).text).toBe('Details');
  });
});

describe('limits of Slack are kept, and left-out text is mentioned', () => {
  test('the text has at most 3,900 characters, and says where the rest is', () => {
    const { text } = render({ headline: ['x'.repeat(5_000)] });
    expect(text).toHaveLength(limits.text);
    expect(text.endsWith('x… The rest is in the message.')).toBe(true);
  });

  test.each([
    ['a mention', person('U0ALICE001')],
    ['a moment', moment(noon)],
    ['an escaped character', '<>&'.repeat(9)],
    ['a pair of code units', '🦆'.repeat(9)],
  ])('it never ends in half of %s', (_, span) => {
    for (let before = limits.text - 60; before <= limits.text; before += 1) {
      const text = summary(['x'.repeat(before), span]);
      expect(text.length).toBeLessThanOrEqual(limits.text);
      expect(text).not.toMatch(/<[^>]*…|&[a-z]*…|[\ud800-\udbff]…/);
      expect(text).toMatch(/^x+(?:<[^>]*>|&[a-z]+;|🦆)*(?:… The rest is in the message\.)?$/u);
    }
  });

  test('a table of 250 rows shows 99 and a heading', () => {
    const rows = Array.from({ length: 250 }, (_, row) => [[`row ${row}.`], [`${row}`]]);
    for (const palette of Object.values(palettes)) {
      const { blocks } = render({ headline: ['All'], details: [table(rows)] }, palette);
      expect(problemsOf(blocks)).toEqual([]);
      expect(textOf(blocks)).toContain('row 98.');
      expect(textOf(blocks)).not.toContain('row 99.');
      expect(textOf(blocks)).toContain('Showing 99 of 250 rows; 151 not shown.');
    }
  });

  test('a table that fits exactly has no such note', () => {
    const rows = Array.from({ length: 99 }, (_, row) => [[`row ${row}`], [`${row}`]]);
    const { blocks } = render({ headline: ['All'], details: [table(rows)] });
    expect(problemsOf(blocks)).toEqual([]);
    expect(blocks).toHaveLength(2);
  });

  test('a table of long cells shows 10,000 characters', () => {
    const rows = Array.from({ length: 50 }, (_, row) => [['x'.repeat(500)], [strong(`${row}`)]]);
    const { blocks } = render({ headline: ['All'], details: [table(rows)] });
    expect(problemsOf(blocks)).toEqual([]);
    expect(textOf(blocks)).toContain('Showing 19 of 50 rows; 31 not shown.');
  });

  test('a single row that is too long is counted and not shown', () => {
    const { blocks } = render({ headline: ['All'], details: [table([[['x'.repeat(20_000)], ['1']]])] });
    expect(problemsOf(blocks)).toEqual([]);
    expect(textOf(blocks)).toContain('Showing 0 of 1 rows; 1 not shown.');
  });

  test('a column with a sentence in it wraps, so that a phone shows the others too', () => {
    const [block] = renderParts([table([[['short'], ['a long sentence '.repeat(4)]]])]);
    expect(block).toMatchObject({ column_settings: [{ is_wrapped: false }, { is_wrapped: true }] });
    expect(renderParts([table([[['short'], ['1']]])])[0]).not.toHaveProperty('column_settings');
    const wide = [['Through the proxy'], ['reached, HTTP 200, at 203.0.113.52']] as const;
    expect(renderParts([table([wide])])[0]).toMatchObject({
      column_settings: [{ is_wrapped: false }, { is_wrapped: true }],
    });
  });

  test('a mark at the beginning of a text becomes its emoji', () => {
    const { blocks } = render({ headline: ['✅ ', strong('No problems found')] });
    expect(JSON.stringify(blocks)).toContain('{"type":"emoji","name":"white_check_mark"}');
  });

  test('a second table is in fixed width, because Slack accepts one', () => {
    const blocks = renderParts([table([[['a'], ['1']]]), table([[['b'], ['2']]])]);
    expect(problemsOf(blocks)).toEqual([]);
    expect(blocks.map(({ type }) => type)).toEqual(['table', 'rich_text']);
    expect(textOf(blocks)).toContain('b     2');
  });

  test('a list and fields show as much as fits, and count the rest', () => {
    const items = Array.from({ length: 300 }, (_, item) => [`item ${item} ${'x'.repeat(91)}`]);
    const list = textOf(renderParts([{ kind: 'list', items }]));
    expect(list).toMatch(/… and \d+ more not shown$/);
    expect(list.length).toBeLessThan(limits.message + 100);
    const fields = items.map((value, name) => ({ name: `${name}`, value }));
    expect(textOf(renderParts([{ kind: 'fields', fields }]))).toMatch(/… and \d+ more not shown$/);
  });

  test('a long text is cut, and the missing part is counted', () => {
    const blocks = renderParts([
      { kind: 'text', text: [strong('x'.repeat(9_990)), 'y'.repeat(500), person('U1')] },
    ]);
    expect(problemsOf(blocks)).toEqual([]);
    expect(textOf(blocks)).toMatch(/^x{9990}y{10}… \(492 more characters not shown\)$/);
    expect(typesOf(blocks)).not.toContain('user');
  });

  test('a message has one budget for all its parts', () => {
    const text: SaidPart = { kind: 'text', text: ['x'.repeat(4_000)] };
    const blocks = renderParts([text, text, text, text, { kind: 'list', items: [['gone']] }]);
    expect(textOf(blocks).replaceAll(/[^x]/g, '')).toHaveLength(limits.message);
    expect(textOf(blocks)).toContain('… and 1 more not shown');
  });

  test('a message of 80 parts shows 49 blocks and counts the others', () => {
    const details = Array.from(
      { length: 80 },
      (_, part): SaidPart => ({ kind: 'text', text: [`part ${part}`] }),
    );
    const { blocks } = render({ headline: ['All'], details });
    expect(blocks).toHaveLength(limits.blocks);
    expect(textOf(blocks)).toMatch(/… and 32 more parts not shown$/);
  });
});

test('a fixed-width table is set in columns without trailing spaces', () => {
  const part = table([
    [['a'], ['1']],
    [['long name'], ['22']],
  ]);
  expect(textOf(renderParts([part], plainPalette))).toBe('Name       Number\na          1\nlong name  22');
});

test('a fixed-width table with people becomes a list, so that they are mentioned', () => {
  const rows = [
    [['a'], [person('U0ALICE001')], ['1']],
    [['b'], [], ['2']],
  ];
  const blocks = renderParts([table(rows, ['Name', 'By', 'Number'])], plainPalette);
  expect(elementsOf(blocks).filter(({ type }) => type === 'user')).toMatchObject([{ user_id: 'U0ALICE001' }]);
  expect(textOf(blocks)).toBe('a: By , Number 1b: Number 2');
  expect(problemsOf(blocks)).toEqual([]);
});

describe('a log', () => {
  const log = (text: string): SaidPart => ({ kind: 'log', name: 'trace.log', text });

  test('keeps its lines, and shows control characters without obeying them', () => {
    const blocks = renderParts([log('one\r\n\ttwo\u001b[2J\u202e<!channel>')]);
    expect(problemsOf(blocks)).toEqual([]);
    expect(textOf(blocks)).toBe('one\n\ttwo␛[2J\ufffd<!channel>');
    expect(typesOf(blocks)).toEqual(new Set(['rich_text', 'rich_text_preformatted', 'text']));
  });

  test('that is too long shows its last lines, and counts the others', () => {
    const blocks = renderParts([log(Array.from({ length: 2_000 }, (_, line) => `line ${line}.`).join('\n'))]);
    expect(problemsOf(blocks)).toEqual([]);
    expect(textOf(blocks)).toMatch(/^… and \d+ earlier lines not shownline .*line 1999\.$/s);
    expect(textOf(blocks).length).toBeLessThan(limits.message + 100);
  });
});

describe('charts', () => {
  const chart = (title: string, values: readonly number[] = [1, 2]): SaidPart => ({
    kind: 'chart',
    style: 'bar',
    title,
    unit: 'files',
    labels: ['Mon', 'Tue'],
    series: [{ name: 'Mirror', values }],
  });

  test('are drawn up to two in a message, and become tables beyond', () => {
    const blocks = renderParts([chart('a'), chart('b'), chart('c'), chart('d')]);
    expect(problemsOf(blocks)).toEqual([]);
    expect(blocks.map(({ type }) => type)).toEqual([
      'data_visualization',
      'data_visualization',
      'table',
      'rich_text',
    ]);
    expect(textOf(blocks)).toContain('cfilesMon1Tue2');
    expect(textOf(blocks)).toContain('d    files\nMon  1\nTue  2');
  });

  test('with a missing number become a table that says so', () => {
    const blocks = renderParts([chart('a', [1])]);
    expect(problemsOf(blocks)).toEqual([]);
    expect(textOf(blocks)).toBe('afilesMon1Tuenot reported');
  });

  test('are bars if the workspace draws none', () => {
    const blocks = renderParts([chart('a'), chart('b'), chart('c')], plainPalette);
    expect(problemsOf(blocks)).toEqual([]);
    expect(textOf(blocks)).toContain('a (files)\n\nMon  ████████████              1');
  });

  test('are described in words for screen readers', () => {
    const { text } = render({ headline: ['Done'], details: [chart('Files per day'), chart('x')] });
    expect(text).toBe('Done · Chart: Files per day · Chart: x');
  });
});

test('a fixed-width table that a phone would break becomes one row each', () => {
  const long = 'The directory connection is broken: no logon servers';
  const table = { kind: 'table', columns: ['Area', 'State'], rows: [[['Directory'], [long]]] } as const;
  const { blocks } = render({ headline: ['Two'], details: [table, table] });
  expect(blocks.map(({ type }) => type)).toEqual(['rich_text', 'table', 'rich_text']);
  expect(JSON.stringify(blocks[2])).toContain('rich_text_list');
  expect(JSON.stringify(blocks[2])).toContain(long);
});

test('a table with more columns than Slack’s limit is in fixed width', () => {
  const columns = Array.from({ length: 21 }, (_, column) => `c${column}`);
  const blocks = renderParts([table([columns.map((column) => [column])], columns)]);
  expect(problemsOf(blocks)).toEqual([]);
  expect(blocks.map(({ type }) => type)).toEqual(['rich_text']);
});

test('a message without a headline is read out completely', () => {
  const { text } = render({
    headline: [],
    details: [
      { kind: 'text', text: ['hq'] },
      { kind: 'fields', fields: [{ name: 'Release', value: ['4.50'] }] },
      { kind: 'list', items: [['a'], ['b']] },
      table([[['x'], ['1']]]),
      { kind: 'log', name: 'trace.log', text: 'one\ntwo' },
      { kind: 'buttons', buttons: [{ press: 'page', label: 'Next', token: 't' }] },
    ],
  });
  expect(text).toBe('hq · Release: 4.50 · a, b · Table of Name, Number: x, 1 · trace.log: one / two');
});

describe('buttons', () => {
  const labelled = (label: string) => buttonRow([{ press: 'offer', label, token: 'opaque' }]);
  const textOf = (label: string): unknown => {
    const [button] = labelled(label).elements;
    return button?.type === 'button' ? button.text : undefined;
  };

  test.each([
    ['hotfix\u202egzt.exe', 'hotfix\ufffdgzt.exe'],
    ['two\nlines\u0000', 'two\ufffdlines\ufffd'],
    ['<!channel> :bomb:', '<!channel> :bomb:'],
    ['', '–'],
    [' \t ', '\ufffd'],
  ])('a button’s label is read and not obeyed: %j', (label, shown) => {
    expect(textOf(label)).toEqual({ type: 'plain_text', text: shown, emoji: false });
    expect(checkBlocks([labelled(label)], 'message').problems).toEqual([]);
  });

  test('a long label is cut to Slack’s limit, never within a letter', () => {
    for (let shift = 0; shift < 2; shift += 1) {
      const label = `${'x'.repeat(shift)}${'🧨'.repeat(60)}`;
      expect(checkBlocks([labelled(label)], 'message').problems).toEqual([]);
      expect(JSON.stringify(labelled(label))).not.toMatch(/\\ud[89a-f]/);
    }
  });
});

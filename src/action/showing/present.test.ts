import { expect, test } from 'vitest';
import type { Part } from '../../handlers/reply.ts';
import { plainText } from '../../handlers/reply.ts';
import type { ToKeep } from '../../journal/journal.ts';
import type { Said, SaidPart } from '../base/chat.ts';
import { type Audience, createPresent } from './present.ts';

const now = 1_000_000;

/** Presents a reply, and tells what was kept for later. */
async function present(details: readonly Part[], to: Partial<Audience> = {}) {
  const kept: ToKeep[] = [];
  const keep = async (thing: ToKeep) => `token ${kept.push(thing)}`;
  const said = await createPresent({ journal: { keep }, now: () => now, commandByPhrase: new Map() })(
    { headline: ['Done'], details },
    { channel: 'C1', source: { phrase: 'acl objects', line: 'acl objects --on all', targets: [] }, ...to },
  );
  return { said, kept, messages: [said, ...(said.next ?? [])] };
}

const rows = (count: number, length = 1): Part => ({
  kind: 'table',
  columns: ['A'],
  rows: Array.from({ length: count }, (_, row) => [[`${row}`.padEnd(length)]]),
});
const text = (words: string): Part => ({ kind: 'text', text: [words] });
const log = (lines: number, name = 'installation.log'): Part => ({
  kind: 'log',
  name,
  text: Array.from({ length: lines }, (_, line) => `line ${line + 1}.`).join('\n'),
});
const kindsIn = ({ details = [] }: Said) => details.map(({ kind }) => kind);
const wordsIn = ({ details = [] }: Said) =>
  details.flatMap((part: SaidPart) => (part.kind === 'text' ? [plainText(part.text)] : []));

test.each<[string, number, Partial<Audience>]>([
  ['the channel', 3 * 24, {}],
  ['one person', 1, { person: 'U1' }],
])('what is offered to %s can be taken for %i hours', async (_, hours, to) => {
  const { kept } = await present([{ kind: 'offers', offers: [{ label: 'Status', line: 'status' }] }], to);
  expect(kept).toMatchObject([{ kind: 'offer', until: now + hours * 60 * 60_000 }]);
});

test('what is short is said as it is, in one message, and nothing is kept', async () => {
  const details = [text('a'), rows(15), rows(3), log(3)];
  const { said, kept } = await present(details);
  expect(said).toEqual({ headline: ['Done'], details });
  expect(kept).toEqual([]);
});

test('a second table of more than a few rows has a message of its own, where Slack draws it', async () => {
  const { messages } = await present([text('a'), rows(4), text('b'), rows(4)]);
  expect(messages.map(kindsIn)).toEqual([
    ['text', 'table'],
    ['text', 'table'],
  ]);
});

test('a long table is kept whole for some days, for whoever may run its command', async () => {
  const table = rows(40);
  const { said, kept } = await present([text('a'), table, text('b')]);
  expect(kindsIn(said)).toEqual(['text', 'table', 'text', 'buttons', 'text']);
  expect(kept).toMatchObject([
    {
      kind: 'result',
      channel: 'C1',
      until: now + 3 * 24 * 60 * 60_000,
      content: { source: { phrase: 'acl objects', line: 'acl objects --on all' }, table },
    },
  ]);
  expect(kept[0]).not.toHaveProperty('person');
  // It comes back from the journal as it went in.
  expect(JSON.parse(JSON.stringify(kept[0]?.content))).toEqual(kept[0]?.content);
});

test('a long table of nobody’s command has no pages', async () => {
  const { said, kept } = await present([rows(40)], { source: undefined });
  expect(said.details).toEqual([rows(40)]);
  expect(kept).toEqual([]);
});

test('of several long tables each has a message of its own, below its title', async () => {
  const { messages, kept } = await present([
    rows(2),
    text('hq'),
    rows(20),
    text('branch'),
    rows(30),
    rows(3),
  ]);
  expect(messages.map(kindsIn)).toEqual([
    ['table'],
    ['text', 'table', 'text', 'buttons'],
    ['text', 'table', 'text', 'buttons'],
    ['table'],
  ]);
  expect(messages.flatMap(wordsIn)).toEqual(['hq', 'Rows 1–15 of 20', 'branch', 'Rows 1–15 of 30']);
  expect(messages.map(({ headline }) => headline)).toEqual([['Done'], [], [], []]);
  expect(kept).toHaveLength(2);
});

test('short tables share messages as long as there is room', async () => {
  const { messages } = await present(Array.from({ length: 10 }, () => rows(10, 200)));
  expect(messages.map(kindsIn).map(({ length }) => length)).toEqual([3, 3, 3, 1]);
});

test('what is too much for a thread becomes a text file, and says so', async () => {
  const { said, messages } = await present(
    Array.from({ length: 12 }, (_, number) => [text(`appliance ${number}`), rows(20)]).flat(),
  );
  expect(messages).toHaveLength(8);
  expect(said.files).toHaveLength(1);
  const [file] = said.files ?? [];
  expect(file?.name).toBe('acl-objects-on-all-rest.txt');
  expect(plainText(file?.words ?? [])).toBe(
    'There is more than fits into 8 messages: this file has the rest.',
  );
  expect(String(file?.content).match(/appliance \d+/g)).toEqual(
    ['8', '9', '10', '11'].map((n) => `appliance ${n}`),
  );
  expect(file?.content).toContain('\n19\n');
});

test('a long log shows its end, and all of it is a file', async () => {
  const { said } = await present([log(300)]);
  expect(wordsIn(said)).toEqual(['The last 20 of 300 lines; all of it is in installation.log:']);
  expect(said.details?.[1]).toMatchObject({
    kind: 'log',
    text: expect.stringMatching(/^line 281\.\n.*line 300\.$/s),
  });
  expect(said.files).toMatchObject([{ name: 'installation.log', title: 'installation.log' }]);
  expect(String(said.files?.[0]?.content).split('\n')).toHaveLength(301);
});

test('a log of one endless line shows its end', async () => {
  const { said } = await present([{ kind: 'log', name: 'trace.txt', text: `${'x'.repeat(9_000)}end` }]);
  expect(wordsIn(said)).toEqual(['The end of it; all of it is in trace.txt:']);
  expect(said.details?.[1]).toMatchObject({ text: expect.stringMatching(/^x{1997}end$/) });
  expect(said.files?.[0]?.name).toBe('trace.txt');
});

test('a log’s controls are shown and not obeyed, in the message as in the file', async () => {
  const { said } = await present([{ kind: 'log', name: 'a.log', text: '\u001b[2Jgone\r\n\tb' }]);
  expect(said.details).toEqual([{ kind: 'log', name: 'a.log', text: '␛[2Jgone\n\tb' }]);
  const long = await present([{ kind: 'log', name: 'a.log', text: '\u001b[2J\n'.repeat(50) }]);
  expect(long.said.files?.[0]?.content).toBe('␛[2J\n'.repeat(50));
});

test('what is whispered is one message, is kept for that person alone, and has no files', async () => {
  const { said, kept } = await present([rows(40), text('b'), rows(20), log(300)], {
    person: 'U1',
    source: null,
    whispered: true,
  });
  expect(said.next).toBeUndefined();
  expect(said.files).toBeUndefined();
  expect(kept).toMatchObject([{ kind: 'result', person: 'U1', content: { source: null } }]);
  expect(wordsIn(said)).toContain('The last 20 of 300 lines; the rest has no room here:');
  const buttons = said.details?.flatMap((part) => (part.kind === 'buttons' ? part.buttons : []));
  expect(buttons?.map(({ label }) => label)).toEqual(['Next ▶', 'Filter…']);
});

test('a table that is too long to be kept whole keeps its beginning and comes whole as a file', async () => {
  const { said, kept } = await present([rows(12_000)]);
  expect(wordsIn(said)[0]).toContain('12,000 rows, of which these are the first 10,000; all of them are in');
  expect(JSON.stringify(kept[0]?.content).match(/"\d+"/g)).toHaveLength(10_000);
  expect(String(said.files?.[0]?.content).trimEnd().split('\r\n')).toHaveLength(12_001);
});

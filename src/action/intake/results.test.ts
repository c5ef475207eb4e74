import { expect, test } from 'vitest';
import { lookup } from '../../handlers/declare.ts';
import { plainText, say } from '../../handlers/reply.ts';
import type { Kept, NewAction, ToKeep } from '../../journal/journal.ts';
import type { Chat, Press, Said } from '../base/chat.ts';
import { createInteractionLog } from '../history/interactions.ts';
import { createPresent, createWhisper } from '../showing/present.ts';
import { createResults } from './results.ts';

/** What no page of Slack would send, but somebody who makes up a click could. Honest clicks: `test/results.test.ts`. */

const objects = lookup({
  phrase: 'acl objects',
  args: {},
  summary: 'List the ACL objects',
  example: 'acl objects',
  answer: async () => ({ headline: say`none` }),
});
const table = {
  kind: 'table',
  columns: ['Name'],
  rows: Array.from({ length: 40 }, (_, row) => [[`secret ${row}`]]),
} as const;

function start() {
  const kept = new Map<string, Kept>();
  const keep = async ({ person, action, ...thing }: ToKeep) => {
    const token = `token${kept.size + 1}`;
    kept.set(token, {
      ...thing,
      token,
      person,
      action,
      takenBy: undefined,
      takenAt: undefined,
      became: undefined,
    });
    return token;
  };
  const [seen, whispered, forms]: [Said[], string[], string[]] = [[], [], []];
  const recorded: object[] = [];
  const chat: Chat = {
    show: async () => '1',
    reply: async (_, said) => `${seen.push(said)}`,
    edit: async (_, said) => void seen.push(said),
    ephemeral: async (_, said) => void whispered.push(plainText(said.headline)),
    post: async (_, said) => `${seen.push(said)}`,
    find: async () => ({ kind: 'not_there' }),
    stamps: async () => ({ kind: 'cannot_look' }),
    notify: async () => true,
    isAway: () => false,
    openForm: async (_, form) => forms.push(form.token) > 0,
  };
  const present = createPresent({ journal: { keep }, now: () => 0, commandByPhrase: new Map() });
  // Only what is used of the journal and the authority: everybody may run everything.
  const journal = {
    keep,
    kept: async (token: string) => kept.get(token),
    byId: async () => undefined,
    write: async ({ person, line, interaction, outcome }: NewAction) => {
      recorded.push({ person, line, ...interaction, code: outcome?.code });
      return { id: 'a1' };
    },
  } as never;
  const authority = {
    decide: async () => ({ allow: true }),
    approvalFor: () => ({ kind: 'not_needed' }),
    policy: () => ({}),
    channel: () => ({ appliance: 'hq', appliances: [] }),
  } as never;
  const whisper = createWhisper(chat, present);
  const interactionLog = createInteractionLog({ journal, authority, whisper });
  const results = createResults({
    ...{ journal, authority, chat, whisper, interactionLog, now: () => 0 },
    outbox: { send: async () => ({ kind: 'sent' }) } as never,
    commandByPhrase: new Map([[objects.phrase, objects]]),
    fleet: new Map([['hq', { tags: [] }]]),
  });
  const press = (given: Partial<Press>) =>
    results.press({
      ...{ team: 'T1', channel: 'C1', person: 'U1', button: 'page', token: 'token1', detail: '1', card: '9' },
      trigger: 'trigger',
      ...given,
    });
  return { present, results, press, kept, seen, whispered, forms, recorded };
}

const wordsIn = ({ details = [] }: Said) =>
  details.flatMap((part) => (part.kind === 'text' ? [plainText(part.text)] : []));
const gone = 'This result is no longer kept. Your click did nothing. Type the command again.';
const targets = [{ appliance: 'hq', args: {} }];
const source = { phrase: 'acl objects', line: 'acl objects', targets };

test('a token is good in its own channel only', async () => {
  const { present, press, seen, whispered, recorded } = start();
  await present({ headline: [], details: [table] }, { channel: 'C1', source });
  await press({ channel: 'C2' });
  await press({ channel: 'C2', button: 'export', detail: 'csv' });
  await press({ channel: 'C2', button: 'filter', detail: 'ask' });
  expect(whispered).toEqual([gone, gone, gone]);
  expect(seen).toEqual([]);
  const refused = {
    person: 'U1',
    line: '(no longer kept)',
    kind: 'refused_click',
    of: null,
    code: 'result_gone',
  };
  expect(recorded).toEqual(['page', 'export', 'filter'].map((button) => ({ ...refused, button })));
  await press({});
  expect(seen).toHaveLength(1);
});

test('what was whispered to one person is shown to nobody else', async () => {
  const { present, press, seen, whispered, recorded } = start();
  const to = { channel: 'C1', person: 'U1', source, whispered: true };
  await present({ headline: [], details: [table] }, to);
  await press({ person: 'U2' });
  expect(whispered).toHaveLength(1);
  expect(seen).toEqual([]);
  expect(recorded).toMatchObject([{ person: 'U2', line: 'acl objects', code: 'not_your_offer' }]);
});

test('a result of a command that is gone is gone, and so is what is no result', async () => {
  const { present, press, seen, whispered, kept } = start();
  await present(
    { headline: [], details: [table] },
    { channel: 'C1', source: { ...source, phrase: 'acl things' } },
  );
  await press({});
  kept.set('token1', { ...(kept.get('token1') as Kept), kind: 'offer', content: { line: 'acl objects' } });
  await press({});
  await press({ token: 'made-up' });
  expect(whispered).toEqual([gone, gone, gone]);
  expect(seen).toEqual([]);
});

test('a file of what was whispered is no button, and whoever makes up a click on one is recorded', async () => {
  const { present, press, seen, recorded } = start();
  await present({ headline: [], details: [table] }, { channel: 'C1', person: 'U1', source, whispered: true });
  await press({ button: 'export', detail: 'csv', whispered: true });
  expect(seen).toEqual([]);
  expect(recorded).toMatchObject([{ button: 'export', code: 'no_thread' }]);
});

test('a filter form is taken from the person it was opened for only', async () => {
  const { present, press, results, seen, forms } = start();
  await present({ headline: [], details: [table] }, { channel: 'C1', source });
  await press({ button: 'filter', detail: 'ask' });
  const [token = ''] = forms;
  const entered = { words: { rows: ['secret 7'] }, files: {} };
  expect(await results.submit({ team: 'T1', person: 'U2', token, entered })).toMatchObject({ kind: 'over' });
  expect(seen).toEqual([]);
  const settled = await results.submit({ team: 'T1', person: 'U1', token, entered });
  if (settled?.kind === 'closed') await settled.follow();
  expect(seen.map(wordsIn)).toEqual([['4 of 40 rows match secret 7']]);
});

test('a form that is not a filter is left to others', async () => {
  const { results, kept } = start();
  const form = { kind: 'form', channel: 'C1', person: 'U1', action: undefined, until: 1 } as const;
  kept.set('form', {
    ...form,
    token: 'form',
    content: { phrase: 'x' },
    takenBy: undefined,
    takenAt: undefined,
    became: undefined,
  });
  const entered = { words: {}, files: {} };
  expect(await results.submit({ team: 'T1', person: 'U1', token: 'form', entered })).toBeUndefined();
});

test.each([
  ['', 'Rows 1–15 of 40'],
  ['x', 'Rows 1–15 of 40'],
  ['1.5', 'Rows 1–15 of 40'],
  ['-3', 'Rows 1–15 of 40'],
  ['99', 'Rows 31–40 of 40'],
])('a page %j that there is not is one that there is', async (detail, words) => {
  const { present, press, seen } = start();
  await present({ headline: [], details: [table] }, { channel: 'C1', source });
  await press({ detail });
  expect(seen.map(wordsIn)).toEqual([[words]]);
});

test.each<[string, (content: object) => object]>([
  [
    'kept by a version that kept no source',
    ({ source: _, ...content }: { readonly source?: unknown }) => content,
  ],
  ['with a cell that is none', (content) => ({ ...content, table: { ...table, rows: [[['a']], [[1]]] } })],
  [
    'with lines where keys are by now',
    (content) => ({
      ...content,
      table: { ...table, behind: { lines: [], count: 1, elsewhere: [] } },
    }),
  ],
  ['that is a filter on nothing', () => ({ holds: 'filter', filter: 'a' })],
])('a result %s is gone, and nothing breaks', async (_, edit) => {
  const { present, press, kept, seen, whispered, forms } = start();
  await present({ headline: [], details: [table] }, { channel: 'C1', source });
  const result = kept.get('token1');
  if (result === undefined) throw new Error('It is kept');
  kept.set('token1', { ...result, content: edit(Object(result.content)) as never });
  await press({});
  await press({ button: 'export', detail: 'csv' });
  await press({ button: 'filter', detail: 'ask' });
  expect(whispered).toEqual([gone, gone, gone]);
  expect([seen, forms]).toEqual([[], []]);
});

test('a form of a filter that cannot be read is none', async () => {
  const { results, kept } = start();
  const form = {
    token: 'f',
    kind: 'form',
    content: { holds: 'filter form' },
    person: 'U1',
    channel: 'C1',
  } as const;
  kept.set('f', {
    ...form,
    action: undefined,
    until: 1,
    takenBy: undefined,
    takenAt: undefined,
    became: undefined,
  });
  const submission = { team: 'T1', person: 'U1', token: 'f', entered: { words: {}, files: {} } };
  expect(await results.submit(submission)).toBeUndefined();
});

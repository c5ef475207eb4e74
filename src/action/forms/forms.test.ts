import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Appliance } from '../../api/index.ts';
import { file, flag, listed, oneOf, secret, text, word } from '../../handlers/argument.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { change } from '../../handlers/declare.ts';
import { cleanLine } from '../../handlers/language/line.ts';
import { createMatcher } from '../../handlers/language/phrase.ts';
import { readAsked } from '../../handlers/language/reading.ts';
import { plainText, type Reply, say } from '../../handlers/reply.ts';
import { openJournal } from '../../journal/journal.ts';
import { openSqlite } from '../../journal/storage/sqlite.ts';
import { createLog } from '../../telemetry/log.ts';
import type { Entered, Form } from '../base/form.ts';
import { createInteractionLog } from '../history/interactions.ts';
import type { Whisper } from '../showing/present.ts';
import { createForms, type FormParts } from './forms.ts';

/** A table and its columns: what the second picker offers hangs on what the first one says. */
const table = listed('a table', 'users', async () => [
  { word: '1', name: 'users', value: 'users' },
  { word: '2', name: 'groups', value: 'groups' },
]);
const column = listed('a column', 'name', async (_, { table: of }) => [
  { word: `${of}-name`, name: 'name', value: 1 },
  { word: 'x'.repeat(76), name: 'endless', value: 2 },
]);
const common = {
  kind: 'change',
  effect: 'write',
  verb: 'Create',
  doing: () => say``,
  done: () => say``,
  preview: async () => ({ kind: 'nothing', why: say`` }) as const,
  run: async () => ({ confirmed: true }),
  verify: { notCheckable: '' },
} as const;
const create = change({
  ...common,
  phrase: 'sql user create <name> <--password> [--rights] [--note] [--force]',
  args: {
    name: word('a user name', 'crm'),
    password: secret('a password'),
    rights: oneOf('the rights', ['read', 'write']),
    note: text('a note', 'ticket 4711', 20),
    force: flag('even if there is one'),
  },
  summary: 'Create a database user',
  example: 'sql user create crm',
});
const index = change({
  ...common,
  phrase: 'sql index create <table> on <column>… from <other>',
  args: { table, column, other: table },
  summary: 'Create an index',
  example: 'sql index create users on name',
});
const upload = change({
  ...common,
  effect: 'destructive',
  phrase: 'upgrade hotfix <--file> <--reason>',
  args: { file: file('a hotfix', ['.tgz']), reason: text('a reason', 'security') },
  summary: 'Upload a hotfix',
  example: 'upgrade hotfix',
});

const entered = (words: Entered['words'], files: Entered['files'] = {}): Entered => ({ words, files });
const alice = { team: 'T1', channel: 'C1', person: 'U1', trigger: 't', replyTo: 'https://reply' };

/** Forms with a real journal; the appliance and the chat are played. */
async function desk(known: readonly AnyCommand[] = [create, index, upload]) {
  const folder = mkdtempSync(join(tmpdir(), 'forms-'));
  let at = Date.UTC(2026, 10, 21, 12);
  const journal = await openJournal(openSqlite(join(folder, 'journal.sqlite')), () => at);
  onTestFinished(async () => {
    await journal.close();
    rmSync(folder, { recursive: true });
  });
  const opened: Form[] = [];
  const whispers: Reply[] = [];
  const late: (() => void)[] = [];
  let allow = true;
  const commandByPhrase = new Map(known.map((one) => [one.phrase, one]));
  const whisper: Whisper = async (_, reply) => {
    whispers.push(reply);
  };
  const authority = {
    channel: () => ({ appliance: 'hq', appliances: 'all' }),
    decide: async () => ({ allow }),
    decideEach: async () => () => ({ allow }),
    approvalFor: () => ({ kind: 'not_needed' }),
    ticketFor: () => 'no',
    policy: () => ({}),
  } as unknown as FormParts['authority'];
  const parts: Partial<FormParts> = {
    ...{ commandByPhrase, journal, authority, whisper },
    interactionLog: createInteractionLog({ journal, authority, whisper }),
    appliances: new Map([['hq', { name: 'hq' } as Appliance]]),
    fleet: new Map([['hq', { tags: [] }]]),
    chat: {
      openForm: async (_: string, form: Form) => {
        opened.push(form);
        return true;
      },
    } as unknown as FormParts['chat'],
    log: createLog('silent'),
    now: () => at,
    after: (_, callback) => {
      late.push(callback);
      return () => undefined;
    },
  };
  const forms = createForms(parts as FormParts);
  const match = createMatcher(known);
  return {
    forms,
    opened,
    whispers,
    late,
    journal,
    commandByPhrase,
    deny: () => {
      allow = false;
    },
    wait: (milliseconds: number) => {
      at += milliseconds;
    },
    /** Opens the form for a line in which something is missing. */
    open: async (line: string): Promise<Form> => {
      const found = match(cleanLine(line));
      if (found.kind !== 'missing') throw new Error(`${line} is ${found.kind}`);
      expect(await forms.open({ ...alice, line }, found)).toBe(true);
      const form = opened.at(-1);
      if (form === undefined) throw new Error('No form was opened');
      return form;
    },
    submit: (token: string, given: Entered, person = 'U1') =>
      forms.submit({ team: 'T1', person, token, entered: given }),
    search: async (token: string, input: string, typed = '', given = entered({}), person = 'U1') =>
      (await forms.search({ token, input, typed, entered: given, person })).map(({ label }) => label),
  };
}

test('every slot and option is asked for in its order, each in its way, with what was typed in it', async () => {
  const { open } = await desk();
  const form = await open('sql user create crm --rights WRITE --note "for the shop" --force');
  expect(form).toMatchObject({ title: 'SQL user create', submit: 'Create' });
  expect(plainText(form.explanation)).toBe(
    'Create a database user. It runs on hq as soon as you press Create, or at the time that you write below.',
  );
  expect(form.inputs).toEqual([
    {
      name: 'name',
      label: 'User name',
      optional: false,
      kind: { is: 'line', initial: 'crm' },
      hint: 'For example: crm',
    },
    {
      name: 'password',
      label: 'Password',
      optional: false,
      kind: { is: 'secret' },
      hint: expect.stringContaining('not stored'),
    },
    {
      name: 'rights',
      label: 'Rights',
      optional: true,
      kind: { is: 'choice', among: ['read', 'write'], initial: 'write' },
    },
    {
      name: 'note',
      label: 'Note',
      optional: true,
      kind: { is: 'paragraph', initial: 'for the shop' },
      hint: 'For example: ticket 4711',
    },
    {
      name: 'force',
      label: 'Force',
      optional: true,
      kind: { is: 'flag', text: 'Even if there is one', initial: true },
    },
    expect.objectContaining({ name: 'at', label: 'Run at', optional: true, kind: { is: 'line' } }),
  ]);
});

test('two slots of a kind are told apart by the small words before them', async () => {
  const { open } = await desk();
  const { inputs } = await open('sql index create users on name');
  expect(inputs.map(({ label }) => label)).toEqual(['Table', 'Column', 'From table', 'Run at']);
  expect(inputs.slice(0, 3).map(({ kind }) => kind)).toEqual([
    { is: 'search', several: false, initial: [{ word: 'users', label: 'users' }] },
    { is: 'search', several: true, initial: [{ word: 'name', label: 'name' }] },
    { is: 'search', several: false, initial: [] },
  ]);
});

test('a name with a comma in it stays one, picked or typed in quotes', async () => {
  const { open, submit } = await desk();
  const { token, inputs } = await open('sql index create users on "Smith, John" first,last from');
  expect(inputs[1]?.kind).toMatchObject({
    initial: [{ word: 'Smith, John' }, { word: 'first' }, { word: 'last' }],
  });
  const settled = await submit(
    token,
    entered({ table: ['1'], column: ['Smith, John', 'last'], other: ['2'] }),
  );
  if (settled.kind !== 'accepted' || settled.invocation.asked === undefined) throw new Error(settled.kind);
  expect(settled.invocation.line).toBe('sql index create 1 on "Smith, John" last from 2');
  expect(readAsked(settled.invocation.asked)).toMatchObject({
    kind: 'command',
    args: { column: ['Smith, John', 'last'] },
  });
});

test('a password goes to the command as it was typed, and into no line and no journal', async () => {
  const { open, submit, journal } = await desk();
  const { token } = await open('sql user create');
  const password = ' “Pa–ss”  word, ';
  const settled = await submit(token, entered({ name: ['crm'], password: [password], force: [''] }));
  if (settled.kind !== 'accepted') throw new Error(settled.kind);
  const { invocation } = settled;
  expect(invocation).toMatchObject({
    team: 'T1',
    channel: 'C1',
    person: 'U1',
    replyTo: 'https://reply',
    line: 'sql user create crm --password ••• --force',
  });
  if (invocation.asked === undefined) throw new Error('Nothing is asked');
  expect(readAsked(invocation.asked)).toMatchObject({
    kind: 'command',
    args: { name: 'crm', password, rights: undefined, force: true },
  });
  expect(JSON.stringify(await journal.kept(token))).not.toContain('Pa–ss');
});

test('a password that came from a form before is asked for again, and not kept', async () => {
  const { forms, opened, journal } = await desk();
  const asked = {
    kind: 'missing',
    command: create,
    argument: 'name',
    typed: { password: ['hunter2'] },
  } as const;
  await forms.open({ ...alice, line: 'sql user create' }, asked);
  expect(JSON.stringify(opened)).not.toContain('hunter2');
  expect(await journal.kept(opened[0]?.token ?? '')).toMatchObject({ content: { typed: {} } });
});

test('everything that is wrong is said at once, and a password is not repeated', async () => {
  const { open, submit } = await desk();
  const { token } = await open('sql user create');
  const settled = await submit(
    token,
    entered({
      name: [' '],
      password: ['secret'.repeat(50)],
      note: ['far too long for a note'],
      rights: ['all'],
    }),
  );
  if (settled.kind !== 'problems') throw new Error(settled.kind);
  const said = Object.entries(settled.problems).map(([name, words]) => [name, plainText(words)]);
  expect(Object.fromEntries(said)).toEqual({
    name: 'This is required.',
    password: 'This does not fit: it has 300 characters, and at most 200 fit.',
    note: 'far too long for a note is not a note: it has 23 characters, and at most 20 fit.',
    rights: 'all is not the rights: it must be read or write.',
  });
  // It was not used up by that.
  expect(await submit(token, entered({ name: ['crm'], password: ['x'] }))).toMatchObject({
    kind: 'accepted',
  });
});

test('a file is handed on, and one of the wrong kind is told from its name', async () => {
  const { open, submit } = await desk();
  const { token, inputs } = await open('upgrade hotfix');
  expect(inputs[0]).toMatchObject({
    kind: { is: 'file', endings: ['.tgz'] },
    hint: expect.stringMatching(/^It must end in \.tgz\. .*choose Send to appliance/),
  });
  const reason = ['urgent'];
  const wrong = await submit(token, entered({ reason }, { file: { id: 'F1', name: 'photo.jpg', size: 9 } }));
  expect(wrong).toMatchObject({
    kind: 'problems',
    problems: { file: expect.arrayContaining([{ kind: 'code', text: 'photo.jpg' }]) },
  });
  const right = await submit(token, entered({ reason }, { file: { id: 'F2', name: 'fix.TGZ', size: 9 } }));
  if (right.kind !== 'accepted' || right.invocation.asked === undefined) throw new Error(right.kind);
  expect(readAsked(right.invocation.asked)).toMatchObject({
    kind: 'command',
    args: { file: { id: 'F2', name: 'fix.TGZ', size: 9 }, reason: 'urgent' },
  });
});

test('a file that is there already is not asked for again', async () => {
  const { forms, opened, submit } = await desk();
  const posted = { id: 'F1', name: 'fix.tgz', size: 9 };
  const typed = { file: [posted] };
  const asked = { kind: 'missing', command: upload, argument: 'reason', typed } as const;
  await forms.open({ ...alice, line: 'upgrade hotfix' }, asked);
  const [form] = opened;
  if (form === undefined) throw new Error('No form was opened');
  expect(form.inputs.map(({ name }) => name)).toEqual(['reason', 'at']);
  expect(plainText(form.explanation)).toBe(
    'Upload a hotfix. The file is fix.tgz. Before anything is done on hq, you see a preview of the impact and confirm it.',
  );
  const settled = await submit(form.token, entered({ reason: ['urgent'] }));
  if (settled.kind !== 'accepted' || settled.invocation.asked === undefined) throw new Error(settled.kind);
  expect(readAsked(settled.invocation.asked)).toMatchObject({ kind: 'command', args: { file: posted } });
});

test('of two clicks at once one is accepted, and the other is told so', async () => {
  const { open, submit } = await desk();
  const { token } = await open('sql user create');
  const given = entered({ name: ['crm'], password: ['x'] });
  const settled = await Promise.all([submit(token, given), submit(token, given)]);
  expect(settled.map(({ kind }) => kind).toSorted()).toEqual(['accepted', 'over']);
  const again = await submit(token, given);
  expect(again.kind === 'over' && plainText(again.why)).toBe(
    'You sent this form already, at 2026-11-21T12:00:00.000Z. It was not sent a second time. Wait for its answer.',
  );
});

test('nobody but the person it was opened for can send it or search in it', async () => {
  const { open, submit, search } = await desk();
  const { token } = await open('sql index create');
  const settled = await submit(token, entered({}), 'U2');
  expect(settled.kind === 'over' && plainText(settled.why)).toContain('opened for somebody else');
  expect(await search(token, 'table', '', entered({}), 'U2')).toEqual([]);
  expect(await search(token, 'table')).toHaveLength(2);
});

test('a form of a command that is gone, or of none, says so', async () => {
  const { open, submit, commandByPhrase } = await desk();
  const { token } = await open('sql user create');
  (commandByPhrase as Map<string, AnyCommand>).delete(create.phrase);
  const settled = await submit(token, entered({}));
  expect(settled.kind === 'over' && plainText(settled.why)).toContain(
    'The command sql user create no longer exists',
  );
  const unknown = await submit('made-up', entered({}));
  expect(unknown.kind === 'over' && plainText(unknown.why)).toContain('This form has expired');
});

test('a private address to answer to is used for half an hour only', async () => {
  const { open, submit, wait } = await desk();
  const { token } = await open('sql user create');
  wait(31 * 60_000);
  const settled = await submit(token, entered({ name: ['crm'], password: ['x'] }));
  expect(settled.kind === 'accepted' && settled.invocation.replyTo).toBeUndefined();
});

test('a picker knows what stands before it, and leaves out what it cannot carry', async () => {
  const { open, search, forms } = await desk();
  const { token } = await open('sql index create users on name');
  expect(await search(token, 'column')).toEqual(['name (users-name)']);
  expect(await search(token, 'column', '', entered({ table: ['2'] }))).toEqual(['name (groups-name)']);
  expect(await search(token, 'column', '', entered({ table: ['nonsense'] }))).toEqual([
    'name (undefined-name)',
  ]);
  expect(
    await forms.search({ token, person: 'U1', input: 'constructor', typed: '', entered: entered({}) }),
  ).toEqual([]);
});

test('a picker shows nothing to somebody whose role is gone', async () => {
  const { open, search, deny } = await desk();
  const { token } = await open('sql index create');
  deny();
  expect(await search(token, 'table')).toEqual([]);
});

test('a picker is answered in time though the appliance is slow, and what comes later serves the next key', async () => {
  let answer: (() => void) | undefined;
  const slow = change({
    ...common,
    phrase: 'sql drop <table>',
    args: {
      table: listed('a table', 'users', async () => {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return [{ word: '1', name: 'users', value: 1 }];
      }),
    },
    summary: '',
    example: '',
  });
  const { open, search, late } = await desk([slow]);
  const { token } = await open('sql drop');
  const first = search(token, 'table');
  while (answer === undefined) await new Promise(setImmediate);
  late.at(-1)?.();
  expect(await first).toEqual([]);
  const second = search(token, 'table', 'u');
  answer();
  expect(await second).toEqual(['users (1)']);
});

test('without a trigger, and on an appliance that is not there, nothing is opened', async () => {
  const { forms, opened, whispers } = await desk();
  const asked = { kind: 'missing', command: create, argument: 'name', typed: {} } as const;
  expect(await forms.open({ ...alice, trigger: undefined, line: 'sql user create' }, asked)).toBe(false);
  expect(whispers).toEqual([]);
  expect(await forms.open({ ...alice, line: 'sql user create' }, { ...asked, on: 'hw' })).toBe(true);
  expect(opened).toEqual([]);
  expect(whispers.map(({ headline }) => plainText(headline))).toEqual([
    expect.stringContaining('Unknown appliance hw.'),
  ]);
});

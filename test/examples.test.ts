import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { type Person, personIn } from '../sandbox/person.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { operations } from '../src/api/index.ts';
import { commands } from '../src/handlers/registry.ts';
import type { Action } from '../src/journal/journal.ts';
import { createLog } from '../src/log.ts';
import { withoutPhrase } from '../tools/without-phrase.ts';
import { unsynced } from './unsynced.ts';

/**
 * Every documented example runs, as somebody who may run everything, against a simulated appliance that is as it was
 * at its start. What the appliances were really asked is then held against the list of operations.
 */
let sandbox: Sandbox;
let dana: Person;
let carol: Person;
let ahead = 0;
let lookAtClock = () => {};
let shellPackage: Buffer;
const asked = new Set<string>();

beforeAll(async () => {
  shellPackage = await zipWith('shell.sh', '#!/bin/sh\nSHELL_PASS=""\nSCRIPT_ID="examples"\nexit 0\n');
  sandbox = await startSandbox({
    world: {
      journalFile: { open: unsynced },
      now: () => Date.now() + ahead,
      sleep: async (milliseconds) => {
        // Nobody compiles by itself here: `apply` and `pending` would have nothing to show.
        if (milliseconds > 4_500 && milliseconds <= 5_000) await new Promise(() => undefined);
        ahead += milliseconds;
      },
      every: (_, callback) => {
        lookAtClock = callback;
        return () => undefined;
      },
      log: createLog('silent'),
    },
  });
  carol = personIn(sandbox.workspace, { idle: () => sandbox.bot.answered() }, 'carol');
  dana = personIn(sandbox.workspace, { idle: () => sandbox.bot.answered() }, 'dana');
});
afterAll(() => sandbox.stop());

describe('the example of', () => {
  test.each(commands.map((command) => [command.phrase, command] as const))('%s runs', async (_, command) => {
    sandbox.appliance?.reset();
    await forgetLeases();
    sandbox.appliance?.turn(circumstances[command.phrase] ?? {});
    for (const line of command.before ?? []) await run(line);
    await meanwhile[command.phrase]?.();
    const action = await run(command.example);
    expect(action?.outcome?.says ?? '').not.toMatch(/undefined|\[object|NaN|Status/);
    expect({ line: command.example, state: action?.state, outcome: action?.outcome }).toMatchObject({
      state: 'done',
    });
    for (const { operation } of sandbox.appliance?.requests ?? []) if (operation) asked.add(operation);
  });
});

/** What an appliance must have come to by itself before an example makes sense. */
const circumstances: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'emergency remove': { proxyMode: 'global_emergency' },
};

/** What must have happened between the lines before an example and the example. */
const meanwhile: Readonly<Record<string, () => Promise<void>>> = {
  // Its time is over, and nobody can see whether it is.
  'emergency confirm over <--reason>': async () => {
    for (const path of ['- /status', '- /proxy/auth/status']) {
      sandbox.appliance?.faults.set(path, { kind: 'status', status: 500 });
    }
    ahead += 31 * 60_000;
    lookAtClock();
    await expect.poll(async () => (await sandbox.bot.journal.timedChange('hq'))?.tries).toBe(1);
  },
};

/** An appliance that was put back is in no emergency, and nothing is to be ended there. */
async function forgetLeases(): Promise<void> {
  const { journal } = sandbox.bot;
  for (const { id } of await journal.timedChanges())
    await journal.endTimedChange(id, { how: 'found', says: '' });
}

/** Types a line, fills in the form that it opens, and says yes where it is asked. */
async function run(line: string): Promise<Action | undefined> {
  const [before] = await sandbox.bot.journal.recent(1);
  await dana.type('helpdesk', `/appliance ${line}`);
  const form = dana.form();
  if (form !== undefined) {
    const blank = form.fields.filter(({ isOptional, value }) => !isOptional && value.length === 0);
    const filled = blank.map(({ label, kind }) => [
      label,
      kind === 'file_input' ? fileFor(line) : 'Sandbox-4711',
    ]);
    await dana.fill(Object.fromEntries(filled));
    await dana.submit();
  }
  const [action] = await sandbox.bot.journal.recent(1);
  if (action === undefined || action.id === before?.id) return undefined;
  if (action.state !== 'waiting') return action;
  if (action.consent !== undefined) {
    await carol.press('helpdesk', 'Approve');
    return sandbox.bot.journal.byId(action.id);
  }
  await dana.press('helpdesk', verbOf(action));
  return sandbox.bot.journal.byId(action.id);
}

async function zipWith(name: string, content: string): Promise<Buffer> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

function verbOf(action: Action): string {
  const command = commands.find(({ phrase }) => phrase === action.phrase);
  if (command?.kind !== 'change') throw new Error(`${action.line} waits, and changes nothing`);
  return command.verb;
}

/** A shell package is opened and repacked on its way; of the others it is enough that they are whole. */
function fileFor(line: string): { readonly name: string; readonly content: Buffer } {
  return line.includes('shell')
    ? { name: 'package.zip', content: shellPackage }
    : { name: 'upgrade.tgz', content: gzipSync('an upgrade') };
}

const patterns = Array.from({ length: 120 }, (_, index) => `p${index}.example.com`).join(' ');

test.each([
  ['many records, which go by path', `acl record add google_sni ${patterns}`],
  ['many sites, which go in one request', `category add ${patterns} to 252`],
  ['sites that are wanted at once', 'category add fresh.example.net to 252 --now'],
  ['the other directory protocol', 'directory connect ntlm', 'directory disconnect ntlm'],
])('what no example shows runs, too: %s', async (_, ...lines) => {
  sandbox.appliance?.reset();
  for (const line of lines) expect(await run(line)).toMatchObject({ state: 'done' });
  for (const { operation } of sandbox.appliance?.requests ?? []) if (operation) asked.add(operation);
});

test('every operation of the appliance is used by one of these lines, or stands in the list with its reason', () => {
  const declared = new Map(
    [...operations].map(([name, { method, methodShown, path }]) => [
      `${methodShown ? method : '-'} ${path}`,
      name,
    ]),
  );
  expect(asked.size).toBeGreaterThan(0);
  const used = new Set([...asked].map((operation) => declared.get(operation) ?? operation));
  const unused = [...operations.keys()].filter((name) => !used.has(name));
  const advice = unused
    .filter((name) => !Object.hasOwn(withoutPhrase, name))
    .map(
      (name) => `Add a command that uses it, or to tools/without-phrase.ts why none does: '${name}': '…',`,
    );
  expect(advice).toEqual([]);
  expect(unused.toSorted()).toEqual(Object.keys(withoutPhrase).toSorted());
});

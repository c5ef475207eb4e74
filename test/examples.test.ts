import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../src/api/index.ts';
import { commands } from '../src/handlers/registry.ts';
import { withoutPhrase } from '../tools/without-phrase.ts';
import { type Examples, startExamples } from './example-runner.ts';
import { heardOf } from './heard.ts';
import { rawTimesIn } from './raw-times.ts';

/**
 * Every documented example runs, as somebody who may run everything, against a simulated appliance that is as it was
 * at its start. What the appliances were really asked is then held against the list of operations.
 */
let examples: Examples;
const asked = new Set<string>();

beforeAll(async () => {
  examples = await startExamples();
});
afterAll(() => examples.sandbox.stop());

function noteAsked(): void {
  for (const { operation } of examples.sandbox.appliance?.requests ?? []) if (operation) asked.add(operation);
}

describe('the example of', () => {
  test.each(commands.map((command) => [command.phrase, command] as const))('%s runs', async (_, command) => {
    await examples.prepare(command);
    const action = await examples.run(command.example);
    expect(action?.outcome?.says ?? '').not.toMatch(/undefined|\[object|NaN|Status(?! read back)/);
    expect({ line: command.example, state: action?.state, outcome: action?.outcome }).toMatchObject({
      state: 'done',
    });
    noteAsked();
  });
});

test('no message shows a moment as machines write it', () => {
  const people = examples.sandbox.workspace.people.map(({ id }) => id);
  const raw = people.flatMap((id) => rawTimesIn(examples.sandbox.workspace.snapshot(id)));
  expect([...new Set(raw)]).toEqual([]);
});

test('the messages can be heard as well: the text has nine words of ten, or says where the rest is', () => {
  const all = heardOf(examples.sandbox);
  expect(all.length).toBeGreaterThan(300);
  const lost = all.filter(
    ({ text, seen, heard }) => heard < 0.9 * seen && !text.endsWith('The rest is in the message.'),
  );
  expect(lost.map(({ text, seen, heard }) => `${heard} of ${seen}: ${text.slice(0, 200)}`)).toEqual([]);
});

const patterns = Array.from({ length: 120 }, (_, index) => `p${index}.example.org`).join(' ');

test.each([
  ['many records, which go by path', `acl record add google_sni ${patterns}`],
  ['many sites, which go in one request', `category add ${patterns} to 252`],
  ['sites that are wanted at once', 'category add fresh.example.net to 252 --now'],
  ['the other directory protocol', 'directory connect ntlm', 'directory disconnect ntlm'],
])('lines that no example shows run, too: %s', async (_, ...lines) => {
  examples.sandbox.appliance?.reset();
  for (const line of lines) expect(await examples.run(line)).toMatchObject({ state: 'done' });
  noteAsked();
});

test('every operation of the appliance is used by one of these lines, or listed with its reason', () => {
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

import { expect } from 'vitest';
import { operations } from '../src/api/index.ts';
import type { AnyCommand } from '../src/handlers/command.ts';
import { lineOf } from '../src/handlers/language/asked.ts';
import type { GivenSlots } from '../src/handlers/lists/posted-file.ts';
import { commands, match } from '../src/handlers/registry.ts';
import { type Conversation, converse } from './conversation.ts';

/** Things that people may type as an ID, and that are none. */
export const words = ['-1', '0', '1.5', '99999999999', 'nonsense'] as const;

/** Operations that only read, as the simulated appliance names them. */
const reading = new Set(
  [...operations.values()]
    .filter(({ effect }) => effect === 'read')
    .map(({ method, methodShown, path }) => `${methodShown ? method : '-'} ${path}`),
);

/** Requests that changed something on the appliances. */
export const changes = ({ appliance }: Conversation) =>
  appliance.requests.flatMap(({ operation = 'unknown', path }) => (reading.has(operation) ? [] : [path]));

/** Texts that no person should read, besides an answer of several screens. */
const unreadable = /undefined|\[object|NaN|null|Status|internal|\{"/;

/** Arguments that take a number, or a listed object: places where a wrong ID can be typed. */
export const identified = commands.flatMap((command) =>
  Object.entries(command.args)
    .filter(([, argument]) => argument.list !== undefined || takesNumbers(argument.read))
    .map(([name]) => ({ command, name })),
);

function takesNumbers(read: AnyCommand['args'][string]['read']): boolean {
  const reading = read('nonsense');
  return !reading.ok && reading.problem.code === 'not_a_number' && read('1').ok;
}

/** The example of a command with another word for one of its arguments; without what only a form takes. */
function exampleWith({ command, name }: (typeof identified)[number], word: string): string {
  const found = match(command.example);
  const typed: GivenSlots = 'typed' in found ? found.typed : {};
  return lineOf({ command, typed: { ...typed, [name]: [word] } });
}

/** Types a line and sends the form for its missing parts; resolves to the journal's record of the answer. */
async function ask(conversation: Conversation, line: string) {
  const { bot, person } = conversation;
  const dana = person('dana');
  const [before] = await bot.journal.recent(1);
  await dana.type('helpdesk', `/appliance ${line}`);
  const form = dana.form();
  if (form !== undefined) {
    const blank = form.fields.filter(({ isOptional, value }) => !isOptional && value.length === 0);
    await dana.fill(Object.fromEntries(blank.map(({ label }) => [label, 'Sandbox-4711'])));
    await dana.submit();
    expect({ line, errors: dana.form()?.errors }).toEqual({ line, errors: undefined });
  }
  const [action] = await bot.journal.recent(1);
  expect({ line, isNew: action !== undefined && action.id !== before?.id }).toEqual({ line, isNew: true });
  return { line, state: action?.state, says: action?.outcome?.says ?? '' };
}

/** Types each of these, and none of them does anything. */
export async function expectPlainSentences(
  typed: readonly (readonly [one: (typeof identified)[number], word: string])[],
): Promise<void> {
  const conversation = await converse();
  for (const [one, word] of typed) {
    const { line, state, says } = await ask(conversation, exampleWith(one, word));
    const asked = { line, state, says };
    expect(['refused', 'failed', 'cancelled'], JSON.stringify(asked)).toContain(state);
    expect(asked).toEqual({ line, state, says: expect.stringMatching(/^[^\n]{15,300}[.:]$/) });
    expect(says).not.toMatch(unreadable);
    expect(says, line).toContain(word);
  }
  expect(changes(conversation)).toEqual([]);
  expect(conversation.workspace.log.calls().filter(({ ok }) => !ok)).toEqual([]);
}

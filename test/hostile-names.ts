import { expect } from 'vitest';
import { commands } from '../src/handlers/registry.ts';
import { type Conversation, converse } from './conversation.ts';
import { heardOf } from './heard.ts';
import { hostile, messagesSent, poison, wrongIn } from './hostile.ts';

/** Things that have a number, by it: their names are none that could be typed. */
const byId = [
  ...[
    'acl object 3',
    'acl records 3',
    'acl object delete 3',
    'acl object disable 3',
    'acl record delete 104',
  ],
  ...['category show 252', 'category add example.net to 252', 'category delete example.net from 252'],
  ...['rdp disconnect 12', 'rdp policy 5', 'rdp policy delete 5', 'rdp member 7', 'rdp member delete 7'],
  ...[
    'rdp target 4',
    'rdp target delete 4',
    'rdp policy link member 7 to 5',
    'ssl rule 2',
    'why example.com',
  ],
  ...['vlan interface 3', 'vlan stop 3', 'vlan unlink 3', 'sql users', 'sql processes', 'mfa users'],
  ...['acl object delete 3 --dry-run', 'rdp member change 7 --username bob --dry-run', 'acl find <!channel>'],
];

/** The example of every command, and what has a number. */
export const lines: readonly string[] = [...commands.map(({ example }) => example), ...byId];

type Names = (state: object) => void;

export const hostileNames: Names = (state) => poison(state, hostile);
/** 10,000 characters. */
export const tooLong: Names = (state) => poison(state, ` ${'long '.repeat(2_000)}`, 2);

/** A thousand of everything that has a number. */
export const crowded: Names = (state) => {
  for (const value of Object.values(state)) {
    if (value instanceof Map) crowd(value);
    else if (typeof value === 'object' && value !== null) crowded(value);
  }
};

function crowd(map: Map<unknown, unknown>): void {
  const [key, value] = [...map].at(-1) ?? [];
  if (typeof key !== 'number' || typeof value !== 'object' || value === null) return;
  for (let number = key + 1; map.size < 1_000; number += 1) {
    const copy = structuredClone(value) as Record<string, unknown>;
    if (typeof copy.id === 'number') copy.id = number;
    if (typeof copy.name === 'string') copy.name = `${copy.name} ${number} ${'of a long name '.repeat(8)}`;
    map.set(number, copy);
  }
}

/** Types each line where things are called so: Slack takes all that the bot says, and nothing in it is obeyed. */
export async function expectObeyedByNobody(name: Names, typed: readonly string[]): Promise<Conversation> {
  const conversation = await converse();
  const { appliance, workspace } = conversation;
  name(appliance.state);
  for (const line of typed) await typeOnly(conversation, line);
  expect(workspace.log.calls().filter(({ ok }) => !ok)).toEqual([]);
  expect(wrongIn(messagesSent(conversation))).toEqual([]);
  return conversation;
}

/** Nine words of ten that are seen stand in the text as well, or it says where the rest is. */
export function expectHeard(conversation: Conversation): void {
  const unheard = heardOf(conversation).filter(
    ({ text, seen, heard }) => heard < 0.9 * seen && !text.endsWith('The rest is in the message.'),
  );
  expect(unheard.map(({ text, seen, heard }) => `${heard} of ${seen}: ${text.slice(0, 200)}`)).toEqual([]);
}

/** Types a line and leaves its form, if it opens one. */
async function typeOnly({ person }: Conversation, line: string): Promise<void> {
  const dana = person('dana');
  await dana.type('helpdesk', `/appliance ${line}`);
  if (dana.form() !== undefined) await dana.dismiss();
}

import type { Conversation } from './conversation.ts';

export const idOf = ({ workspace }: Pick<Conversation, 'workspace'>, name: string): string =>
  workspace.people.find((one) => one.name === name)?.id ?? name;

/** All words on somebody's page, a line a block, with buttons in brackets. */
export function page(house: Pick<Conversation, 'workspace'>, name: string): string {
  const { home } = house.workspace.snapshot(idOf(house, name));
  return (home?.blocks ?? []).map((block) => wordsIn(block)).join('\n');
}

export function wordsIn(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsIn).join('');
  if (typeof value !== 'object' || value === null) return '';
  const { type, text, name, user_id, channel_id, elements, fallback, columns, rows, fields, accessory } =
    Object(value);
  if (accessory !== undefined) return `${wordsIn(text)}\n${wordsIn(accessory)}`;
  if (type === 'button') return `[${text.text}]`;
  if (type === 'emoji') return `:${name}:`;
  if (type === 'user') return `@${user_id}`;
  if (type === 'channel') return `#${channel_id}`;
  if (type === 'date') return fallback;
  return typeof text === 'string' ? text : wordsIn(text ?? elements ?? rows ?? fields ?? columns);
}

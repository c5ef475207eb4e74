import type { Conversation } from './conversation.ts';

/** A hostile name: a chat, a terminal or an eye would obey parts of it. */
export const hostile =
  ' <!channel> <@U0ALICE001> *bold* _it_ `code` <https://evil.example|wiki> &amp; \u202egnp\u202c\u0000\u0007\u001b[31m\nnext';

/** Fields of the simulated appliance that people fill with what they like. */
const given = new Set([
  ...['name', 'username', 'full_name', 'description', 'target', 'text', 'uid', 'other', 'note', 'comment'],
  ...['user', 'statement', 'pattern', 'reason', 'repository', 'client', 'title', 'broken', 'what', 'who'],
]);

/**
 * Appends to everything in a state that has a name, as people could have named it.
 * @param most so many entries of each collection; all when absent
 */
export function poison(state: object, suffix: string, most = Number.POSITIVE_INFINITY): void {
  const seen = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || value instanceof Date || seen.has(value)) return;
    seen.add(value);
    if (value instanceof Map || value instanceof Set || Array.isArray(value)) {
      for (const held of [...value.values()].slice(0, most)) visit(held);
      return;
    }
    for (const [key, held] of Object.entries(value)) {
      if (typeof held === 'string' && given.has(key)) Reflect.set(value, key, held + suffix);
      else visit(held);
    }
  };
  visit(state);
}

interface Said {
  /** Read as formatting by Slack. */
  readonly isMarkup: boolean;
  readonly text: string;
}

/** Every piece of text that the bot gave to Slack, wherever it stood. */
export function messagesSent({ workspace }: Pick<Conversation, 'workspace'>): readonly Said[] {
  return workspace.log.calls().flatMap(({ args }) => piecesOf(args));
}

function piecesOf(args: Readonly<Record<string, unknown>>): readonly Said[] {
  return Object.entries(args).flatMap(([name, value]): readonly Said[] => {
    if (name === 'text' || name === 'initial_comment') return [{ isMarkup: true, text: String(value) }];
    const parsed: unknown = typeof value === 'string' && /^[[{]/.test(value) ? JSON.parse(value) : value;
    return stringsIn(parsed, false);
  });
}

function stringsIn(value: unknown, isMarkup: boolean): readonly Said[] {
  if (typeof value === 'string') return [{ isMarkup, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  const inside = 'type' in value && value.type === 'mrkdwn';
  return Object.values(value).flatMap((held: unknown) => stringsIn(held, inside));
}

/** The texts in which something from an appliance would be obeyed, each cut short, without repetition. */
export function wrongIn(said: readonly Said[]): readonly string[] {
  const wrong = said.filter(
    ({ isMarkup, text }) =>
      // Line ends and tabs stand in what is set in fixed width. The bot's own links open messages of the workspace.
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what must not be there
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(text) ||
      (isMarkup &&
        /<!(?!date\^|subteam\^S0)|<@U0ALICE|<https?:(?!\/\/127\.0\.0\.1:\d+\/archives\/[A-Z0-9]+\/p\d+\|)|\*bold\*|(?<!\w)_it_|`code`/.test(
          outsideCode(text),
        )),
  );
  return [...new Set(wrong.map(({ text }) => JSON.stringify(text.slice(0, 300))))];
}

/** In code nothing is bold, and only mentions and links are read. */
const outsideCode = (text: string): string =>
  text.replace(/`(?!code)[^`\n]*`/g, (code) => code.replace(/[*_]/g, ''));

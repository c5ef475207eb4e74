import { domain, identifier, word } from '../src/handlers/argument.ts';
import { command } from '../src/handlers/command.ts';
import { cleanLine } from '../src/handlers/line.ts';
import { createMatcher } from '../src/handlers/phrase.ts';
import { say } from '../src/handlers/reply.ts';

/** A small language to match against: one of each kind of slot. */
const answer = async () => ({ headline: say`` });
/** What every command declares and no test of matching looks at. */
export const common = { kind: 'lookup', effect: 'read', summary: '', example: '', answer } as const;

export const categorize = command({
  ...common,
  phrase: 'categorize <domain>…',
  also: ['category of <domain>…'],
  args: { domain },
});
export const disconnect = command({
  ...common,
  phrase: 'rdp disconnect <session>',
  args: { session: identifier('a session number', '12') },
});
export const sessions = command({ ...common, phrase: 'rdp sessions', args: {} });
export const move = command({
  ...common,
  phrase: 'move <domain> <category>',
  args: { domain, category: word('a category', 'shopping') },
});
export const help = command({ ...common, phrase: 'help [topic]…', args: { topic: word('a topic', 'rdp') } });

const lines = createMatcher([categorize, disconnect, sessions, move, help]);
/** As the flow does it: cleaned once, then matched. */
export const match = (typed: string) => lines(cleanLine(typed));

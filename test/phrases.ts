import { domain, flag, identifier, text, word } from '../src/handlers/argument.ts';
import { lookup } from '../src/handlers/declare.ts';
import { cleanLine } from '../src/handlers/language/line.ts';
import { createMatcher } from '../src/handlers/language/phrase.ts';
import { say } from '../src/handlers/reply.ts';

/** A small language to match against: one of each kind of slot. */
const answer = async () => ({ headline: say`` });
/** Fields that every command declares and no test of matching reads. */
export const common = { kind: 'lookup', effect: 'read', summary: '', example: '', answer } as const;

export const categorize = lookup({
  ...common,
  phrase: 'categorize <domain>…',
  also: ['category of <domain>…'],
  args: { domain },
});
export const disconnect = lookup({
  ...common,
  phrase: 'rdp disconnect <session>',
  args: { session: identifier('a session number', '12') },
});
export const sessions = lookup({ ...common, phrase: 'rdp sessions', args: {} });
export const move = lookup({
  ...common,
  phrase: 'move <domain> <category>',
  args: { domain, category: word('a category', 'shopping') },
});
export const help = lookup({ ...common, phrase: 'help [topic]…', args: { topic: word('a topic', 'rdp') } });

const object = word('an object', '12');
const policy = word('a policy', '3');
export const enable = lookup({ ...common, phrase: 'acl object enable <object>', args: { object } });
export const remove = lookup({ ...common, phrase: 'acl object delete <object>', args: { object } });
export const show = lookup({ ...common, phrase: 'rdp policy <policy>', args: { policy } });
export const link = lookup({
  ...common,
  phrase: 'rdp policy link <policy> member <other>',
  args: { policy, other: word('a member', '9') },
});
export const linkTarget = lookup({
  ...common,
  phrase: 'rdp policy link <policy> target <other>',
  args: { policy, other: word('a target', '9') },
});
export const category = lookup({
  ...common,
  phrase: 'category add <site>… to <category> [--note] [--all]',
  args: {
    site: domain,
    category: word('a category', '252'),
    note: text('a note', ''),
    all: flag('all of them'),
  },
});

const lines = createMatcher([categorize, disconnect, sessions, move, help]);
/** As the flow does it: cleaned once, then matched. */
export const match = (typed: string) => lines(cleanLine(typed));

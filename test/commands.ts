import type { AnyCommand, Guide, Rights } from '../src/handlers/command.ts';
import { commands } from '../src/handlers/registry.ts';
import { linesOf, type Part, plainText, type Reply } from '../src/handlers/reply.ts';

/** `command()` hands a command of any kind back; a test knows which kind its command is. */
export function ofKind<
  Kind extends AnyCommand['kind'],
  Declared extends { readonly kind: AnyCommand['kind'] },
>(kind: Kind, command: Declared): Extract<Declared, { readonly kind: Kind }> {
  if (command.kind !== kind) throw new Error(`This is not a ${kind}`);
  // The check above is what Extract says.
  return command as Extract<Declared, { readonly kind: Kind }>;
}

/** The guide for somebody who may run the commands that only read. */
export function guideFor(
  given: Partial<Guide> = {},
  rolesOf: (command: AnyCommand) => readonly string[] = rolesByEffect,
): Guide {
  return {
    roles: ['viewer'],
    served: true,
    appliance: 'hq',
    appliances: [{ name: 'hq', tags: [] }],
    obstacle: undefined,
    words: {},
    commands: commands.map((command) => ({
      command,
      allowed: command.effect === 'read',
      roles: rolesOf(command),
    })),
    ...given,
  };
}

const rolesByEffect = ({ effect }: AnyCommand) =>
  effect === 'read' ? ['viewer', 'helpdesk', 'admin'] : ['helpdesk', 'admin'];

/** A reply as plain lines. */
export const read = ({ headline, details = [] }: Reply): string =>
  [plainText(headline), ...details.flatMap(toldBy)].join('\n');

/** Short where tests spell it out; any other kind as it stands in a file. */
function toldBy(part: Part): readonly string[] {
  switch (part.kind) {
    case 'fields':
      return part.fields.map(({ name, value }) => `${name}: ${plainText(value)}`);
    case 'list':
      return part.items.map(plainText);
    case 'table':
      return part.rows.map((row) => row.map(plainText).join(' | '));
    case 'offers':
      return part.offers.map(({ label, line }) => `[${label}: ${line}]`);
    default:
      return linesOf(part);
  }
}

/** The rows of a reply's table, which is its first detail. */
export function rowsOf({ details = [] }: Reply): readonly (readonly string[])[] {
  const [table] = details;
  return table?.kind === 'table' ? table.rows.map((row) => row.map(plainText)) : [];
}

/** For commands that tell nothing about who may do what. */
const noRights: Rights = {
  whoCan: () => Promise.reject(new Error('Nobody asks who can')),
  can: () => Promise.reject(new Error('Nobody asks whether somebody can')),
  approval: () => undefined,
};

/** Parts of an invocation that commands without history or appliance do not read. */
export const unasked = {
  on: undefined,
  dryRun: false,
  thread: undefined,
  otherwise: () => [],
  rights: noRights,
  history: {
    here: () => Promise.reject(new Error('Nobody asks what was done here')),
    everywhere: () => Promise.reject(new Error('Nobody asks what was done')),
    one: () => Promise.reject(new Error('Nobody asks what was done')),
    notUnderstood: () => Promise.reject(new Error('Nobody asks what was not understood')),
    timeZone: 'UTC',
  },
  temporary: async () => [],
  planned: async () => [],
  plans: {
    list: async () => [],
    leave: () => Promise.reject(new Error('Nobody leaves a plan')),
    stop: () => Promise.reject(new Error('Nobody stops a plan')),
  },
  calendar: () => ({ timeZone: 'UTC', freezes: [], windows: [] }),
  waits: () => Promise.reject(new Error('Nobody is asked what waits for them')),
  called: async () => [],
  requests: {
    ask: () => Promise.reject(new Error('Nobody asks for a site')),
    withdraw: () => Promise.reject(new Error('Nobody withdraws a request')),
    list: () => Promise.reject(new Error('Nobody asks what is requested')),
  },
  watches: {
    all: () => Promise.reject(new Error('Nobody asks what is watched')),
    stop: () => Promise.reject(new Error('Nobody stops anything')),
    called: () => Promise.reject(new Error('Nobody stops watching anything')),
    schedule: () => Promise.reject(new Error('Nobody schedules anything')),
    isElsewhere: false,
    timeZone: 'UTC',
  },
  standing: {
    waiting: () => Promise.reject(new Error('Nobody asks what waits')),
    lastChange: () => Promise.reject(new Error('Nobody asks what was changed')),
    lastLine: () => Promise.reject(new Error('Nobody asks what was typed')),
    nextPage: () => Promise.reject(new Error('Nobody asks for a page')),
  },
};

/** Slack sends a mention as an ID, which is all that the bot ever reads of it. */
export const asSlackSends = (line: string): string => line.replaceAll(/@\w+/g, '<@U0BOB00001>');

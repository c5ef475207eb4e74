import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { vocabularyOf } from '../../src/action/authority/authority.ts';
import { inForce, shippedApprovals, shippedRoles } from '../../src/auth/policy.ts';
import { readPolicyText } from '../../src/config/policy-file.ts';
import { whyUnreadable } from '../../src/config/secret.ts';
import type { PolicyFile } from '../../src/config/shape/file-shape.ts';
import { unknownWords } from '../../src/config/unknown-words.ts';
import { commands, match } from '../../src/handlers/registry.ts';
import { plural } from '../../src/handlers/reply.ts';
import { inLines, type Problem } from '../../src/problem.ts';
import { misuse, noSuchCommand, readWords, type Terminal } from '../terminal.ts';
import { askAppliances } from './ask-appliances.ts';
import { doubts } from './doubts.ts';
import { explainLine, isKind, kinds } from './explain-line.ts';
import { groupsIn, peopleIn } from './holders.ts';

const usage = `Usage:

appliance-bot policy check [--ask] FILE
    Checks a policy file. Lists all errors, or confirms that the file is valid and lists warnings. Exits with 0 if the
    file is valid. With --ask, it also checks that each appliance accepts the bot with this address and key, and says
    what to set if not. No changes are made. --ask requires the secrets that the file refers to.

appliance-bot policy explain --user U… --channel C… [--group S…]… [--kind ${kinds.join('|')}]
                             [--shared] [--config FILE] "rdp disconnect 12"
    Shows what a line means, whether this person may run it in this channel, and why. Does not contact Slack, so add the
    person's user groups (--group), the kind of account (--kind, default: member) and whether the channel is shared
    with another organization (--shared). Does not contact appliances either, so for a name that only an appliance can
    resolve, it shows what the decision depends on. Exits with 0 if the line is allowed in every case.

Default FILE: the one in APPLIANCE_BOT_CONFIG. Without --ask, the secrets that the file refers to do not have to be set.
`;

/** Runs the tool with the words of its command line; resolves to its exit code. */
export async function policyTool(words: readonly string[], terminal: Terminal): Promise<number> {
  const { write, environment } = terminal;
  const fail = (why: string) => misuse(why, usage, terminal);
  const typed = readWords(() => parse(words), usage, terminal);
  if ('code' in typed) return typed.code;
  const { values, positionals } = typed.parsed;
  const [task, ...rest] = positionals;
  if (task !== 'check' && task !== 'explain') return fail(noSuchCommand(task, ['check', 'explain']));
  const file = values.config ?? (task === 'check' ? rest[0] : undefined) ?? environment.APPLIANCE_BOT_CONFIG;
  if (!file) return fail('Missing policy file. Add its path, or set APPLIANCE_BOT_CONFIG.');
  if (task === 'check') {
    return rest.length > 1
      ? fail('Too many files. check takes one file.')
      : check(file, terminal, values.ask ?? false);
  }

  const { user, channel, group = [], kind = 'member', shared = false } = values;
  const line = rest.join(' ');
  if (user === undefined || channel === undefined || line === '') {
    return fail('Missing --user, --channel or the line.');
  }
  if (!isKind(kind)) return fail(`--kind takes one of ${kinds.join(', ')}.`);
  if (!/^[UW][A-Z0-9]+$/.test(user)) return fail('--user takes the Slack ID of a person (U…), not a name.');
  if (!/^[CGD][A-Z0-9]+$/.test(channel))
    return fail('--channel takes the Slack ID of a channel (C…), not a name.');
  if (!group.every((one) => /^S[A-Z0-9]+$/.test(one)))
    return fail('--group takes the Slack ID of a user group (S…), not a name.');
  const { read } = readPolicyFile(file, terminal);
  if (read === undefined) return 1;
  const told = await explainLine({
    ...{ line, user, channel, kind, commands, match, now: terminal.now },
    ...{ policy: inForce(read.policy), fleet: read.fleet },
    groups: new Set(group),
    place: shared ? 'shared' : 'own',
  });
  write(told.text);
  return told.isAllowed ? 0 : 1;
}

const parse = (words: readonly string[]) =>
  parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      user: { type: 'string' },
      channel: { type: 'string' },
      group: { type: 'string', multiple: true },
      kind: { type: 'string' },
      shared: { type: 'boolean' },
      config: { type: 'string' },
      ask: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });

async function check(file: string, terminal: Terminal, isToAsk: boolean): Promise<number> {
  const { read, missing, doubtful } = readPolicyFile(file, terminal);
  if (read === undefined) return 1;
  terminal.write(`${file} is valid: ${summaryOf(read)}.\n`);
  for (const { key, wrong } of doubtful) terminal.write(`  Warning: ${key}: ${wrong}\n`);
  // The bot may run elsewhere: a variable that is missing here may be set there.
  for (const { key, wrong } of missing) terminal.write(`  Not checked: ${key} ${wrong}\n`);
  if (!isToAsk) return 0;
  if (missing.length > 0) {
    terminal.write('No appliance was contacted. Set the secrets that the file refers to, and try again.\n');
    return 1;
  }
  const { text, areWell } = await askAppliances(read.appliances);
  terminal.write(text);
  return areWell ? 0 : 1;
}

/** Reads and checks a policy file, and writes what is wrong. */
export function readPolicyFile(
  file: string,
  { environment, write, now }: Terminal,
): {
  readonly read: PolicyFile | undefined;
  readonly missing: readonly Problem[];
  readonly doubtful: readonly Problem[];
} {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    write(`${file} ${whyUnreadable(error)}.\n`);
    return { read: undefined, missing: [], doubtful: [] };
  }
  const { meaning, missing, content, problemsWith, told } = readPolicyText(text, file, environment);
  const all = problemsWith(unknownWords(content, vocabularyOf(commands)));
  if (meaning !== undefined && all.length === 0) {
    return { read: meaning, missing, doubtful: told(doubts(meaning, commands, now())) };
  }
  write(`${file} has ${plural(all.length, 'error')}.\n\n${inLines(all)}\n`);
  return { read: undefined, missing, doubtful: [] };
}

function summaryOf({ appliances, policy }: PolicyFile): string {
  const own = Object.keys(policy.roles).length - Object.keys(shippedRoles).length;
  return [
    plural(appliances.length, 'appliance'),
    plural(Object.keys(policy.channels).length, 'channel'),
    `${plural(peopleIn(policy).size, 'person', 'people')} and ${plural(groupsIn(policy).size, 'user group')} by ID`,
    plural(own, 'custom role'),
    plural(policy.approvals.length - shippedApprovals.length, 'custom approval'),
  ].join(', ');
}

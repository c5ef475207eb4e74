import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { vocabularyOf } from '../src/action/authority/vocabulary.ts';
import { inForce } from '../src/auth/in-force.ts';
import { type Policy, shippedApprovals, shippedRoles } from '../src/auth/policy.ts';
import { readPolicyText } from '../src/config/policy-file.ts';
import { whyUnreadable } from '../src/config/secret.ts';
import type { PolicyFile } from '../src/config/shape/file-shape.ts';
import { unknownWords } from '../src/config/unknown-words.ts';
import { commands, match } from '../src/handlers/registry.ts';
import { plural } from '../src/handlers/reply.ts';
import { inLines, type Problem } from '../src/problem.ts';
import { askAppliances } from './ask-appliances.ts';
import { explainLine, isKind, kinds } from './explain-line.ts';
import { doubts } from './policy-doubts.ts';
import { type Terminal, understand } from './terminal.ts';

const usage = `npm run policy -- check [--ask] FILE
    Tells everything that is wrong with a policy file, or that it is fine, and what in it is perhaps not meant. Exits 0
    when it is fine. With --ask it also asks each appliance, changing nothing, whether it serves the bot with this address
    and key, and says what to set where it does not; the secrets that the file refers to must be set then.

npm run policy -- explain --user U… --channel C… [--group S…]… [--kind ${kinds.join('|')}]
                          [--shared] [--config FILE] "rdp disconnect 12"
    Tells what a line means, whether this person may run it in this channel, and why. Asks nobody: not Slack, which
    knows the user groups somebody is in (--group), what kind of account it is (--kind, a member unless told) and
    whether the channel is shared with another organisation (--shared); and no appliance, so of what is not named by its
    ID it says what depends on that. Exits 0 when it is allowed whatever that is.

Without FILE it is the one that APPLIANCE_BOT_CONFIG names. Nothing has to be set that the file refers to.
`;

/** Runs the tool with the words of its command line; resolves to its exit code. */
export async function policyTool(words: readonly string[], terminal: Terminal): Promise<number> {
  const { write, environment } = terminal;
  const fail = (why: string) => {
    write(`${why}\n\n${usage}`);
    return 1;
  };
  const understood = understand(() => parse(words));
  if (!understood.ok) return fail(understood.why);
  const { values, positionals } = understood.parsed;
  const [task, ...rest] = positionals;
  if (values.help) {
    write(usage);
    return 0;
  }
  if (task !== 'check' && task !== 'explain') return fail('Choose a subcommand: check or explain.');
  const file = values.config ?? (task === 'check' ? rest[0] : undefined) ?? environment.APPLIANCE_BOT_CONFIG;
  if (!file) return fail('Give the policy file.');
  if (task === 'check') {
    return rest.length > 1
      ? fail('Give one file: check takes one at a time.')
      : check(file, terminal, values.ask ?? false);
  }

  const { user, channel, group = [], kind = 'member', shared = false } = values;
  const line = rest.join(' ');
  if (user === undefined || channel === undefined || line === '') {
    return fail('Give a person (--user), a channel (--channel) and a line.');
  }
  if (!isKind(kind)) return fail(`--kind is one of ${kinds.join(', ')}.`);
  if (!/^[UW][A-Z0-9]+$/.test(user)) return fail('--user takes the Slack ID of a person (U…), not a name.');
  if (!/^[CGD][A-Z0-9]+$/.test(channel))
    return fail('--channel takes the Slack ID of a channel (C…), not a name.');
  if (!group.every((one) => /^S[A-Z0-9]+$/.test(one)))
    return fail('--group takes the Slack ID of a user group (S…), not a name.');
  const { read } = readFile(file, terminal);
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
  const { read, missing, doubtful } = readFile(file, terminal);
  if (read === undefined) return 1;
  terminal.write(`${file} is valid: ${summaryOf(read)}.\n`);
  for (const { key, wrong } of doubtful) terminal.write(`  Warning: ${key}: ${wrong}\n`);
  // Where the bot runs is another place: what is not set here may be set there.
  for (const { key, wrong } of missing) terminal.write(`  Not checked here: ${key} ${wrong}\n`);
  if (!isToAsk) return 0;
  if (missing.length > 0) {
    terminal.write('No appliance was asked: first set the secrets that the file refers to.\n');
    return 1;
  }
  const { text, areWell } = await askAppliances(read.appliances);
  terminal.write(text);
  return areWell ? 0 : 1;
}

/** Reads and checks it, and writes what is wrong. */
function readFile(
  file: string,
  { environment, write }: Terminal,
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
    return { read: meaning, missing, doubtful: told(doubts(meaning, commands)) };
  }
  write(`${file} has ${plural(all.length, 'mistake')}.\n\n${inLines(all)}\n`);
  return { read: undefined, missing, doubtful: [] };
}

function summaryOf({ appliances, policy }: PolicyFile): string {
  const own = Object.keys(policy.roles).length - Object.keys(shippedRoles).length;
  return [
    plural(appliances.length, 'appliance'),
    plural(Object.keys(policy.channels).length, 'channel'),
    `${plural(peopleIn(policy).size, 'person', 'people')} and ${plural(groupsIn(policy).size, 'user group')} by ID`,
    plural(own, 'custom role', 'custom roles'),
    plural(policy.approvals.length - shippedApprovals.length, 'custom approval', 'custom approvals'),
  ].join(', ');
}

const holdersIn = ({ holders, channels }: Policy): readonly string[] =>
  [holders, ...Object.values(channels).map(({ roles }) => roles)].flatMap((held) =>
    Object.values(held).flatMap((some) => [...some]),
  );
const groupsIn = (policy: Policy): ReadonlySet<string> =>
  new Set(holdersIn(policy).filter((id) => id.startsWith('S')));
const peopleIn = (policy: Policy): ReadonlySet<string> =>
  new Set(holdersIn(policy).filter((id) => /^[UW]/.test(id)));

if (import.meta.main) {
  process.exitCode = await policyTool(process.argv.slice(2), {
    environment: process.env,
    write: (text) => process.stdout.write(text),
    now: Date.now,
  });
}

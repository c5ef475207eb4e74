import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { inspect } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };
import { asMeant, type Environment } from '../src/config/secret.ts';
import { inOwnFiles } from '../src/own-files.ts';
import { hideSecrets } from '../src/telemetry/log.ts';
import { type Dialog, misuse, noSuchCommand, type Subcommand } from './terminal.ts';

interface Listed {
  readonly does: string;
  /** Loaded when it is wanted: they need more than the others, and each other. */
  readonly load: () => Promise<Subcommand>;
}

/** All but the start, which is a program of its own: `bin/appliance-bot.js` knows both. */
const subcommands: Readonly<Record<string, Listed>> = {
  check: {
    does: 'checks the settings and the policy file, and lists everything that is wrong',
    load: async () => (await import('./check.ts')).checkTool,
  },
  doctor: {
    does: 'checks settings, tokens, people, channels, appliances and the journal, and says what to fix',
    load: async () => (await import('./doctor/doctor.ts')).doctorTool,
  },
  health: {
    does: 'tells whether the bot on this machine is alive, or ready',
    load: async () => (await import('./health.ts')).healthTool,
  },
  policy: {
    does: 'checks a policy file, or explains how it decides about one line',
    load: async () => (await import('./policy/policy.ts')).policyTool,
  },
  journal: {
    does: 'backs up the journal, or migrates it to PostgreSQL',
    load: async () => (await import('./journal/journal.ts')).journalTool,
  },
  audit: {
    does: 'verifies the audit records, or exports them',
    load: async () => (await import('./audit.ts')).auditTool,
  },
  'block-page': {
    does: "prints the link for an appliance's block page",
    load: async () => (await import('./block-page.ts')).blockPageTool,
  },
  survey: {
    does: 'reports how an appliance answers, to attach to an issue',
    load: async () => (await import('./survey/survey.ts')).surveyTool,
  },
};

const all = ['start', ...Object.keys(subcommands)];
const width = Math.max(...all.map((name) => name.length)) + 2;

const usage = `Usage:

appliance-bot [COMMAND]

${[
  ['start', 'starts the bot, as does appliance-bot without a command'],
  ...Object.entries(subcommands).map(([name, { does }]) => [name, does]),
]
  .map(([name = '', does]) => `  ${name.padEnd(width)}${does}\n`)
  .join('')}
appliance-bot COMMAND --help explains a command, and appliance-bot --version prints the version. Exit code 2 means that the
command line was not understood and nothing was done. Settings come from the environment: docs/settings.md lists them.
`;

/** Runs every command line of `bin/appliance-bot.js` that does not start the bot; resolves to its exit code. */
export async function commandLine([name, ...words]: readonly string[], terminal: Dialog): Promise<number> {
  switch (name) {
    case '--version':
    case '-v':
      await terminal.write(`appliance-bot ${packageJson.version}\n`);
      return 0;
    case '--help':
    case '-h':
      await terminal.write(usage);
      return 0;
    case 'help':
      return commandLine(words.length === 0 ? ['--help'] : [...words.slice(0, 1), '--help'], terminal);
    case 'start':
      // Alone, it does not come here.
      if (words.some((word) => word === '--help' || word === '-h')) return commandLine(['--help'], terminal);
      return misuse(
        `Unexpected argument ${words[0]}. start takes no arguments. The bot was not started.`,
        usage,
        terminal,
      );
  }
  const found = name !== undefined && Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (found !== undefined) {
    return (await found.load())(words, { ...terminal, environment: asMeant(terminal.environment) });
  }
  return misuse(
    name?.startsWith('-') ? `Unknown option '${name}'.` : noSuchCommand(name, all),
    usage,
    terminal,
  );
}

/** The same as a process: ends it with that exit code. */
export async function run(words: readonly string[], environment: Environment): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `| head` has seen enough.
    process.exit(error.code === 'EPIPE' ? 0 : 2);
  });
  try {
    process.exitCode = await commandLine(words, {
      environment,
      // The reader of the output may be slower than this process.
      write: async (text) => {
        if (!process.stdout.write(text)) await once(process.stdout, 'drain');
      },
      complain: (text) => process.stderr.write(text),
      ask,
      now: Date.now,
    });
  } catch (error) {
    // Node would print an error with all that it carries: headers, the address of a database.
    process.stderr.write(`${hideSecrets(inOwnFiles(inspect(error)))}\n`);
    process.exitCode = 2;
  }
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

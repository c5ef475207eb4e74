import { rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { ApplianceSettings } from '../../src/api/index.ts';
import { isRecord } from '../../src/api/reading/envelope.ts';
import { type Environment, secretOnCommandLine } from '../../src/config/secret.ts';
import { plural } from '../../src/handlers/reply.ts';
import { applianceReached } from '../policy-in-use.ts';
import { type Dialog, misuse, readWords } from '../terminal.ts';
import { reading, type Surveyed, survey } from './calls.ts';
import { reportOf } from './report.ts';

const usage = `Usage:

appliance-bot survey --appliance NAME [--config FILE]
appliance-bot survey --appliance URL
    Runs every read-only operation once on a real appliance, and writes a report to attach to an issue: the shapes of the
    answers, how the client understood them, and what it did not recognize. Values are masked. No changes are made. Asks
    for confirmation first. NAME is an appliance in the policy file (default: the one in APPLIANCE_BOT_CONFIG); that file
    has its addresses, keys, certificates and proxy. The options below are for a URL.

  --key '\${NAME}'       the Web API key, from the environment, or from a file with '\${file:/path}'. Default: APPLIANCE_KEY
  --key-everywhere      send the key with every call
  --directory URL       the directory API, if its address differs
  --mirror URL          the mirror service
  --console URL         the mirror console
  --console-user NAME   the user name for the mirror console, if it requires a login
  --console-password '\${NAME}'
                        the password of that user. Default: CONSOLE_PASSWORD
  --report FILE         the file for the report. Default: survey.md
  --yes                 skip the confirmation

Exits with 0 if the report was written, and with 1 if not.
`;

/** Runs the tool with the words of its command line; resolves to its exit code. */
export async function surveyTool(words: readonly string[], terminal: Dialog): Promise<number> {
  const { write, environment, ask, now } = terminal;
  const fail = (why: string) => misuse(why, usage, terminal);
  const read = readWords(() => parse(words), usage, terminal);
  if ('code' in read) return read.code;
  const { values } = read.parsed;
  if (values.appliance === undefined)
    return fail('Missing --appliance, such as --appliance https://10.20.0.2:9503');
  const found = /^https?:/.test(values.appliance)
    ? described(values.appliance, values, environment)
    : inPolicyFile(values.appliance, values, environment);
  if ('wrong' in found) return fail(found.wrong);
  const { settings } = found;
  if (!values.yes) {
    const answer = await ask(
      `This sends ${plural(reading.length, 'read-only request')} to ${settings.url}, one at a time. No changes are made there, and nothing is sent elsewhere. Continue? (yes/no) `,
    );
    if (!/^y(?:es)?$/i.test(answer.trim())) {
      write('Canceled. No requests were sent.\n');
      return 1;
    }
  }
  const all: Surveyed[] = [];
  try {
    for await (const one of survey(settings)) {
      all.push(one);
      write(`${marks[one.came.kind]} ${one.operation}\n`);
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return fail(error.message);
  }
  const release = all.find(({ operation }) => operation === 'directory.applianceVersion');
  const report = reportOf(all, {
    day: new Date(now()).toISOString().slice(0, 10),
    release: releaseIn(release),
  });
  // Also where a file of that name was there, with a mode of its own.
  rmSync(values.report, { force: true });
  writeFileSync(values.report, report, { mode: 0o600 });
  write(`\nThe report is in ${values.report}. Read it before you attach it to an issue.\n`);
  return 0;
}

const marks: Readonly<Record<Surveyed['came']['kind'], string>> = {
  answer: 'understood    ',
  refused: 'refused       ',
  not_understood: 'NOT UNDERSTOOD',
  failure: 'failed        ',
  not_asked: 'not run       ',
};

const parse = (words: readonly string[]) =>
  parseArgs({
    args: [...words],
    options: {
      help: { type: 'boolean', short: 'h' },
      appliance: { type: 'string' },
      config: { type: 'string' },
      key: { type: 'string' },
      'key-everywhere': { type: 'boolean' },
      directory: { type: 'string' },
      mirror: { type: 'string' },
      console: { type: 'string' },
      'console-user': { type: 'string' },
      'console-password': { type: 'string' },
      report: { type: 'string', default: 'survey.md' },
      yes: { type: 'boolean' },
    },
  });

type Values = ReturnType<typeof parse>['values'];
type Found = { readonly settings: ApplianceSettings } | { readonly wrong: string };

/** By what else stands in the command line. */
function described(url: string, values: Values, environment: Environment): Found {
  const key = secretOnCommandLine(values.key, environment);
  if (key?.ok === false) return { wrong: `--key ${key.wrong}.` };
  const password = secretOnCommandLine(values['console-password'], environment);
  if (password?.ok === false) return { wrong: `--console-password ${password.wrong}.` };
  const user = values['console-user'];
  const settings = {
    ...{ name: 'the appliance', url },
    directoryUrl: values.directory,
    mirrorUrl: values.mirror,
    mirrorConsoleUrl: values.console,
    mirrorConsoleUser: user,
    mirrorConsolePassword: user && (password?.secret ?? environment.CONSOLE_PASSWORD),
    key: key?.secret ?? environment.APPLIANCE_KEY,
    keyEverywhere: values['key-everywhere'],
  };
  return { settings };
}

/** Options that go with an address, in place of the policy file's settings for a name. */
const ofAddress: readonly string[] = [
  ...['key', 'key-everywhere', 'directory', 'mirror', 'console', 'console-user', 'console-password'],
];

/** As the bot reaches it. */
function inPolicyFile(name: string, values: Values, environment: Environment): Found {
  const more = Object.keys(values).find((option) => ofAddress.includes(option));
  if (more !== undefined)
    return { wrong: `--${more} can be used only with a URL. For ${name}, the policy file has this setting.` };
  return applianceReached(name, values.config, environment);
}

/** The release is no secret, and the first that anybody asks. */
function releaseIn(version: Surveyed | undefined): string {
  const value = version?.came.kind === 'answer' ? version.came.value : undefined;
  return isRecord(value) && typeof value.version === 'string' && value.version !== ''
    ? value.version
    : 'unknown';
}

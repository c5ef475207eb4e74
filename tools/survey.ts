import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import type { ApplianceSettings } from '../src/api/index.ts';
import { isRecord } from '../src/api/reading/envelope.ts';
import { secretOnCommandLine } from '../src/config/secret.ts';
import { plural } from '../src/handlers/reply.ts';
import { reading, type Surveyed, survey } from './survey-calls.ts';
import { reportOf } from './survey-report.ts';
import { type Terminal, understand } from './terminal.ts';

const usage = `npm run survey -- --appliance URL
    Asks a real appliance everything that can be asked without changing anything, each operation once, and writes a report
    that can be attached to an issue: which shapes came, what the client made of them, what it could not place. Values
    are masked. It asks before it begins.

  --key '\${NAME}'       its Web API key: from the environment, or from a file with '\${file:/path}'. Default: APPLIANCE_KEY
  --key-everywhere      sends the key with every call
  --directory URL       the directory API, where it is elsewhere
  --mirror URL          the mirror service
  --console URL         its console
  --console-user NAME   who logs in there, where it wants a login, and
  --console-password '\${NAME}'
                        the password of that user. Default: CONSOLE_PASSWORD
  --report FILE         where the report goes (survey.md)
  --yes                 does not ask before it begins

Exits 0 when the report is written, and 1 when nothing was.
`;

/** What a survey needs of a terminal besides. */
interface Surveyor extends Terminal {
  /** Puts a question; resolves to what was typed. */
  readonly ask: (question: string) => Promise<string>;
}

/** Runs the tool with the words of its command line; resolves to its exit code. */
export async function surveyTool(words: readonly string[], terminal: Surveyor): Promise<number> {
  const { write, environment, ask, now } = terminal;
  const fail = (why: string) => {
    write(`${why}\n\n${usage}`);
    return 1;
  };
  const understood = understand(() => parse(words));
  if (!understood.ok) return fail(understood.why);
  const { values } = understood.parsed;
  if (values.help) {
    write(usage);
    return 0;
  }
  if (values.appliance === undefined) return fail('Name the appliance: --appliance https://10.20.0.2:9503');
  const key = secretOnCommandLine(values.key, environment);
  if (key?.ok === false) return fail(`--key ${key.wrong}.`);
  const password = secretOnCommandLine(values['console-password'], environment);
  if (password?.ok === false) return fail(`--console-password ${password.wrong}.`);
  const user = values['console-user'];
  const settings: ApplianceSettings = {
    name: 'the appliance',
    url: values.appliance,
    directoryUrl: values.directory,
    mirrorUrl: values.mirror,
    mirrorConsoleUrl: values.console,
    mirrorConsoleUser: user,
    mirrorConsolePassword: user && (password?.secret ?? environment.CONSOLE_PASSWORD),
    key: key?.secret ?? environment.APPLIANCE_KEY,
    keyEverywhere: values['key-everywhere'],
  };
  if (!values.yes) {
    const answer = await ask(
      `This asks ${values.appliance} ${plural(reading.length, 'question')}, one after the other. It changes nothing there, and sends nothing elsewhere. Go on? (yes/no) `,
    );
    if (!/^y(?:es)?$/i.test(answer.trim())) {
      write('Nothing was asked.\n');
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
  writeFileSync(values.report, report);
  write(`\n${values.report} is written. Read it through before you attach it to an issue.\n`);
  return 0;
}

const marks: Readonly<Record<Surveyed['came']['kind'], string>> = {
  answer: 'understood    ',
  refused: 'refused       ',
  not_understood: 'NOT UNDERSTOOD',
  failure: 'failed        ',
  not_asked: 'not asked     ',
};

const parse = (words: readonly string[]) =>
  parseArgs({
    args: [...words],
    options: {
      help: { type: 'boolean', short: 'h' },
      appliance: { type: 'string' },
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

/** The release is no secret, and the first that anybody asks. */
function releaseIn(version: Surveyed | undefined): string {
  const value = version?.came.kind === 'answer' ? version.came.value : undefined;
  return isRecord(value) && typeof value.version === 'string' && value.version !== ''
    ? value.version
    : 'not told';
}

if (import.meta.main) {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  process.exitCode = await surveyTool(process.argv.slice(2), {
    environment: process.env,
    write: (text) => process.stdout.write(text),
    now: Date.now,
    ask: (question) => lines.question(question),
  });
  lines.close();
}

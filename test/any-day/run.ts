import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Circumstance } from './circumstances.ts';
import type { Stage } from './stage.ts';

export interface Outcome {
  readonly files: number;
  readonly passed: number;
  readonly failed: number;
  /** The failed tests, for people. */
  readonly failures: readonly string[];
}

/** The fields of Vitest's JSON report that are read here. */
interface Report {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** Runs these tests on that stage. @throws where the stage is not as it was ordered */
export async function runIn(
  stage: Stage,
  { parts }: Circumstance,
  files: readonly string[],
  stopping: AbortSignal,
): Promise<Outcome> {
  const config = ['--config', 'test/any-day/vitest.config.ts'];
  const asOrdered = await vitest(stage, 'as-ordered', config, stopping);
  if (asOrdered.passed === 0 || asOrdered.failed > 0) throw new Error(asOrdered.failures.join('; '));
  const outcomes: Outcome[] = [];
  for (let part = 0; part < parts; part += 1) {
    const ofThisPart = files.filter((_, index) => index % parts === part);
    // To name no file is to name all of them.
    if (ofThisPart.length > 0) outcomes.push(await vitest(stage, `part-${part}`, ofThisPart, stopping));
  }
  const sum = (count: 'files' | 'passed' | 'failed') =>
    outcomes.reduce((all, outcome) => all + outcome[count], 0);
  return {
    files: sum('files'),
    passed: sum('passed'),
    failed: sum('failed'),
    failures: outcomes.flatMap(({ failures }) => failures),
  };
}

/** Runs the script of `npm test` without npm, because npm sets a HOME. */
const { scripts }: { readonly scripts: { readonly test: string } } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);

/** Runs these tests, or those that the configuration in `args` names. */
async function vitest(
  stage: Stage,
  name: string,
  args: readonly string[],
  stopping: AbortSignal,
): Promise<Outcome> {
  stopping.throwIfAborted();
  const { checkout, folder, timed, environment, ordered, through } = stage;
  const report = join(timed, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const command = ['sh', '-c', `${scripts.test} "$@"`, 'sh', ...reporters, ...args];
  const [program = '', ...rest] = [...through(), ...command];
  const log = join(folder, `${name}.log`);
  const output = openSync(log, 'w');
  const child = spawn(program, rest, {
    cwd: checkout,
    env: {
      ...process.env,
      PATH: `${join(checkout, 'node_modules', '.bin')}:${process.env.PATH}`,
      ...environment,
      ANY_DAY: JSON.stringify(ordered),
    },
    stdio: ['ignore', output, output],
    // A process group of its own, so that one signal stops all of it.
    detached: true,
  });
  const stop = () => child.pid !== undefined && process.kill(-child.pid, 'SIGTERM');
  stopping.addEventListener('abort', stop);
  const [code] = await once(child, 'close');
  stopping.removeEventListener('abort', stop);
  stopping.throwIfAborted();
  if (!existsSync(report)) {
    return { files: 0, passed: 0, failed: 1, failures: [`npm test did not report:\n${endOf(log)}`] };
  }
  return outcomeOf(JSON.parse(readFileSync(report, 'utf8')), checkout, code === 0 ? undefined : log);
}

/** `log` is where one looks that ended with another code than 0. */
function outcomeOf(report: Report, checkout: string, log: string | undefined): Outcome {
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(checkout, name);
    const tests = assertionResults.filter((one) => one.status !== 'passed');
    return status === 'passed' || tests.length > 0
      ? tests.map((one) => `${file}: ${one.fullName}: ${firstLineOf(one.failureMessages?.[0] ?? one.status)}`)
      : [`${file}: ${firstLineOf(message)}`];
  });
  if (failures.length === 0 && log !== undefined) failures.push(`npm test ended as failed:\n${endOf(log)}`);
  const { testResults, numPassedTests: passed } = report;
  return { files: testResults.length, passed, failed: failures.length, failures };
}

const firstLineOf = (text: string): string => text.split('\n', 1)[0] ?? '';

const endOf = (log: string): string => readFileSync(log, 'utf8').split('\n').slice(-30).join('\n');

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { NamedTest } from './breakage.ts';

/** What came of a named test. */
export interface Outcome {
  readonly named: NamedTest;
  /** `missing`: no test of that name ran. */
  readonly was: 'passed' | 'failed' | 'missing';
  /** The first line of its failure. */
  readonly why: string;
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** Runs these tests, and no others, in a copy of the checkout. */
export async function runTests(folder: string, tests: readonly NamedTest[]): Promise<readonly Outcome[]> {
  const results = join(folder, 'breakages-results.json');
  rmSync(results, { force: true });
  const files = [...new Set(tests.map(({ file }) => file))];
  const names = tests.map(({ test }) => test.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const projects = ['quick', 'long', 'alone'].flatMap((name) => ['--project', name]);
  const report = ['--reporter', 'json', '--outputFile', results];
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--configLoader', 'native', ...projects, ...report, '-t', names, ...files],
    // A named test is among the samples only by luck.
    { cwd: folder, env: { ...process.env, LONG_TESTS: 'all' }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let complaints = '';
  child.stderr?.on('data', (text: Buffer) => {
    complaints += String(text);
  });
  await once(child, 'close');
  let read: Report;
  try {
    read = JSON.parse(readFileSync(results, 'utf8')) as Report;
  } catch {
    // Vitest did not come to its end: the bot could not even be built.
    return tests.map((named) => ({ named, was: 'missing', why: firstLineOf(complaints) }));
  }
  return tests.map((named): Outcome => {
    const all = read.testResults
      .filter(({ name }) => name.endsWith(`/${named.file}`))
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ fullName, status }) => fullName.includes(named.test) && /passed|failed/.test(status));
    const failed = all.find(({ status }) => status === 'failed');
    if (failed !== undefined) return { named, was: 'failed', why: firstLineOf(failed.failureMessages?.[0]) };
    const unread = read.testResults.find(({ name }) => name.endsWith(`/${named.file}`))?.message;
    return { named, was: all.length > 0 ? 'passed' : 'missing', why: firstLineOf(unread) };
  });
}

const firstLineOf = (text = ''): string => text.trim().split('\n')[0]?.slice(0, 160) ?? '';

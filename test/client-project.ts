import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildClient } from '../tools/client-package/build.ts';

const run = promisify(execFile);
export const repository = resolve(import.meta.dirname, '..');

/** A project of somebody who never heard of Slack, with the packed client installed. */
export interface ClientProject {
  readonly folder: string;
  readonly tarball: string;
  /** The files of the package. */
  readonly installed: string;
  /** Runs Node in it. */
  readonly node: (
    words: readonly string[],
    environment?: NodeJS.ProcessEnv,
  ) => Promise<{ readonly stdout: string }>;
  /** What the compiler says is wrong with these files. */
  readonly mistakesIn: (files: readonly string[], ...options: readonly string[]) => Promise<string[]>;
  readonly remove: () => void;
}

export async function clientProject(): Promise<ClientProject> {
  const whole = mkdtempSync(join(tmpdir(), 'appliance-client-'));
  const folder = join(whole, 'project');
  const installed = join(folder, 'node_modules/appliance-client');
  // The `dist` in the repository is not ours.
  const copy = join(whole, 'package');
  cpSync(join(repository, 'packages/appliance-client'), copy, { recursive: true });
  await buildClient(join(copy, 'dist'));
  // Whoever runs the tests may have no home, and so no cache of npm's there.
  const options = ['--silent', '--ignore-scripts', '--cache', join(whole, 'npm-cache')];
  const packed = await run('npm', ['pack', ...options, '--pack-destination', whole], { cwd: copy });
  const tarball = join(whole, packed.stdout.trim());
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  linkDependencies(folder, installed);
  return {
    ...{ folder, tarball, installed },
    node: (words, environment = process.env) =>
      run(process.execPath, words, { cwd: folder, env: environment }),
    mistakesIn: (files, ...more) => compile(folder, files, more),
    remove: () => rmSync(whole, { recursive: true, force: true }),
  };
}

/** What it depends on is here already, so no registry has to be in reach. */
function linkDependencies(folder: string, installed: string): void {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  );
  for (const name of Object.keys(dependencies)) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(repository, 'node_modules', name), place);
  }
}

async function compile(folder: string, files: readonly string[], more: readonly string[]): Promise<string[]> {
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', ...more];
  const types = ['--typeRoots', join(repository, 'node_modules/@types'), '--types', 'node'];
  const given = ['--ignoreConfig', '--singleThreaded', '--pretty', 'false', ...options, ...types, ...files];
  const told = await run(join(repository, 'node_modules/.bin/tsc'), given, { cwd: folder }).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  return told.split('\n').filter((line) => / error TS\d+: /.test(line));
}

import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildPackage } from '../../tools/packages/build.ts';
import type { PackageName } from '../../tools/packages/packages.ts';

const run = promisify(execFile);
export const repository = resolve(import.meta.dirname, '../..');

/** A project of somebody who never heard of this one, with some of its packages installed as they are packed. */
export interface Project {
  readonly folder: string;
  /** The folder of an installed package. */
  readonly installed: (name: PackageName) => string;
  /** Runs Node in it. */
  readonly node: (
    words: readonly string[],
    environment?: NodeJS.ProcessEnv,
  ) => Promise<{ readonly stdout: string }>;
  /** The compiler's errors in these files. */
  readonly mistakesIn: (files: readonly string[], ...options: readonly string[]) => Promise<string[]>;
  readonly remove: () => void;
}

export async function projectWith(...names: readonly PackageName[]): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'project-'));
  const installed = (name: string) => join(folder, 'node_modules', name);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  for (const name of names) {
    mkdirSync(installed(name), { recursive: true });
    await run('tar', ['-xzf', await packed(name), '-C', installed(name), '--strip-components=1']);
    linkDependencies(folder, installed(name));
  }
  return {
    ...{ folder, installed },
    node: (words, environment = process.env) =>
      run(process.execPath, words, { cwd: folder, env: environment }),
    mistakesIn: (files, ...more) => compile(folder, files, more),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Packs each package once for all tests of this process. */
const tarballs = new Map<PackageName, Promise<string>>();

/** The file that `npm pack` makes of a package. */
export function packed(name: PackageName): Promise<string> {
  const tarball = tarballs.get(name) ?? pack(name);
  tarballs.set(name, tarball);
  return tarball;
}

async function pack(name: PackageName): Promise<string> {
  const whole = mkdtempSync(join(tmpdir(), `${name}-`));
  process.once('exit', () => rmSync(whole, { recursive: true, force: true }));
  // The `dist` in the repository is not ours.
  const copy = join(whole, 'package');
  cpSync(join(repository, 'packages', name), copy, { recursive: true });
  await buildPackage(name, join(copy, 'dist'));
  // The tests may run without a home folder, and so without npm's cache there.
  const options = ['--silent', '--ignore-scripts', '--cache', join(whole, 'npm-cache')];
  const { stdout } = await run('npm', ['pack', ...options, '--pack-destination', whole], { cwd: copy });
  return join(whole, stdout.trim());
}

/** Links the dependencies that are here already, so no registry has to be in reach. */
function linkDependencies(folder: string, installed: string): void {
  const { dependencies = {} }: { dependencies?: Record<string, string> } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  );
  for (const name of Object.keys(dependencies)) {
    const place = join(folder, 'node_modules', name);
    if (existsSync(place)) continue;
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

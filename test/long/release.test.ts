import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };

const run = promisify(execFile);
const { version } = packageJson;

/** The steps of the job that releases, but for those that only GitHub can do. */
const { jobs } = parse(readFileSync('.github/workflows/release.yml', 'utf8'));
const scripts: readonly string[] = jobs.release.steps
  .map((step: { readonly run?: string }) => step.run)
  .filter((script: string | undefined) => script !== undefined && !script.startsWith('npm ci'));

/** Clones the committed and changed files into a folder of their own, with the packages that are installed here. */
function checkout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  for (const file of files.trim().split('\n')) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    cpSync(file, join(folder, file));
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

test('a tag becomes a release: each package and the server, of that version, with digests and the section of the changelog', async () => {
  const folder = checkout();
  const file = join(folder, 'CHANGELOG.md');
  const changelog = readFileSync(file, 'utf8').replaceAll(/^## \d.*$/gm, '## 0.0.1 - 2026-01-01');
  const section = `## ${version} - 2026-11-30\n\n### Added\n\n- A release.`;
  writeFileSync(file, changelog.replace('## Unreleased', `## Unreleased\n\n${section}`));
  // Prints the arguments that GitHub's program would get.
  const bin = join(folder, 'bin-of-github');
  mkdirSync(bin);
  writeFileSync(join(bin, 'gh'), '#!/bin/sh\nprintf "%s\\n" "$@" > gh-was-told\n', { mode: 0o755 });
  const env = {
    ...process.env,
    PATH: `${bin}:${resolve('node_modules/.bin')}:${process.env.PATH}`,
    ...{ GITHUB_REF_NAME: `v${version}`, GITHUB_REPOSITORY: 'somebody/appliance-bot' },
  };
  for (const script of scripts) await run('bash', ['-eo', 'pipefail', '-c', script], { cwd: folder, env });

  const packages = globSync('packages/*/package.json').map(
    (one) => JSON.parse(readFileSync(one, 'utf8')).name,
  );
  const server = `appliance-bot-server-${version}.tar.gz`;
  const release = join(folder, 'release');
  const made = ['SHA256SUMS', server, ...packages.map((name) => `${name}-${version}.tgz`)].toSorted();
  expect(readdirSync(release).toSorted()).toEqual(made);
  await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: release });
  expect(readFileSync(join(release, 'SHA256SUMS'), 'utf8').trim().split('\n')).toHaveLength(made.length - 1);
  const told = readFileSync(join(folder, 'gh-was-told'), 'utf8').trim().split('\n');
  expect(told.slice(0, 3)).toEqual(['release', 'create', `v${version}`]);
  expect(told.filter((word) => word.startsWith('release/')).toSorted()).toEqual(
    made.map((name) => `release/${name}`),
  );
  const notes = readFileSync(join(folder, 'notes.md'), 'utf8');
  expect(notes).toMatch(/^### /);
  expect(notes).not.toContain('\n## ');

  for (const name of packages) {
    const { stdout } = await run('tar', ['-xzOf', `${name}-${version}.tgz`, 'package/package.json'], {
      cwd: release,
    });
    expect(JSON.parse(stdout)).toMatchObject({ name, version });
  }
  // The server runs where nothing of ours is installed.
  const unpacked = mkdtempSync(join(tmpdir(), 'server-'));
  onTestFinished(() => rmSync(unpacked, { recursive: true, force: true }));
  await run('tar', ['-xzf', join(release, server), '-C', unpacked]);
  expect(readdirSync(unpacked)).toEqual(expect.arrayContaining(['LICENSE', 'CHANGELOG.md', 'manifest.yml']));
  const bot = join(unpacked, 'bin/appliance-bot.js');
  expect((await run(process.execPath, [bot, '--version'])).stdout).toBe(`appliance-bot ${version}\n`);
  const example = join(unpacked, 'appliance-bot.example.yml');
  expect((await run(process.execPath, [bot, 'policy', 'check', example])).stdout).toContain('is valid');
}, 300_000);

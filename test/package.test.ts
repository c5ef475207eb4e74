import { execFile } from 'node:child_process';
import {
  cpSync,
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
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SimulatedAppliance, startSimulatedAppliance } from '../sandbox/appliance/index.ts';

const run = promisify(execFile);
const repository = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'appliance-api-'));
const project = join(folder, 'project');
let simulated: SimulatedAppliance;

/** A project of somebody who never heard of Slack. */
beforeAll(async () => {
  simulated = await startSimulatedAppliance({ key: 'web-api-key' });
  mkdirSync(project);
  // Whoever runs the tests may have no home, and so no cache of npm's there.
  const options = ['--silent', '--cache', join(folder, 'npm-cache'), '--pack-destination', project];
  await run('npm', ['pack', ...options], { cwd: copied() });
  const [tarball = ''] = readdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  await install(join(project, tarball));
}, 120_000);

afterAll(async () => {
  await simulated?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** As `npm install` would, but that what it depends on is here already: no registry has to be in reach. */
async function install(tarball: string): Promise<void> {
  const modules = join(project, 'node_modules');
  const installed = join(modules, 'appliance-bot');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  );
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(repository, 'node_modules', name), join(modules, name));
  }
}

/** Packing builds `dist`, and the one in the repository is not ours. */
function copied(): string {
  const copy = join(folder, 'repository');
  mkdirSync(copy);
  const needed = [
    'package.json',
    'tsconfig.json',
    'tsconfig.api.json',
    'README.md',
    'LICENSE',
    'docs',
    'src',
  ];
  for (const name of needed) cpSync(join(repository, name), join(copy, name), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

const program = `
import { connectAppliance } from 'appliance-bot/api';

const appliance = connectAppliance({ name: 'lab', url: process.argv[2] ?? '', key: 'web-api-key' });
const sessions = await appliance.rdp.listSessions();
await appliance.rdp.disconnectSession({ id: 12 });
const { categories } = await appliance.categories.query({ domain: 'example.com' });
process.stdout.write(JSON.stringify({ before: sessions.length, categories: categories.map(({ name }) => name) }));
await appliance.close();
`;

test('the packed client makes its calls from another project', async () => {
  writeFileSync(join(project, 'program.js'), program);
  const { stdout } = await run(process.execPath, ['program.js', simulated.url], { cwd: project });
  expect(JSON.parse(stdout)).toEqual({ before: 15, categories: ['shopping'] });
  expect(simulated.state.rdp.sessions.has(12)).toBe(false);
});

test('its types go with it: a right call compiles and a wrong one does not', async () => {
  const calls = {
    'right.ts': '(await appliance.rdp.listSessions()).map(({ id, user }) => [id.toFixed(), user?.trim()])',
    'wrong-value.ts': "appliance.rdp.disconnectSession({ id: 'twelve' })",
    'wrong-name.ts': 'appliance.rdp.disconectSession({ id: 12 })',
  };
  for (const [file, call] of Object.entries(calls)) {
    writeFileSync(
      join(project, file),
      `import type { Appliance } from 'appliance-bot/api';\nexport const result = async (appliance: Appliance) => ${call};\n`,
    );
  }
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024'];
  const types = ['--typeRoots', join(repository, 'node_modules/@types'), '--types', 'node'];
  const tsc = join(repository, 'node_modules/.bin/tsc');
  const given = [
    '--ignoreConfig',
    '--singleThreaded',
    '--pretty',
    'false',
    ...options,
    ...types,
    ...Object.keys(calls),
  ];
  const told = await run(tsc, given, { cwd: project }).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  const wrong = told.split('\n').filter((line) => / error TS\d+: /.test(line));
  expect(wrong).toEqual([
    expect.stringMatching(/^wrong-name\.ts.*disconnectSession/),
    expect.stringMatching(/^wrong-value\.ts.*TS2322/),
  ]);
});

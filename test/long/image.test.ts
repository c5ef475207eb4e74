import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startHarbour } from '../../sandbox/harbour.ts';
import type { Environment } from '../../src/config/secret.ts';
import { freePort } from '../free-port.ts';
import { type Replayed, replay } from '../image/replay.ts';

const folder = mkdtempSync(join(tmpdir(), 'image-'));
const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
let image: Replayed;

beforeAll(async () => {
  chmodSync(folder, 0o755);
  image = await replay(readFileSync('Dockerfile', 'utf8'), resolve('.'), folder);
}, 600_000);

afterAll(() => {
  spawn('chmod', ['-R', 'u+w', folder]).once('exit', () => rmSync(folder, { recursive: true, force: true }));
});

async function ended(child: ChildProcess) {
  let said = '';
  child.stdout?.on('data', (text) => (said += text));
  child.stderr?.on('data', (text) => (said += text));
  const [code] = await once(child, 'close');
  return { code, said: stripVTControlCharacters(said) };
}

test('the image holds the program, what it was built into and the licences, and no package', () => {
  const files = readdirSync(image.root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(image.root.length));
  expect(files.sort()).toEqual([
    '/app/LICENSE',
    '/app/bin/appliance-bot',
    '/app/bin/appliance-bot.js',
    '/app/dist/THIRD-PARTY-LICENSES.txt',
    '/app/dist/appliance-bot.js',
    '/app/dist/appliance-bot.js.map',
    '/app/dist/command-line.js',
    '/app/dist/command-line.js.map',
    '/app/dist/sbom.cdx.json',
    '/app/package.json',
  ]);
  expect(image.user).toBe('node');
});

test('the image tells its version, and checks settings', async () => {
  expect(await ended(image.start(['--version']))).toEqual({ code: 0, said: `appliance-bot ${version}\n` });
  const nothing = await ended(image.start(['check']));
  expect(nothing.code).toBe(1);
  expect(nothing.said).toContain('SLACK_BOT_TOKEN is not set');
  expect(await ended(image.start(undefined))).toMatchObject({
    code: 1,
    said: expect.stringContaining('Appliance Bot cannot start: 3 settings need attention.'),
  });
});

test('the image starts as nobody in particular, in files that it cannot write to, is healthy and stops in order', async () => {
  const workspace = await startHarbour();
  onTestFinished(() => workspace.stop());
  const config = join(folder, 'appliance-bot.yml');
  writeFileSync(config, 'appliances:\n  hq:\n    url: http://127.0.0.1:9\n');
  const settings: Environment = {
    ...{ SLACK_BOT_TOKEN: workspace.botToken, SLACK_APP_TOKEN: workspace.appToken },
    ...{ SLACK_API_URL: workspace.apiUrl, APPLIANCE_BOT_CONFIG: config },
    HEALTH_PORT: String(await freePort()),
  };
  expect((await ended(image.start(['check'], settings))).code).toBe(0);
  const early = await ended(image.health(settings));
  expect(early).toMatchObject({ code: 1, said: expect.stringContaining('No bot answers at ') });
  const bot = image.start(undefined, settings);
  onTestFinished(() => void bot.kill('SIGKILL'));
  const over = ended(bot);
  await expect.poll(() => workspace.sockets.count, { timeout: 20_000 }).toBe(1);
  expect(await ended(image.health(settings))).toEqual({ code: 0, said: 'alive\n' });
  await expect.poll(() => ended(image.start(['health', '--ready'], settings))).toMatchObject({ code: 0 });
  const backup = await ended(
    image.start(['journal', 'backup', join(image.root, 'data/copy.sqlite')], settings),
  );
  expect(backup).toMatchObject({ code: 0, said: expect.stringContaining('Backed up the journal in ') });
  bot.kill('SIGTERM');
  const { code, said } = await over;
  expect(code, said).toBe(0);
});

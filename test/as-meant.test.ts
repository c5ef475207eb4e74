import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { commandLine } from '../cli/main.ts';
import { settingsFrom } from '../packages/appliance-client/src/cli/settings.ts';

/** As Docker’s `--env-file` hands over a line of a file that was written on Windows, with quotes. */
const asDocker = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `"${value}"\r`]));

const tokens = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };

async function check(environment: Readonly<Record<string, string>>) {
  let said = '';
  const say = (text: string) => {
    said += text;
  };
  const terminal = { environment, write: say, complain: say, now: Date.now, ask: async () => '' };
  return { code: await commandLine(['check'], terminal), said };
}

test('appliance-bot check reads variables and files as they were meant, and names those that it cannot read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'as-meant-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'policy.yml');
  const appliance = { url: 'https://10.20.0.2:9503', key: '${file:key.txt}' };
  const channels = { C0HELPDESK: { appliance: 'hq', roles: { viewer: 'everyone' } } };
  writeFileSync(file, JSON.stringify({ appliances: { hq: appliance }, channels }));
  writeFileSync(join(folder, 'key.txt'), '\ufeffhush-4711\r\n');
  const environment = asDocker({
    ...tokens,
    APPLIANCE_BOT_CONFIG: file,
    DATABASE_URL: 'postgres://b:c@db/e',
  });
  const valid = await check(environment);
  expect(valid.said).toContain(`The environment and ${file} are valid.\n`);
  expect(valid.code).toBe(0);
  writeFileSync(join(folder, 'key.txt'), 'hush\u200b4711');
  const wrong = await check({ ...environment, SLACK_APP_TOKEN: 'xapp-hush\u200bhush' });
  expect(wrong.code).toBe(1);
  expect(wrong.said).toContain('SLACK_APP_TOKEN has a zero-width space (U+200B) as character 10.');
  expect(wrong.said).toContain(
    'refers to the file key.txt, whose value has a character that HTTP headers cannot carry: a zero-width space (U+200B) as character 5.',
  );
  expect(wrong.said).not.toContain('hush');
});

test('so does the command line of the client', () => {
  const values = { APPLIANCE_URL: 'https://10.20.0.2:9503', APPLIANCE_KEY: 'hush-4711' };
  const files: Readonly<Record<string, string>> = { '/run/secrets/shell': "'hush'\r\n" };
  const environment = asDocker({ ...values, APPLIANCE_SHELL_PASSWORD_FILE: '/run/secrets/shell' });
  expect(settingsFrom({}, { environment, read: (path) => files[path] ?? '' })).toMatchObject({
    ...{ url: values.APPLIANCE_URL, key: 'hush-4711', shellPassword: 'hush' },
  });
});

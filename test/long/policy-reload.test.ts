import { spawn } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { program } from '../../sandbox/process.ts';
import { start } from '../../src/start.ts';
import { createAuthority } from '../certificates.ts';
import { type Conversation, converse } from '../conversation.ts';

/** A running bot, and its policy file as somebody edits it. */
async function editing(options: Parameters<typeof converse>[0] = {}) {
  const conversation = await converse(options);
  const file = join(dirname(conversation.data), 'appliance-bot.yml');
  const first = readFileSync(file, 'utf8');
  return {
    ...conversation,
    file,
    first,
    /** As editors save: another file takes its place. */
    save: (text: string) => {
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
    },
    /** As a signal makes the bot look. */
    reload: async () => {
      conversation.bot.reload();
      await conversation.bot.idle();
    },
    reloads: () => conversation.bot.journal.reloads(),
    told: (person: string) => direct(conversation, person),
  };
}

/** The bot's direct messages to somebody. */
const direct = ({ workspace, read }: Conversation, person: string): string => {
  const app = workspace.people.find(({ id }) => id === workspace.botUserId);
  const { id } = workspace.people.find(({ name }) => name === person) ?? { id: '' };
  return workspace.snapshot(id).messages.some(({ channel }) => channel === workspace.direct(id).id)
    ? read(person, app?.name)
    : '';
};

const served = '  C0RANDOM00:\n    appliance: hq\n    roles: { viewer: everyone }\n';

test('a changed file is noticed, applied, recorded with its version and reported to the admins, and works at once', async () => {
  const { type, save, first, bot, reloads, told, workspace } = await editing();
  const random = workspace.channels.find(({ name }) => name === 'random');
  expect(await type('/appliance category list', 'alice', 'random')).toContain('isn’t enabled');
  save(`${first}${served.replace('C0RANDOM00', random?.id ?? '')}`);
  await vi.waitFor(async () => expect(await reloads()).toHaveLength(1), { timeout: 15_000 });
  await bot.idle();
  const changes = [expect.stringMatching(/^The policy is version \w{12} now; it was \w{12}\.$/)];
  expect(await reloads()).toEqual([{ at: expect.any(Number), outcome: 'taken', told: changes }]);
  expect(told('dana')).toContain('A new policy is in force.');
  expect(told('dana')).toContain('The policy is version');
  expect(told('alice')).toBe('');
  expect(await type('/appliance category list', 'alice', 'random')).toContain('categories');
});

test('a broken file keeps the policy, the admins read each mistake with its line, and its repair is reported', async () => {
  const { type, save, first, reload, reloads, told } = await editing();
  save(first.replace('operator:', 'operater:').replace('name: helpdesk', 'nmae: helpdesk'));
  await reload();
  const [refused] = await reloads();
  expect(refused?.outcome).toBe('refused');
  expect(refused?.told.join('\n')).toMatch(
    /appliance-bot\.yml:\d+ channels\.C0HELPDESK\.nmae is not a known setting\. Did you mean name\?/,
  );
  expect(told('dana')).toContain('has 2 mistakes, so it was not loaded');
  expect(told('dana')).toContain('Did you mean operator?');
  expect(await type('/appliance category list')).toContain('categories');
  await reload();
  expect(await reloads()).toHaveLength(1);
  save(first);
  await reload();
  expect(told('dana')).toContain('The policy file is valid again.');
  expect(await reloads()).toHaveLength(1);
});

test('a role that is taken away counts no more at an earlier card', async () => {
  const { type, press, save, first, reload } = await editing();
  expect(await type('/appliance rdp disconnect 12', 'bob')).toContain('Disconnect');
  save(first.replaceAll('S0OPERATOR', 'S0NOBODY01').replaceAll('S0HELPDESK', 'S0NOBODY01'));
  await reload();
  expect(await press('Disconnect', 'bob')).toContain('No changes were made.');
});

test('no secret leaks from a file, valid or not, from right places and wrong ones', async () => {
  const { save, first, reload, reloads, told } = await editing();
  const secret = 'hush-4711';
  save(first.replace(/key: .*/, `key: ${secret}`));
  await reload();
  save(first.replace(/key: .*/, `key: *${secret}`));
  await reload();
  const [second, before] = await reloads();
  expect([second?.outcome, before?.outcome]).toEqual(['refused', 'refused']);
  expect(before?.told.join()).toContain('appliances.hq.key must be a reference');
  expect(JSON.stringify([second, before]) + told('dana')).not.toContain(secret);
});

test('another key of an appliance waits for a restart, and is reported without it', async () => {
  const { save, first, reload, reloads, told } = await editing({
    environment: { OTHER_KEY: 'hush-4711' },
  });
  save(first.replace(/key: .*/, 'key: ${OTHER_KEY}'));
  await reload();
  await reload();
  expect((await reloads()).map(({ told }) => told)).toEqual([
    [expect.stringMatching(/^Changes under appliances take effect when the bot restarts/)],
  ]);
  expect(told('dana')).toContain('permissions are the same');
  expect(told('dana')).not.toContain('hush');
});

test('a changed secret or certificate file is noticed by itself, and waits for a restart', async () => {
  const { save, first, file, reload, reloads, told, bot } = await editing();
  const folder = dirname(file);
  const certificate = () => readFileSync(createAuthority().file, 'utf8');
  writeFileSync(join(folder, 'hq.key'), 'hush-4711\n');
  writeFileSync(join(folder, 'ca.pem'), certificate());
  const settings = 'key: ${file:hq.key}\n    tls: { ca: ca.pem }\n    mirror_url: https://127.0.0.1:1';
  save(first.replace(/key: .*/, settings).replace(/ +mirror_url: http:.*\n/, ''));
  await reload();
  const counted = (count: number) =>
    vi.waitFor(async () => expect(await reloads()).toHaveLength(count), { timeout: 15_000 });
  await counted(1);
  // The changed policy watches another file, which is read once more.
  await sleep(1_500);
  writeFileSync(join(folder, 'hq.key'), 'hush-4712\n');
  await counted(2);
  writeFileSync(join(folder, 'ca.pem'), certificate());
  await counted(3);
  await bot.idle();
  const [newest] = await reloads();
  expect(newest?.told).toEqual([
    expect.stringMatching(/^Changes under appliances take effect when the bot restarts/),
  ]);
  expect(told('dana')).toContain('or a file that it refers to, was changed');
  writeFileSync(join(folder, 'ca.pem'), 'hush-3');
  await counted(4);
  expect((await reloads())[0]?.told).toEqual([
    expect.stringMatching(
      /appliances\.hq\.tls\.ca refers to the file ca\.pem, which has no certificate in PEM format/,
    ),
  ]);
  expect(JSON.stringify(await reloads()) + told('dana')).not.toContain('hush');
});

test('a channel on an appliance that was not started is refused, and works after the restart', async () => {
  const { save, first, reload, reloads, restart, bot } = await editing();
  const text = first
    .replace('appliances:\n', 'appliances:\n  lab: { url: http://127.0.0.1:1 }\n')
    .replace('appliance: hq', 'appliance: lab');
  save(text);
  await reload();
  expect((await reloads())[0]?.told).toEqual([
    expect.stringMatching(
      /channels\.C0HELPDESK\.appliance refers to lab, which was added after the bot started\. Restart the bot to use it\.$/,
    ),
  ]);
  await bot.idle();
  await restart();
});

test('a word without a command is refused, at a reload and at the start', async () => {
  const { save, first, file, reload, reloads, workspace } = await editing();
  save(`${first}approvals: [{ commands: [{ phrase: rdp disconect }], by: approver }]\n`);
  await reload();
  const wrong = /approvals\.0\.commands\.0\.phrase is not a command\. Did you mean rdp disconnect\?/;
  expect((await reloads())[0]?.told.join()).toMatch(wrong);
  const environment = {
    SLACK_BOT_TOKEN: workspace.botToken,
    SLACK_APP_TOKEN: workspace.appToken,
    SLACK_API_URL: workspace.apiUrl,
    APPLIANCE_BOT_CONFIG: file,
    APPLIANCE_KEY: 'web-api-key',
    SHELL_PASSWORD: 'x',
  };
  await expect(start(environment)).rejects.toThrow(wrong);
});

const disconnecting = (terms: string) =>
  `approvals: [{ commands: [{ phrase: rdp disconnect }], by: approver, ${terms} }]\n`;

test('a changed approval rule lets nothing run that waited for the old one', async () => {
  const { type, press, save, first, reload } = await editing();
  save(`${first}${disconnecting('count: 1')}`);
  await reload();
  await type('/appliance rdp disconnect 12', 'bob');
  save(`${first}${disconnecting('count: 2')}`);
  await reload();
  expect(await press('Approve', 'carol')).toContain('The approval rule changed');
  expect(await type('/appliance rdp sessions', 'bob')).toContain('12');
});

test('a shorter emergency counts from the next line on', async () => {
  const { type, save, first, reload } = await editing();
  save(`${first}emergency: { longest: 30m }\n`);
  await reload();
  const line = '/appliance emergency enable --for 1h --reason "directory down"';
  expect(await type(line, 'bob')).toContain('30 min');
});

test('a process reads its file at SIGHUP, and goes on', async () => {
  const { workspace, file, data } = await editing();
  const bot = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      SLACK_BOT_TOKEN: workspace.botToken,
      SLACK_APP_TOKEN: workspace.appToken,
      SLACK_API_URL: workspace.apiUrl,
      APPLIANCE_BOT_CONFIG: file,
      APPLIANCE_BOT_DATA: join(dirname(data), 'second'),
      APPLIANCE_KEY: 'web-api-key',
      SHELL_PASSWORD: 'x',
    },
  });
  onTestFinished(() => void bot.kill('SIGKILL'));
  let log = '';
  bot.stdout.on('data', (chunk) => {
    log += chunk;
  });
  const says = (words: string) =>
    vi.waitFor(() => expect(log).toContain(words), { timeout: 15_000, interval: 20 });
  await says('Appliance Bot is connected');
  bot.kill('SIGHUP');
  // The file is unchanged: only the signal makes the bot look.
  await says('The policy file was reloaded without a change');
  const ended = new Promise((resolve) => bot.once('exit', resolve));
  bot.kill('SIGTERM');
  expect(await ended).toBe(0);
});

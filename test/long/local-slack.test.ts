import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { startSimulatedAppliance } from '../../sandbox/appliance/index.ts';
import { start } from '../../src/start.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { localSlack, startLocalSlack, tokens } from '../local-slack.ts';

const program = await localSlack();
if (program === undefined)
  process.stdout.write('The tests against local-slack are not run: the package cannot be had here.\n');

const users = ['alice', 'bob', 'carol', 'vic'].map((name) => ({ id: `U0${name.toUpperCase()}`, name }));

async function house() {
  const slack = await startLocalSlack(program ?? '', users, ['C0HELPDESK']);
  const appliance = await startSimulatedAppliance({ key: 'local-key' });
  onTestFinished(() => appliance.close());
  const folder = mkdtempSync(join(tmpdir(), 'appliance-bot-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { urls } = appliance;
  const config = join(folder, 'appliance-bot.yml');
  const roles = {
    viewer: 'everyone',
    // This server lists no groups.
    helpdesk: ['U0ALICE', 'S0HELPDESK'],
    operator: ['U0BOB'],
    approver: ['U0CAROL'],
  };
  writeFileSync(
    config,
    stringify({
      appliances: {
        hq: {
          ...{ url: urls.web, directory_url: urls.directory, mirror_url: urls.mirror },
          ...{ mirror_console_url: urls.mirrorConsole, key: '${APPLIANCE_KEY}' },
        },
      },
      channels: { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles } },
    }),
  );
  const logged: string[] = [];
  const environment = {
    ...{ SLACK_BOT_TOKEN: tokens.botToken, SLACK_APP_TOKEN: tokens.appToken, SLACK_API_URL: slack.apiUrl },
    ...{ APPLIANCE_BOT_CONFIG: config, APPLIANCE_BOT_DATA: join(folder, 'data'), APPLIANCE_KEY: 'local-key' },
  };
  const bot = await start(environment, {
    log: createLog('warn', { write: (line) => void logged.push(line) }),
    // Two sockets at once: each is handed every envelope.
    slackTiming: { secondSocket: 10 },
  });
  onTestFinished(() => bot.stop());
  const sees = (by: string, words: string | RegExp) =>
    expect.poll(() => slack.read(by), { timeout: 20_000 }).toMatch(words);
  return { ...slack, appliance, bot, sees, logged };
}

describe.runIf(program !== undefined)('on a Slack server from outside this project', () => {
  test('a lookup, a refusal, a card, a click, an outcome, an undo and an approval work, each once', async () => {
    const { type, press, read, sees, appliance, bot } = await house();
    await type('/appliance categorize example.com', 'U0VIC');
    await sees('U0VIC', /example\.com is in/);

    await type('/appliance rdp disconnect 12', 'U0VIC');
    // Only a group could allow it, and this server tells nothing of groups.
    await sees('U0VIC', /which user groups you are in, so this was refused/);
    await type('/appliance acl object disable google_sni', 'U0ALICE');
    await sees('U0ALICE', /requires the .*role/);

    await type('/appliance rdp disconnect 12', 'U0ALICE');
    await sees('U0ALICE', /Disconnect session 12/);
    await press('Disconnect', 'U0ALICE');
    await sees('U0ALICE', /Session 12 of bob\.miller .*disconnected/);
    expect(appliance.requests.filter(({ path }) => path.endsWith('/disconnect'))).toHaveLength(1);

    await type('/appliance acl object disable google_sni', 'U0BOB');
    await sees('U0BOB', /google_sni disabled/);
    await press('Undo', 'U0BOB');
    await sees('U0BOB', /Undone by/);
    expect(appliance.state.acl.objects.get(3)?.enabled).toBe(true);

    await type('/appliance emergency enable --for 30m --reason "directory down"', 'U0BOB');
    await sees('U0BOB', /Approve|approv/);
    await press('Approve', 'U0CAROL');
    await sees('U0BOB', /Emergency mode on hq is on/);
    expect(appliance.state.directory.emergency).toBe(true);

    await bot.idle();
    // Every envelope came over both sockets.
    const said = await read('U0VIC');
    expect(said.match(/example\.com is in/g)).toHaveLength(1);
  });

  test('an unknown line, whoami and help are answered, to the person alone', async () => {
    const { type, sees, read } = await house();
    await type('/appliance frobnicate', 'U0VIC');
    await sees('U0VIC', /Unknown command/);
    await type('/appliance whoami', 'U0VIC');
    await sees('U0VIC', /has the viewer/);
    await type('/appliance help', 'U0VIC');
    await sees('U0VIC', /Look up a website/);
    expect(await read('U0BOB')).not.toMatch(/Unknown command|has the viewer|Look up a website/);
  });
});

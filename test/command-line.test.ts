import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSimulatedAppliance } from '../sandbox/appliance/index.ts';
import { machine } from '../sandbox/machine.ts';
import { program } from '../sandbox/process.ts';
import { runSandbox } from '../sandbox/run.ts';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'appliance-bot-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Runs one of our programs as a person would, with this environment and no other. */
function run(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { env: { ...machine(), TZ: 'UTC', ...environment } };
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

/** The same program, without a process of its own. */
async function exec(...args: readonly string[]): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  const code = await runSandbox(['exec', ...args], {
    environment: { KEY_OF_HQ: 'k3y-of-hq' },
    out: (text) => {
      said.stdout += text;
    },
    err: (text) => {
      said.stderr += text;
    },
  });
  return { code: code ?? 0, ...said };
}

test('npm run sandbox -- --help prints its usage to standard output, and exits 0', async () => {
  const { code, stdout, stderr } = await run('sandbox/main.ts', ['--help']);
  expect(stdout).toMatch(/^npm run sandbox +starts everything/);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

describe('npm run sandbox -- exec', () => {
  test('prints the conversation and exits 0 when the command succeeded', async () => {
    const { code, stdout, stderr } = await run('sandbox/main.ts', [
      ...['exec', '/appliance categorize example.com', '--as', 'alice', '--in', 'helpdesk'],
    ]);
    expect(stdout).toContain('example.com is in 1 category: shopping');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('keeps standard output for the conversation: the log goes to standard error by LOG_LEVEL, with each request’s action', async () => {
    const line = ['exec', '/appliance categorize example.com'];
    const { stdout, stderr } = await run('sandbox/main.ts', line, { LOG_LEVEL: 'debug' });
    expect(stdout).toMatch(/^#helpdesk\n/);
    expect(stdout).not.toMatch(/categories\.query|Appliance Bot is connected/);
    const logged = stderr
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one));
    expect(logged).toContainEqual(expect.objectContaining({ msg: 'Appliance Bot is connected' }));
    const request = expect.objectContaining({ operation: 'categories.query', actions: [expect.any(String)] });
    expect(logged).toContainEqual(request);
  });

  test('exits 1 when the command was refused', async () => {
    const { code, stdout } = await exec('/appliance rdp disconnect 12', '--as', 'vic');
    expect(stdout).toContain('rdp disconnect requires the helpdesk, operator or admin role in #helpdesk.');
    expect(code).toBe(1);
  });

  test('prints the refusal and exits 1 when the button to press was never shown', async () => {
    const { code, stdout, stderr } = await exec(
      ...['/appliance rdp disconnect 12', '--as', 'carol', '--click', 'Disconnect'],
    );
    expect(stdout).toContain('rdp disconnect requires the helpdesk, operator or admin role in #helpdesk.');
    expect(stderr).toBe('carol sees no button "Disconnect" in #helpdesk.\n');
    expect(code).toBe(1);
  });

  test('exits 0 when a person cancelled as instructed', async () => {
    const { code, stdout } = await exec('/appliance rdp disconnect 12', '--click', 'Cancel');
    expect(stdout).toContain('Canceled by @alice. No changes were made.');
    expect(code).toBe(0);
  });

  test('exits 1 when the bot gave up by itself', async () => {
    const appliance = await startSimulatedAppliance();
    onTestFinished(() => appliance.close());
    const { sessions } = appliance.state.rdp;
    // Session 12 ends as soon as it has been listed for the first time.
    sessions.values = () => {
      const listed = new Map(sessions);
      sessions.delete(12);
      return listed.values();
    };
    const { code, stdout } = await exec(
      ...['/appliance rdp disconnect 12', '--click', 'Disconnect', '--appliance', appliance.url],
    );
    expect(stdout).toContain('Session 12 is not open on hq');
    expect(code).toBe(1);
  });

  test('exits 1 with the right form when the slash was forgotten', async () => {
    const { code, stdout, stderr } = await exec('categorize example.com');
    expect(stdout).toContain('categorize example.com');
    expect(stderr).toBe(
      'This was posted as a plain message. A command begins with /appliance: exec "/appliance categorize example.com"\n',
    );
    expect(code).toBe(1);
  });

  test('exits 1 with the reason when nobody pressed the button', async () => {
    const { code, stdout, stderr } = await exec('/appliance rdp disconnect 12');
    expect(stdout).toContain('[Disconnect] [Cancel]');
    expect(stderr).toContain(
      'No changes were made yet: the card waits for a click, such as --click "Disconnect".',
    );
    expect(code).toBe(1);
  });

  test('exits 1 and names the form that a button opened, because nobody fills it in', async () => {
    const why = await exec('/appliance why live-betting.example', '--click', 'Ask for it');
    expect(why.stdout).toContain('[Ask for it]');
    expect(why.stderr).toContain('the form "Ask" is open (Domain, How long, Reason).');
    expect(why.code).toBe(1);
  });

  test('presses buttons in order, each as the named person', async () => {
    const { code, stdout } = await exec(
      ...['/appliance rdp disconnect 12', '--as', 'alice'],
      ...['--click', 'Disconnect', '--as', 'bob', '--click', 'Disconnect'],
    );
    expect(stdout).toContain('(only visible to bob)');
    expect(stdout).toContain('Only @alice, who asked for it, can press Disconnect.');
    expect(stdout).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
    expect(code).toBe(0);
  });

  test('uses another appliance when one is given', async () => {
    const appliance = await startSimulatedAppliance();
    onTestFinished(() => appliance.close());
    const { code, stdout } = await exec(
      '/appliance rdp disconnect 12',
      '--click',
      'Disconnect',
      '--appliance',
      appliance.url,
    );
    expect(stdout).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
    expect(appliance.state.rdp.sessions.has(12)).toBe(false);
    expect(code).toBe(0);
  });

  test('accepts the other addresses, the key and the release of another appliance', async () => {
    const appliance = await startSimulatedAppliance({ key: 'k3y-of-hq' });
    onTestFinished(() => appliance.close());
    const given = ['--appliance', appliance.url, '--key', '${KEY_OF_HQ}', '--mirror', appliance.url];
    const mirror = await exec('/appliance mirror status', ...given);
    expect(mirror.code).toBe(0);
    expect((await exec('/appliance rdp sessions', ...given)).stdout).toContain('12');
    const old = await exec('/appliance categorize example.com', ...given, '--release', '4.30');
    expect(old.stdout).toContain('hq runs release 4.30, which cannot do this');
  });

  test('logs in at the mirror console of another appliance', async () => {
    const appliance = await startSimulatedAppliance({ generation: 'field-strict' });
    onTestFinished(() => appliance.close());
    const given = ['--appliance', appliance.url, '--mirror', appliance.url, '--console', appliance.url];
    const events = (...more: readonly string[]) => exec('/appliance mirror events', ...given, ...more);
    expect((await events()).stdout).toContain('hq requires a login at its mirror console');
    expect((await events('--console-user', 'admin')).stderr).toContain(
      '--console-user needs its password: --console-password, or CONSOLE_PASSWORD.',
    );
    const { stdout } = await events('--console-user', 'admin', '--console-password', 'mirror-console');
    expect(stdout).toMatch(/\d+ syncs/);
  });

  test('exits 1 when the appliance does not exist', async () => {
    const { code, stdout } = await exec(
      '/appliance categorize example.com',
      '--appliance',
      'http://127.0.0.1:9',
    );
    expect(stdout).toContain('hq is unreachable (ECONNREFUSED)');
    expect(code).toBe(1);
  });

  test.each([
    [['/appliance help', '--as', 'nobody'], 'There is no nobody here. Try one of alice, bob'],
    [['/appliance help', '--in', 'nowhere'], 'There is no channel nowhere here.'],
    [['/appliance help', '--click', 'Launch', '--as', 'nobody'], 'There is no nobody here.'],
    [['/appliance help', '--appliance', 'ftp://x'], 'must be an http or https address'],
    [['/appliance help', '--mirror', 'http://127.0.0.1:1'], 'require its address. Add --appliance URL'],
    [
      ['/appliance help', '--appliance', 'http://127.0.0.1:1', '--key', '${NOT_SET}'],
      '--key refers to the environment variable NOT_SET, which is not set',
    ],
    [['/appliance help', '--colour', 'red'], "Unknown option '--colour'"],
    [['/appliance help', '--generation', 'field'], 'Unknown --generation field. Use document, field-v1'],
    [
      ['/appliance help', '--generation', 'field-v1', '--appliance', 'http://127.0.0.1:1'],
      '--generation sets the simulated appliance',
    ],
    [[], 'exec needs a line: exec "/appliance help"'],
    [['/appliance', 'why', 'live-betting.example'], "in quotes: exec '/appliance why live-betting.example'"],
  ])('exits 2 and explains what is wrong with %j', async (args, sentence) => {
    const { code, stderr } = await exec(...args);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(code).toBe(2);
  });
});

describe('npm run sandbox', () => {
  test('exits 2 when the port of its page is taken, and leaves nothing open', async () => {
    const taken = await startSimulatedAppliance();
    onTestFinished(() => taken.close());
    const { code, stderr } = await run('sandbox/main.ts', ['--port', new URL(taken.url).port]);
    expect(stderr).toContain('address already in use');
    expect(code).toBe(2);
  });
});

describe('npm start', () => {
  test('names all missing settings at once, without a stack trace', async () => {
    const { code, stdout, stderr } = await run(program, [], { APPLIANCE_BOT_DATA: folderOfTest() });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    for (const key of ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'APPLIANCE_BOT_CONFIG'])
      expect(stderr).toContain(`  ${key} is not set`);
    expect(stderr.match(/Example: /g)).toHaveLength(3);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });

  test('names all wrong settings, and repeats no secret', async () => {
    const folder = folderOfTest();
    const file = join(folder, 'bot.yml');
    writeFileSync(
      file,
      'appliances:\n  hq:\n    url: https://admin:hunter2@10.0.0.1\n    key: s3cr3t-in-the-file\n',
    );
    const { code, stderr } = await run(program, [], {
      SLACK_BOT_TOKEN: 'xoxp-very-secret',
      SLACK_APP_TOKEN: 'hush-hush',
      APPLIANCE_BOT_CONFIG: file,
      APPLIANCE_BOT_DATA: folder,
      LOG_LEVEL: 'chatty',
    });
    expect(code).toBe(1);
    expect(stderr).toContain('5 settings need attention');
    expect(stderr).toContain('Example: SLACK_BOT_TOKEN=xoxb-…');
    expect(stderr).toContain(`${file}:3 appliances.hq.url must be an http or https address`);
    expect(stderr).toContain(`${file}:4 appliances.hq.key must be a reference`);
    expect(stderr).not.toMatch(/very-secret|hush-hush|hunter2|s3cr3t/);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });

  test('names the token that Slack refuses', async () => {
    const folder = folderOfTest();
    const { startHarbour } = await import('../sandbox/harbour.ts');
    const workspace = await startHarbour();
    onTestFinished(() => workspace.stop());
    const file = join(folder, 'bot.yml');
    writeFileSync(file, 'appliances:\n  hq:\n    url: http://127.0.0.1:9\n');
    const environment = {
      APPLIANCE_BOT_CONFIG: file,
      APPLIANCE_BOT_DATA: folder,
      SLACK_API_URL: workspace.apiUrl,
    };
    const wrongBot = await run(program, [], {
      ...environment,
      SLACK_BOT_TOKEN: 'xoxb-no',
      SLACK_APP_TOKEN: workspace.appToken,
    });
    expect(wrongBot.stderr).toContain('SLACK_BOT_TOKEN was rejected by Slack (invalid_auth)');
    expect(wrongBot.code).toBe(1);
    const wrongApp = await run(program, [], {
      ...environment,
      SLACK_BOT_TOKEN: workspace.botToken,
      SLACK_APP_TOKEN: 'xapp-no',
    });
    expect(wrongApp.stderr).toContain('SLACK_APP_TOKEN was rejected by Slack (invalid_auth)');
    expect(wrongApp.stderr).not.toMatch(/^ {4}at /m);
    expect(wrongApp.code).toBe(1);
  });

  test('runs only the built files, and says when they are missing', async () => {
    const elsewhere = folderOfTest();
    cpSync(resolve(program, '../..'), elsewhere, { recursive: true });
    const environment = { APPLIANCE_BOT_DATA: join(elsewhere, 'data') };
    const built = await run(join(elsewhere, 'bin/appliance-bot.js'), [], environment);
    expect(built.stderr).toContain('  SLACK_BOT_TOKEN is not set');
    rmSync(join(elsewhere, 'dist'), { recursive: true });
    const unbuilt = await run(join(elsewhere, 'bin/appliance-bot.js'), [], environment);
    expect(unbuilt).toMatchObject({
      code: 1,
      stderr: 'The bot is not built yet, so it did not start. Build it with: npm run build\n',
    });
  });
});

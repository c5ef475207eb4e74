import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { machine } from '../../sandbox/machine.ts';
import { program } from '../../sandbox/process.ts';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program as it is installed, with this environment and no other, in a folder of its own. */
function appliance(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  { bin = program, flags = [], cwd = newFolder() }: Partial<Way> = {},
): Promise<Ended> {
  return new Promise((done) => {
    const options = { env: { ...machine(), ...environment }, cwd };
    execFile(process.execPath, [...flags, bin, ...words], options, (error, stdout, stderr) => {
      done({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

interface Way {
  readonly bin: string;
  readonly flags: readonly string[];
  readonly cwd: string;
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'subcommands-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));
const commands = ['check', 'doctor', 'health', 'policy', 'journal', 'audit', 'block-page', 'survey'];

describe('the command line', () => {
  test('prints its version and its commands, and leaves nothing behind', async () => {
    const cwd = newFolder();
    expect(await appliance(['--version'], {}, { cwd })).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: `appliance-bot ${version}\n`,
    });
    const { code, stdout, stderr } = await appliance(['--help'], {}, { cwd });
    expect([code, stderr]).toEqual([0, '']);
    for (const name of ['start', ...commands])
      expect(stdout).toMatch(new RegExp(`^ {2}${name} {2,}\\S`, 'm'));
    expect(readdirSync(cwd)).toEqual([]);
  });

  test.each(commands)('explains %s, also as help for it', async (name) => {
    const [asked, helped] = await Promise.all([appliance([name, '--help']), appliance(['help', name])]);
    expect(asked).toMatchObject({ code: 0, stderr: '' });
    expect(asked.stdout).toMatch(new RegExp(`^Usage:\n\nappliance-bot ${name}\\b`));
    expect(asked.stdout).toMatch(/\bExits with |Default FILE/);
    expect(helped).toEqual(asked);
  });

  test.each<readonly [readonly string[], string]>([
    [['jurnal', 'backup'], 'Unknown command jurnal. Did you mean journal?'],
    [['STRAT'], 'Unknown command STRAT. Did you mean start?'],
    [['journal', 'backpu', 'x'], 'Unknown command backpu. Did you mean backup?'],
    [['audit', 'erase'], 'Unknown command erase. Use verify or export.'],
    [['launch-the-rocket'], 'Unknown command launch-the-rocket. Use start, check,'],
    [['--colour'], "Unknown option '--colour'."],
    [['start', '--port', '1'], 'Unexpected argument --port. start takes no arguments.'],
    ...commands.map((name) => [[name, '--colour'], "Unknown option '--colour'"] as const),
  ])('exits 2 after %j, with the mistake and the usage, and does nothing', async (words, says) => {
    const cwd = newFolder();
    const { code, stdout, stderr } = await appliance(words, {}, { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.split('\n')[0]).toContain(says);
    expect(stderr).toContain('\n\nUsage:\n\nappliance-bot ');
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('starts the bot with its word and without one', async () => {
    const environment = { APPLIANCE_BOT_DATA: newFolder() };
    const [none, word] = [await appliance([], environment), await appliance(['start'], environment)];
    expect(none.stderr).toContain('Appliance Bot cannot start: 3 settings need attention.');
    expect(word).toEqual(none);
  });

  test.each(['18.20.4', '20.20.2', '22.18.0', '21.0.0'])(
    'says in one sentence that Node %s is too old',
    async (old) => {
      const stub = join(newFolder(), 'old-node.mjs');
      writeFileSync(
        stub,
        `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${old}' } });`,
      );
      const { code, stdout, stderr } = await appliance([], {}, { flags: ['--import', stub] });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /^Appliance Bot requires Node 22\.19 or later, and this is Node [\d.]+: nothing was done\. .*\n$/,
      );
      expect(stderr).toContain(old);
    },
  );

  test('runs the sources in a checkout, and elsewhere names the missing build', async () => {
    const bin = resolve('bin/appliance-bot.js');
    const elsewhere = newFolder();
    cpSync(resolve(program, '../..'), elsewhere, { recursive: true });
    rmSync(join(elsewhere, 'dist'), { recursive: true });
    const [here, there] = await Promise.all([
      appliance(['--version'], {}, { bin }),
      appliance(['--version'], {}, { bin: join(elsewhere, 'bin/appliance-bot.js') }),
    ]);
    expect(here.stdout).toBe(`appliance-bot ${version}\n`);
    expect(there).toMatchObject({ code: 1, stderr: expect.stringContaining('npm run build') });
  });
});

describe('check', () => {
  const settings = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1', HQ_WEB_API_KEY: 'web-api-key' };

  test('accepts what a start would, and contacts nobody', async () => {
    const file = join(newFolder(), 'bot.yml');
    writeFileSync(
      file,
      'appliances:\n  hq:\n    url: http://10.0.0.1\n    key: ${HQ_WEB_API_KEY}\nholders:\n  admin: [U0DANA0001]\n',
    );
    const { code, stdout, stderr } = await appliance(['check'], { ...settings, APPLIANCE_BOT_CONFIG: file });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`The environment and ${file} are valid.\n`);
  });

  test('lists every mistake in the settings and the policy at once, and repeats no secret', async () => {
    const file = join(newFolder(), 'bot.yml');
    writeFileSync(
      file,
      'appliances:\n  hq:\n    url: ftp://10.0.0.1\nroles:\n  night:\n    commands:\n      - phrase: rdp discnnect\n',
    );
    const { code, stdout } = await appliance(['check'], {
      ...settings,
      ...{ SLACK_BOT_TOKEN: 'xoxp-hush', HEALTH_PORT: 'many', APPLIANCE_BOT_CONFIG: file },
    });
    expect(code).toBe(1);
    for (const says of [
      'SLACK_BOT_TOKEN',
      'HEALTH_PORT',
      `${file}:3 appliances.hq.url`,
      'roles.night.commands.0.phrase is not a command',
    ]) {
      expect(stdout).toContain(says);
    }
    expect(stdout).not.toContain('hush');
    const said = stdout.split('\n').filter((line) => /^ {2}\S/.test(line));
    expect(new Set(said).size).toBe(said.length);
    expect(stdout).toContain(`${said.length} settings need attention.`);
  });

  test('warns about valid settings that may not be meant', async () => {
    const file = join(newFolder(), 'bot.yml');
    writeFileSync(file, 'appliances:\n  hq:\n    url: http://10.0.0.1:9503\n');
    const { code, stdout } = await appliance(['check'], { ...settings, APPLIANCE_BOT_CONFIG: file });
    expect(code).toBe(0);
    expect(stdout).toContain('Warning: ');
  });
});

import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startHarbour } from '../../sandbox/harbour.ts';
import { program } from '../../sandbox/process.ts';
import { freePort } from '../free-port.ts';

const script = join(import.meta.dirname, 'boot.sh');

/** The shell blocks of the page, below this heading. */
function blocksOf(heading: string): readonly string[] {
  const page = readFileSync('docs/install.md', 'utf8');
  const [, section = ''] = page.split(`\n${heading}\n`);
  return [...(section.split(/^#/m)[0] ?? '').matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) =>
    // Root needs nobody's leave.
    block.replaceAll(/^sudo /gm, ''),
  );
}

/** The parts of a built checkout that the page names, with this Node instead of the one that `npm ci` installs. */
function checkout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'opt-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const built = join(dirname(program), '..');
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(built, part), join(folder, part), { recursive: true });
  for (const part of ['appliance-bot.example.yml', 'deploy'])
    cpSync(part, join(folder, part), { recursive: true });
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  copyFileSync(process.execPath, join(folder, 'node_modules/.bin/node'));
  return folder;
}

interface Booted {
  /** Runs a script in it, as root; resolves to the output, and the exit code. */
  readonly run: (lines: string) => Promise<{ readonly code: number; readonly said: string }>;
}

/** A systemd of its own; ends with the test. */
async function boot(opt: string): Promise<Booted> {
  const folder = mkdtempSync(join(tmpdir(), 'systemd-'));
  const outside = spawn(
    'setpriv',
    ['--pdeathsig', 'KILL', 'unshare', '--mount', 'bash', script, folder, opt],
    { stdio: 'ignore' },
  );
  const over = once(outside, 'close');
  let systemd: string | undefined;
  onTestFinished(async () => {
    if (systemd !== undefined) process.kill(Number(systemd), 'SIGKILL');
    else outside.kill('SIGKILL');
    await over;
    rmSync(folder, { recursive: true, force: true });
  });
  systemd = await expect
    .poll(() => descendants(outside).find((pid) => nameOf(pid) === 'systemd'), { timeout: 60_000 })
    .toBeDefined()
    .then(() => descendants(outside).find((pid) => nameOf(pid) === 'systemd'));
  const run: Booted['run'] = (lines) =>
    new Promise((done) => {
      const into = ['--target', systemd ?? '', '--pid', '--mount', '--ipc', '--uts', '--cgroup'];
      const env = [
        'env',
        '-i',
        'PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        'SYSTEMD_PAGER=',
        'bash',
        '--norc',
        '-ec',
        lines,
      ];
      execFile('nsenter', [...into, ...env], { timeout: 180_000 }, (error, out, err) =>
        done({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, said: `${out}${err}` }),
      );
    });
  await expect.poll(() => run('systemctl is-system-running'), { timeout: 60_000 }).toMatchObject({ code: 0 });
  return { run };
}

function descendants({ pid }: ChildProcess): readonly string[] {
  const all = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout.split('\n');
  const children = (parent: string): readonly string[] =>
    all.flatMap((line) => {
      const [child = '', of] = line.trim().split(/\s+/);
      return of === parent ? [child, ...children(child)] : [];
    });
  return children(String(pid));
}

const nameOf = (pid: string): string | undefined =>
  existsSync(`/proc/${pid}/comm`) ? readFileSync(`/proc/${pid}/comm`, 'utf8').trim() : undefined;

// Only root can boot a systemd, on Linux; other users see the reason here. `deploy.test.ts` covers the rest.
test('the unit, installed as the page says, reports mistakes, starts, reloads, notifies the watchdog, and stops, under a systemd', async () => {
  expect([process.getuid?.(), existsSync('/lib/systemd/systemd')], 'root, and systemd').toEqual([0, true]);
  const workspace = await startHarbour();
  onTestFinished(() => workspace.stop());
  const { run } = await boot(checkout());
  // Before them the bot gets there; between them doctor is asked, which needs a D-Bus.
  const [install = '', , start = ''] = blocksOf('### systemd').slice(2);
  expect(await run(install)).toMatchObject({ code: 0 });
  const settings = {
    ...{ SLACK_BOT_TOKEN: workspace.botToken, SLACK_APP_TOKEN: workspace.appToken },
    ...{ SLACK_API_URL: workspace.apiUrl, HEALTH_PORT: String(await freePort()) },
  };
  const policy = 'appliances:\n  hq:\n    url: http://127.0.0.1:9\n    key: ${file:key}\n';
  const write = (file: string, text: string) => run(`cat > /etc/appliance-bot/${file} <<'END'\n${text}\nEND`);
  await write(
    'environment',
    Object.entries(settings)
      .map((one) => one.join('='))
      .join('\n'),
  );
  await write('appliance-bot.yml', policy);
  // A faulty configuration is reported, and nothing starts.
  expect((await run(start)).code).toBe(1);
  expect((await run('journalctl --unit=appliance-bot --output=cat')).said).toContain(
    'appliances.hq.key refers to the file key, which does not exist.',
  );
  expect(workspace.sockets.count).toBe(0);

  await run('systemctl stop appliance-bot');
  await write('key', 'a-web-api-key');
  await run('chown appliance-bot /etc/appliance-bot/key; chmod 600 /etc/appliance-bot/key');
  expect(await run(start)).toMatchObject({ code: 0 });
  expect(workspace.sockets.count).toBe(1);
  const shown = async (property: string) =>
    (await run(`systemctl show --value --property=${property} appliance-bot`)).said.trim();
  expect(await shown('StatusErrno')).toBe('0');
  expect((await run('stat -c "%U %a" /var/lib/appliance-bot')).said).toBe('appliance-bot 700\n');
  expect(await run('systemctl reload appliance-bot')).toMatchObject({ code: 0 });
  await expect.poll(() => shown('ActiveState'), { timeout: 30_000 }).toBe('active');

  // The bot notifies the watchdog twice as often as systemd requires.
  const heard = await shown('WatchdogTimestampMonotonic');
  await expect.poll(() => shown('WatchdogTimestampMonotonic'), { timeout: 60_000 }).not.toBe(heard);
  expect(await shown('ActiveState')).toBe('active');

  expect(await run('systemctl stop appliance-bot')).toMatchObject({ code: 0 });
  expect(await shown('Result')).toBe('success');
  expect((await run('journalctl --unit=appliance-bot --output=cat')).said).toContain('"event":"stopped"');
}, 600_000);

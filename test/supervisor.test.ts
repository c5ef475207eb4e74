import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { inOwnProcess } from './own-process.ts';

/**
 * Stands in for systemd: a datagram socket, as a program in another language reads it. Without room for descriptors, those
 * that come along are closed by the kernel, by which a sender knows that its message was read.
 */
const reader = `
use Socket;
$| = 1;
socket(my $s, PF_UNIX, SOCK_DGRAM, 0) or die $!;
bind($s, sockaddr_un($ARGV[0])) or die $!;
print "listening\\n";
while (defined recv($s, my $said, 4096, 0)) {
  $said =~ s/\\s+/ /g;
  print "$said\\n";
}
`;

async function systemd() {
  const folder = mkdtempSync(join(tmpdir(), 'notify-'));
  const socket = join(folder, 'socket');
  const child = spawn('perl', ['-e', reader, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill();
    rmSync(folder, { recursive: true });
  });
  const heard: string[] = [];
  const lines = createInterface(child.stdout);
  await once(lines, 'line');
  // systemd's own tool adds a BARRIER line, which does not come from the bot.
  lines.on('line', (line) => !line.startsWith('BARRIER=') && heard.push(line.trim()));
  return { socket, heard };
}

/** On Linux it is there wherever systemd is; `.ci/run` installs it. */
describe.runIf(existsSync('/usr/bin/systemd-notify'))('under systemd', () => {
  test('the bot reports to systemd that it is ready, alive, reading its policy again, and stopping', async () => {
    const { socket, heard } = await systemd();
    const { start } = await inOwnProcess();
    const { child, exited, logged } = await start({ NOTIFY_SOCKET: socket, WATCHDOG_USEC: '400000' });
    await expect.poll(() => heard.filter((one) => one === 'WATCHDOG=1').length).toBeGreaterThan(2);
    expect(heard[0]).toBe('READY=1');
    child.kill('SIGHUP');
    await expect.poll(() => heard.filter((one) => one === 'READY=1').length).toBe(2);
    const again = heard.findIndex((one) => one.startsWith('RELOADING=1'));
    expect(heard[again]).toMatch(/^RELOADING=1 MONOTONIC_USEC=\d+$/);
    expect(heard.indexOf('READY=1', 1)).toBeGreaterThan(again);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    // systemd-notify runs in a process of its own, which may be later than the bot's end.
    await expect.poll(() => heard).toContain('STOPPING=1');
    expect(logged.filter((line) => line.includes('systemd'))).toEqual([]);
  });

  test('a bot without systemd sends nothing, and another process of the unit leaves its watchdog alone', async () => {
    const { socket, heard } = await systemd();
    const { start } = await inOwnProcess();
    const alone = await start({ WATCHDOG_USEC: '200000' });
    alone.child.kill();
    await alone.exited;
    expect(heard).toEqual([]);
    const other = await start({ NOTIFY_SOCKET: socket, WATCHDOG_USEC: '200000', WATCHDOG_PID: '1' });
    // The bot logs its connection a moment before it handles signals.
    await expect.poll(() => heard).toEqual(['READY=1']);
    other.child.kill();
    await other.exited;
    await expect.poll(() => heard).toEqual(['READY=1', 'STOPPING=1']);
  });

  test('a missing systemd-notify is logged, and the bot runs', async () => {
    const { socket } = await systemd();
    const { start } = await inOwnProcess();
    const { child, exited, logged } = await start({ NOTIFY_SOCKET: socket, PATH: '/nowhere' });
    await expect
      .poll(() => logged)
      .toContain('systemd could not be told READY=1: systemd-notify failed (ENOENT).');
    child.kill();
    expect(await exited).toBe(0);
  });
});

import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { slowness } from '../test/processor-time.ts';
import { machine } from './machine.ts';
import { type LineReader, startReading } from './understand.ts';

let reader: LineReader;
beforeAll(async () => {
  reader = await startReading('alice', '#helpdesk');
});
afterAll(() => reader.stop());

const script = fileURLToPath(new URL('understand.ts', import.meta.url));

/** Runs it like a person; resolves to its output, its errors, and its exit code. */
async function run(words: readonly string[], input = '') {
  const child = spawn(process.execPath, [script, ...words], { env: machine(), stdio: 'pipe' });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  const [said, complaints, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { lines: said.split('\n').filter(Boolean), complaints, code };
}

test.each([
  [
    'rdp sessions',
    { kind: 'runs', phrase: 'rdp sessions', runs: 'rdp sessions', because: 'It is this command.' },
  ],
  ['/appliance rdp sessions', { kind: 'runs', phrase: 'rdp sessions' }],
  ['list all rdp sessions', { kind: 'runs', runs: 'rdp sessions', because: 'Understood as rdp sessions.' }],
  ['rdp disconnect', { kind: 'form', runs: 'rdp disconnect', effect: 'destructive' }],
  ['kick bob.miller', { kind: 'choices', because: expect.stringContaining('Unknown command') }],
  ['restart the appliance', { kind: 'impossible', because: expect.stringContaining('Web API') }],
  ['zxcv qwer', { kind: 'unknown', choices: [] }],
  ['categorize foo', { kind: 'choices', because: expect.stringContaining('is not a domain') }],
  ['', { kind: 'choices' }],
])('understand says how the bot reads "%s", and why', async (line, told) => {
  expect(await reader.read(line)).toMatchObject({ line, choices: expect.any(Array), ...told });
});

test.each([
  // A site that is to be blocked is offered to nobody to be allowed, and a site that is wanted is.
  ['put pornhub.com on the blacklist', [], ['Ask for the site', 'Allow']],
  ['sperr mal bitte temu.com', [], ['Ask for the site', 'Allow']],
  ['please unblock temu.com', ['Ask for the site'], []],
  ['my boss needs booking.com today', ['Ask for the site'], []],
  ['what category is youtube.com in', [], ['Ask for the site']],
  ['move youtube.com from streaming to news', [], ['Ask for the site']],
  ['bob.miller left, unlink him from Contractors', [], ['Ask for the site']],
  ['unlock maria.lopez', [], ['Ask for the site']],
  // People without the role can ask those who have it.
  ['switch google_sni off', ['Ask for approval: acl object disable google_sni'], []],
  ['turn the emergency mode off', ['Ask for approval: emergency disable'], []],
])('understand shows every button that the bot would show for "%s"', async (line, shown, hidden) => {
  const { buttons } = await reader.read(line);
  const labels = buttons.map(({ label }) => label);
  expect(labels).toEqual(expect.arrayContaining([...shown]));
  for (const one of hidden) expect(labels.join()).not.toContain(one);
});

test('understand writes one JSON object for each line of standard input, in their order, an empty line among them', async () => {
  const { lines, code } = await run([], 'kick bob.miller\n\nrdp sessions\r\nzxcv qwer\n');
  expect(lines.map((line) => [JSON.parse(line).line, JSON.parse(line).kind])).toEqual([
    ['kick bob.miller', 'choices'],
    ['', 'choices'],
    ['rdp sessions', 'runs'],
    ['zxcv qwer', 'unknown'],
  ]);
  expect(code).toBe(0);
});

test('understand takes lines as arguments, by any of the people', async () => {
  const { lines, code } = await run(['--as', 'vic', '--in', 'incident', 'status', 'rdp sessions']);
  expect(lines.map((line) => JSON.parse(line).runs)).toEqual(['status', 'rdp sessions']);
  expect(code).toBe(0);
});

test('understand rejects unknown people and channels', async () => {
  await expect(startReading('nobody', '#helpdesk')).rejects.toThrow('Unknown person nobody.');
  await expect(startReading('alice', 'nowhere')).rejects.toThrow('Unknown channel nowhere.');
});

test('understand explains wrong arguments, with its usage', async () => {
  const { lines, complaints, code } = await run(['--in', 'nowhere', 'status']);
  expect(complaints).toContain('Unknown channel nowhere.');
  expect(complaints).toContain('npm run --silent understand');
  expect([lines, code]).toEqual([[], 2]);
});

test('understand takes a few milliseconds of the processor for a line that is no command', async () => {
  const times: number[] = [];
  for (let number = 0; number < 200; number += 1) {
    const before = process.cpuUsage();
    await reader.read(`kick user${number} from the remote desktop please`);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  // The fastest: other tests share this process and its machine, and only ever make it slower. How long exactly is for the bench to say.
  expect(Math.min(...times)).toBeLessThan(8 * (await slowness()));
});

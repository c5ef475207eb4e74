import { expect, test } from 'vitest';
import { plainText } from './reply.ts';
import { service } from './service.ts';
import type { ServiceProcess } from './wording/service-process.ts';

const context = { appliance: { name: 'hq' } } as never;

/** Restarts a service whose status is first `before` and then `after`, and reads it back. */
async function restarted(before: ServiceProcess, after: ServiceProcess) {
  let process = before;
  const { run, verify } = service('the DNS server', async () => process).restarting(async () => {
    process = after;
    return { confirmed: true };
  });
  const { learned = {} } = await run(context);
  const seen = await verify(context, learned);
  return [seen.kind, 'evidence' in seen ? plainText(seen.evidence) : seen.why];
}

test('a restart shows by a shorter uptime alone, which is noted right before the order', async () => {
  expect(await restarted({ running: true, uptime: 90_000 }, { running: true, uptime: 2_000 })).toEqual([
    'happened',
    'Status read back: the DNS server has started again, running for 2 s.',
  ]);
  expect(await restarted({ running: true, uptime: 90_000 }, { running: true, uptime: 92_000 })).toEqual([
    'not_happened',
    'Status read back: the DNS server is still the same run as before, running for 1 min 32 s.',
  ]);
});

test('a service that refuses to report its status is not running yet', async () => {
  expect(await restarted({ refusal: 'stopped' }, { refusal: 'PDNS is not running' })).toEqual([
    'under_way',
    'it is not running yet; it replied: PDNS is not running.',
  ]);
});

test.each<[string | undefined, ServiceProcess]>([
  ['The FTP server is running for 1 min 30 s', { running: true, uptime: 90_000 }],
  ['⚠ The FTP server is not running', { running: false }],
  ['The FTP server is switched off by its setting', { running: false, switchedOff: true }],
  ['The FTP server is not installed', { running: false, installed: false }],
  [undefined, {}],
])('its status is said in one sentence: %s', (said, process) => {
  const headline = service('the FTP server', async () => process).headline(process);
  expect(headline && plainText(headline)).toBe(said);
});

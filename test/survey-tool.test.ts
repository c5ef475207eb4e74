import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { surveyTool } from '../cli/survey/survey.ts';
import { type SimulatedAppliance, startSimulatedAppliance } from '../sandbox/appliance/index.ts';
import { operations } from '../src/api/index.ts';

const key = 'k3y-of-the-web-api';

/** A survey of a simulated appliance, which may be given faults before. */
async function survey(
  prepare: (appliance: SimulatedAppliance) => void = () => undefined,
  { answer = 'yes', words = [] as readonly string[] } = {},
) {
  const appliance = await startSimulatedAppliance({ key });
  onTestFinished(() => appliance.close());
  prepare(appliance);
  const folder = mkdtempSync(join(tmpdir(), 'appliance-bot-survey-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'survey.md');
  let written = '';
  const code = await surveyTool(
    [
      ...['--appliance', appliance.url, '--mirror', appliance.url, '--console', appliance.url],
      ...['--report', file, ...words],
    ],
    {
      environment: { APPLIANCE_KEY: key },
      write: (text) => {
        written += text;
      },
      complain: (text) => {
        written += text;
      },
      now: () => Date.UTC(2026, 10, 23),
      ask: async (question) => {
        written += question;
        return answer;
      },
    },
  );
  return { code, written, appliance, report: code === 0 ? readFileSync(file, 'utf8') : undefined };
}

test('survey asks every reading operation, and sends no order', async () => {
  const { code, report, appliance } = await survey();
  expect(code).toBe(0);
  const orders = [...operations.values()].filter(({ effect }) => effect !== 'read');
  const asked = new Set(appliance.requests.map(({ operation }) => operation?.replace(/^\S+ /, '')));
  for (const { path, method } of orders) {
    const isAlsoRead = [...operations.values()].some((one) => one.path === path && one.effect === 'read');
    if (!isAlsoRead) expect(asked, `${method} ${path}`).not.toContain(path);
  }
  for (const [name, { effect }] of operations)
    expect(report?.includes(`## ${name}\n`), name).toBe(effect === 'read');
});

test('survey reports shapes and words, and no content of the appliance', async () => {
  const { report = '', appliance } = await survey();
  expect(report).toContain('release: 4.50 Service Pack 5');
  expect(report).toContain('rpz_enabled: number');
  expect(report).not.toContain(key);
  const { rdp, acl } = appliance.state;
  const held = [
    ...[...rdp.sessions.values()].flatMap((one) => [one.username, one.target, one.client_ip]),
    ...[...rdp.members.values()].map(({ username }) => username),
    ...[...acl.objects.values()].map(({ name }) => name),
  ].filter((one) => /[\W_\d]/.test(one));
  expect(held.length).toBeGreaterThan(20);
  for (const one of held) expect(report, one).not.toContain(one);
});

test('survey reports what the client could not place, and what it did not understand', async () => {
  const { report = '' } = await survey(({ faults }) => {
    faults.set('GET /categories/query/{domain}', {
      kind: 'text',
      text: '{"status": false, "info": "Category service disabled on this server", "node_name": "x"}',
    });
    faults.set('- /appliance_version', {
      kind: 'text',
      text: '{"status": true, "version": "4.50", "served_by": "proxy-7"}',
    });
    faults.set('GET /rdpproxy/sessions', { kind: 'text', text: '{"Status": true, "Sessions": "proxy-8"}' });
  });
  const section = (name: string) => report.split('\n## ').find((one) => one.startsWith(`${name}\n`)) ?? '';
  expect(section('categories.query')).toContain('Message: Category service disabled on this server');
  expect(section('categories.query')).toContain('**Refused**: not served (service_off)');
  expect(section('directory.applianceVersion')).toContain('Unknown fields: `served_by`');
  expect(section('rdp.listSessions')).toContain('**Not understood**: unexpected_reply, at `Sessions`');
  expect(report).not.toMatch(/proxy-[78]/);
});

test('survey logs in at the console of the mirror, when it has a login', async () => {
  const eventsOf = (report = '') =>
    report.split('\n## ').find((one) => one.startsWith('mirror.listEvents\n'));
  const guarded = (appliance: SimulatedAppliance) => appliance.turn({ generation: 'field-strict' });
  const without = await survey(guarded, { words: ['--key-everywhere'] });
  expect(eventsOf(without.report)).toContain('Please login again.');
  const login = ['--console-user', 'admin', '--console-password', 'mirror-console'];
  const { report } = await survey(guarded, { words: ['--key-everywhere', ...login] });
  expect(eventsOf(report)).toContain('count');
  expect(eventsOf(report)).not.toContain('Failed');
  expect(report).not.toContain('mirror-console');
});

test('survey asks before it begins, and asks the appliance nothing after a no', async () => {
  const { code, written, appliance } = await survey(undefined, { answer: 'no' });
  expect(code).toBe(1);
  expect(written).toMatch(/This sends \d+ read-only requests to \S+, .* No changes are made there/);
  expect(written).toContain('No requests were sent.');
  expect(appliance.requests).toEqual([]);
});

test.each([
  [['--key', '${NO_SUCH_KEY}'], 'refers to the environment variable NO_SUCH_KEY, which is not set'],
  [['--console-password', '${NO_SUCH_ONE}'], '--console-password refers to the environment variable'],
  [['--frob'], "Unknown option '--frob'"],
])('survey explains what is wrong with %j', async (words, wrong) => {
  const { code, written, appliance } = await survey(undefined, { words });
  expect(code).toBe(2);
  expect(written).toContain(wrong);
  expect(appliance.requests).toEqual([]);
});

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { watched } from '../telemetry/watched.ts';

const place = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const rules = place('../../deploy/prometheus/alerts.yml');
const cases = place('alerts.yml');

function promtool(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(process.env.PROMTOOL ?? 'promtool', args, {
    ...{ input, encoding: 'utf8' },
  });
  return { status, said: `${stdout}${stderr}` };
}

test('promtool accepts the alert rules', () => {
  expect(promtool(['check', 'rules', rules])).toMatchObject({ status: 0 });
});

test('each alert fires in time, and none for a healthy bot', () => {
  const { status, said } = promtool(['test', 'rules', cases]);
  expect({ status, said }).toMatchObject({ status: 0 });
});

test('these tests cover every alert', () => {
  const one = z.object({ alert: z.string() });
  const named = z
    .object({ groups: z.array(z.object({ rules: z.array(one) })) })
    .parse(parse(readFileSync(rules, 'utf8')))
    .groups.flatMap((group) => group.rules.map(({ alert }) => alert));
  const expected = z
    .object({
      tests: z.array(
        z.object({
          alert_rule_test: z.array(
            z.object({ alertname: z.string(), exp_alerts: z.array(z.unknown()).optional() }),
          ),
        }),
      ),
    })
    .parse(parse(readFileSync(cases, 'utf8')))
    .tests.flatMap(({ alert_rule_test: all }) => all);
  const [silent, loud] = [false, true].map(
    (is) =>
      new Set(
        expected.filter((each) => (each.exp_alerts !== undefined) === is).map((each) => each.alertname),
      ),
  );
  expect(named.filter((name) => !silent?.has(name) || !loud?.has(name))).toEqual([]);
});

test('promtool finds nothing wrong with the metrics of a bot that has worked', async () => {
  const bot = await watched();
  await bot.type('/appliance categorize example.com');
  await bot.type('/appliance rdp disconnect 12');
  await bot.press('Disconnect');
  await bot.pass(0);
  const text = await bot.metricsText();
  expect(text).toContain('appliance_bot_command_duration_seconds_bucket');
  expect(promtool(['check', 'metrics'], text)).toEqual({ status: 0, said: '' });
});

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { readExposition } from '../exposition.ts';

const rules = fileURLToPath(new URL('../../../deploy/prometheus/alerts.yml', import.meta.url));
const promtool = process.env.PROMTOOL ?? 'promtool';

/** Minutes without trouble, and minutes of the trouble before the check. */
const [well, troubled] = [5, 16];

/**
 * Which alerts there are, by name, when Prometheus has read `before` for a while, and then `after`: what was counted in between goes
 * on being counted, minute by minute, as the trouble does. Without promtool nobody can tell, and the run of the tests says so.
 */
export function firing(
  before: string,
  after: string,
  beside: readonly string[] = [],
): readonly string[] | undefined {
  if (!existsSync(promtool)) return undefined;
  const series = [
    ...seriesOf(before, after),
    ...beside.flatMap((text, index) => seriesOf(text, text, `beside-${index}`)),
  ];
  const folder = mkdtempSync(join(tmpdir(), 'promtool-'));
  try {
    const file = join(folder, 'cases.yml');
    writeFileSync(
      file,
      stringify({
        ...{ rule_files: [rules], evaluation_interval: '1m' },
        tests: [
          {
            ...{ interval: '1m', input_series: series },
            // Never so, so that it says what there is.
            promql_expr_test: [
              {
                expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
                eval_time: `${well + troubled}m`,
              },
            ],
          },
        ],
      }),
    );
    const { stdout, stderr } = spawnSync(promtool, ['test', 'rules', file], { encoding: 'utf8' });
    const said = `${stdout}${stderr}`;
    const [, got] = /got:([\s\S]*)/.exec(said) ?? [];
    if (got === undefined && !said.includes('SUCCESS')) throw new Error(said);
    return [...new Set([...(got ?? '').matchAll(/alertname="(\w+)"/g)].map(([, name = '']) => name))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As Prometheus would have them, of one bot; '' of one that is not there. */
function seriesOf(before: string, after: string, instance = 'a') {
  const earlier = samplesOf(before, instance);
  const isUp = after === '' ? 0 : 1;
  const up = {
    series: `up{job="appliance-bot", instance="${instance}"}`,
    values: `1x${well} ${isUp}x${troubled}`,
  };
  return [
    up,
    ...[...samplesOf(after, instance)].map(([series, { value, isCounted }]) => {
      const began = earlier.get(series)?.value ?? 0;
      // After a restart it begins anew.
      const more = isCounted ? Math.max(0, value - began) : 0;
      return { series, values: `${plain(began)}x${well} ${plain(value)}+${plain(more)}x${troubled}` };
    }),
  ];
}

/** Without an exponent, which it would take for something else. */
const plain = (value: number): string => value.toFixed(9);

function samplesOf(text: string, instance = 'a') {
  if (text === '') return new Map<string, { readonly value: number; readonly isCounted: boolean }>();
  return new Map(
    [...readExposition(text).values()].flatMap(({ type, samples }) =>
      samples.map(({ name, labels, value }) => {
        const all = { job: 'appliance-bot', instance, ...labels };
        const written = Object.entries(all).map(([label, said]) => `${label}=${JSON.stringify(said)}`);
        return [`${name}{${written.join(',')}}`, { value, isCounted: type !== 'gauge' }] as const;
      }),
    ),
  );
}

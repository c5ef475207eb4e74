import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { allEvents } from '../../src/telemetry/all-events.ts';
import { createBotMetrics } from '../../src/telemetry/metrics/bot.ts';
import { alerts } from '../../tools/watching/alerts.ts';
import { waking } from '../../tools/watching/pages.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const declared = createBotMetrics(
  () => undefined,
  () => ({ version: '', policy: '' }),
).declared();

/** As they stand in the text: a histogram is three. */
const names = new Map(
  declared.flatMap(({ name, type, labels = [] }) =>
    type === 'histogram'
      ? ['_bucket', '_sum', '_count'].map((end) => [`${name}${end}`, [...labels, 'le']] as const)
      : [[name, labels] as const],
  ),
);
/** Prometheus adds these, and one of its own. */
const added = ['job', 'instance'];

/** Every metric in a query, with the labels that are asked of it. */
const metricsIn = (query: string) =>
  [...query.matchAll(/\b((?:appliance_bot|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g)].map(
    ([, name = '', labels = '']) => ({
      name,
      labels: [...labels.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label),
    }),
  );

function expectKnown(query: string) {
  const asked = metricsIn(query);
  expect(asked.length, query).toBeGreaterThan(0);
  for (const { name, labels } of asked) {
    if (name === 'up') continue;
    expect([...names.keys()], query).toContain(name);
    for (const label of labels) expect([...added, ...(names.get(name) ?? [])], query).toContain(label);
  }
  for (const [, by = ''] of query.matchAll(/\bby \(([^)]*)\)/g))
    for (const label of by.split(',').map((one) => one.trim()))
      expect([...added, ...[...names.values()].flat()], query).toContain(label);
}

const rules = z
  .object({
    groups: z.tuple([
      z.object({
        name: z.string(),
        rules: z.array(
          z.object({
            alert: z.string(),
            expr: z.string(),
            for: z.string().optional(),
            labels: z.object({ severity: z.enum(['critical', 'warning']) }),
            annotations: z.object({ summary: z.string(), runbook: z.string() }),
          }),
        ),
      }),
    ]),
  })
  .parse(parse(read('deploy/prometheus/alerts.yml'))).groups[0].rules;

describe('the rules of deploy/prometheus/alerts.yml', () => {
  test.each(rules)('$alert uses existing metrics and labels, and has a paragraph in the runbook', (rule) => {
    expectKnown(rule.expr);
    const [, anchor = ''] = rule.annotations.runbook.split('#');
    expect(read('docs/runbook.md').toLowerCase()).toContain(`\n## ${anchor}\n`);
  });

  test('name only events that exist, and every error is covered by one of them', () => {
    const events = new Set(alerts.flatMap((alert) => alert.events));
    const known = new Set(allEvents.map(({ id }) => id));
    expect([...events].filter((event) => !known.has(event))).toEqual([]);
    const inQueries = rules.flatMap(({ expr }) =>
      [...expr.matchAll(/event(?:=~|!~)"([^"]*)"/g)].flatMap(([, list = '']) => list.split('|')),
    );
    expect(inQueries.filter((event) => !known.has(event))).toEqual([]);
    expect(inQueries.length).toBeGreaterThan(10);
  });

  test('have each a name of its own', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  });
});

describe('the table of docs/metrics.md', () => {
  const table = read('docs/metrics.md');

  test.each(allEvents.filter(({ level }) => level === 'error' || level === 'fatal'))(
    'has $id, with an alert',
    ({ id }) => {
      const row = table.split('\n').find((line) => line.startsWith(`| [\`${id}\`]`)) ?? '';
      expect(row).toMatch(/\]\(runbook\.md#\w+\)/);
    },
  );
});

test.each(waking)('an event worth paging on says what to do about it: $event.id', ({ event }) => {
  expect(event.action).toMatch(/^[A-Z`].*\.$/s);
});

describe('the dashboard of deploy/grafana', () => {
  const panels = z
    .object({
      panels: z.array(
        z.object({
          title: z.string(),
          type: z.string(),
          gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
          targets: z.array(z.object({ expr: z.string() })).optional(),
        }),
      ),
    })
    .parse(JSON.parse(read('deploy/grafana/dashboard.json'))).panels;

  test.each(panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr }))))(
    '$title uses an existing metric',
    ({ expr }) => expectKnown(expr),
  );

  test('no panel overlaps another, and none lies beside the page', () => {
    for (const [index, { gridPos: one }] of panels.entries()) {
      expect(one.x + one.w).toBeLessThanOrEqual(24);
      for (const { gridPos: other } of panels.slice(index + 1)) {
        const apart =
          one.x + one.w <= other.x ||
          other.x + other.w <= one.x ||
          one.y + one.h <= other.y ||
          other.y + other.h <= one.y;
        expect(apart, JSON.stringify([one, other])).toBe(true);
      }
    }
  });
});

/**
 * Alerts worth paging on, declared once: deploy/prometheus/alerts.yml, docs/runbook.md and the table of docs/metrics.md
 * are made of it. docs/watching.md says how to load them.
 */

import type { Alert } from './alert.ts';
import { ofItsWork } from './of-its-work.ts';
import { ofTheBot } from './of-the-bot.ts';

const specific: readonly Alert[] = [...ofTheBot, ...ofItsWork];

/** Every event of this level that has no alert of its own. */
export const alerts: readonly Alert[] = [
  ...specific,
  {
    name: 'ApplianceBotErrors',
    expr: `sum by (job, event) (increase(appliance_bot_events_total{level="error", event!~"${[
      ...new Set(specific.flatMap(({ events }) => events)),
    ]
      .toSorted()
      .join('|')}"}[15m])) > 0`,
    severity: 'warning',
    summary: 'Appliance Bot logged {{ $labels.event }}',
    events: [],
    means: 'Something failed that has no alert of its own.',
    steps: [
      'docs/logs.md has a paragraph for each event, with what to do. The line in the log has the details.',
    ],
  },
];

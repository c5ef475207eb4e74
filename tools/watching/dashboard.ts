/** deploy/grafana/dashboard.json, to be imported into Grafana as it is. */

interface Panel {
  readonly title: string;
  readonly expr: string;
  readonly legend?: string;
  /** As Grafana calls it. */
  readonly unit: string;
  readonly kind?: 'stat';
  /** The width of a panel, of 24 columns. */
  readonly width: number;
}

const quantile = (of: number, name: string, by = ''): string =>
  `histogram_quantile(${of}, sum by (le${by}) (rate(${name}_bucket{job="$job"}[$__rate_interval])))`;
const rate = (name: string, by: string): string =>
  `sum by (${by}) (rate(${name}{job="$job"}[$__rate_interval]))`;
/** The journal is the same at every replica. */
const once = (name: string): string => `max(${name}{job="$job"})`;

const rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[] = [
  {
    title: 'Now',
    panels: [
      { title: 'Replicas', expr: once('appliance_bot_replicas'), unit: 'short', kind: 'stat', width: 4 },
      {
        title: 'Connected to Slack',
        expr: 'min(appliance_bot_slack_connected{job="$job"})',
        unit: 'bool_yes_no',
        kind: 'stat',
        width: 4,
      },
      {
        title: 'Slack answers',
        expr: 'min(appliance_bot_slack_answering{job="$job"})',
        unit: 'bool_yes_no',
        kind: 'stat',
        width: 4,
      },
      {
        title: 'Journal usable',
        expr: 'min(appliance_bot_journal_usable{job="$job"})',
        unit: 'bool_yes_no',
        kind: 'stat',
        width: 4,
      },
      {
        title: 'Audit intact',
        expr: 'min(appliance_bot_audit_intact{job="$job"})',
        unit: 'bool_yes_no',
        kind: 'stat',
        width: 4,
      },
      {
        title: 'On for a time',
        expr: once('appliance_bot_timed_changes'),
        unit: 'short',
        kind: 'stat',
        width: 4,
      },
      {
        title: 'Overdue',
        expr: once('appliance_bot_timed_changes_overdue'),
        unit: 'short',
        kind: 'stat',
        width: 4,
      },
      {
        title: 'Approvals waiting',
        expr: once('appliance_bot_approvals_waiting'),
        unit: 'short',
        kind: 'stat',
        width: 4,
      },
      {
        title: 'Appliances',
        expr: 'min by (appliance) (appliance_bot_appliance_up{job="$job"})',
        legend: '{{appliance}}',
        unit: 'bool_yes_no',
        kind: 'stat',
        width: 16,
      },
    ],
  },
  {
    title: 'Commands',
    panels: [
      {
        title: 'Commands by outcome',
        expr: rate('appliance_bot_commands_total', 'outcome'),
        legend: '{{outcome}}',
        unit: 'ops',
        width: 8,
      },
      {
        title: 'Time to answer, 95 of 100',
        expr: quantile(0.95, 'appliance_bot_command_duration_seconds', ', effect'),
        legend: '{{effect}}',
        unit: 's',
        width: 8,
      },
      {
        title: 'Acknowledgement, 99 of 100',
        expr: quantile(0.99, 'appliance_bot_acknowledgement_seconds'),
        unit: 's',
        width: 8,
      },
      {
        title: 'Phases of an action, 95 of 100',
        expr: quantile(0.95, 'appliance_bot_phase_seconds', ', phase'),
        legend: '{{phase}}',
        unit: 's',
        width: 12,
      },
      {
        title: 'Approvals by outcome',
        expr: `sum by (outcome) (increase(appliance_bot_approvals_total{job="$job"}[$__rate_interval]))`,
        legend: '{{outcome}}',
        unit: 'short',
        width: 12,
      },
      {
        title: 'Actions that are not over',
        expr: 'max by (state) (appliance_bot_actions{job="$job"})',
        legend: '{{state}}',
        unit: 'short',
        width: 12,
      },
      {
        title: 'Warnings and errors',
        expr: `sum by (event) (rate(appliance_bot_events_total{job="$job", level=~"warn|error|fatal"}[$__rate_interval])) > 0`,
        legend: '{{event}}',
        unit: 'ops',
        width: 12,
      },
    ],
  },
  {
    title: 'Appliances',
    panels: [
      {
        title: 'Requests by outcome',
        expr: rate('appliance_bot_appliance_requests_total', 'appliance, outcome'),
        legend: '{{appliance}} {{outcome}}',
        unit: 'reqps',
        width: 12,
      },
      {
        title: 'Areas that are not up',
        expr: 'appliance_bot_appliance_area_up{job="$job"} == 0',
        legend: '{{appliance}} {{area}}',
        unit: 'bool_yes_no',
        width: 24,
      },
      {
        title: 'Time of a request, 95 of 100',
        expr: quantile(0.95, 'appliance_bot_appliance_request_duration_seconds', ', appliance'),
        legend: '{{appliance}}',
        unit: 's',
        width: 12,
      },
    ],
  },
  {
    title: 'Journal and messages',
    panels: [
      {
        title: 'Commit, 95 of 100',
        expr: quantile(0.95, 'appliance_bot_journal_write_seconds'),
        unit: 's',
        width: 6,
      },
      { title: 'Messages that wait', expr: once('appliance_bot_outbox_pending'), unit: 'short', width: 6 },
      { title: 'The oldest of them', expr: once('appliance_bot_outbox_oldest_seconds'), unit: 's', width: 6 },
      { title: 'Webhooks that wait', expr: once('appliance_bot_webhooks_pending'), unit: 'short', width: 6 },
      { title: 'Records of the audit', expr: once('appliance_bot_audit_head'), unit: 'short', width: 6 },
    ],
  },
  {
    title: 'Process',
    panels: [
      {
        title: 'Memory',
        expr: 'process_resident_memory_bytes{job="$job"}',
        legend: '{{instance}}',
        unit: 'bytes',
        width: 6,
      },
      {
        title: 'Processor',
        expr: 'rate(process_cpu_seconds_total{job="$job"}[$__rate_interval])',
        legend: '{{instance}}',
        unit: 'percentunit',
        width: 6,
      },
      {
        title: 'Lag of the event loop, 99 of 100',
        expr: 'nodejs_eventloop_lag_p99_seconds{job="$job"}',
        legend: '{{instance}}',
        unit: 's',
        width: 6,
      },
      {
        title: 'Running',
        expr: 'appliance_bot_info{job="$job"}',
        legend: '{{instance}} {{version}}, policy {{policy}}',
        unit: 'short',
        width: 6,
      },
    ],
  },
];

const source = { type: 'prometheus', uid: '${source}' };

export function dashboard(): string {
  let id = 0;
  let y = 0;
  const panels = rows.flatMap(({ title, panels: own }) => {
    const header = {
      id: ++id,
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y: y++, w: 24, h: 1 },
    };
    let x = 0;
    const drawn = own.map((panel) => {
      const height = panel.kind === 'stat' ? 4 : 8;
      if (x + panel.width > 24) {
        x = 0;
        y += height;
      }
      const gridPos = { x, y, w: panel.width, h: height };
      x += panel.width;
      return draw(panel, ++id, gridPos);
    });
    y += own.at(-1)?.kind === 'stat' ? 4 : 8;
    return [header, ...drawn];
  });
  return `${JSON.stringify(
    {
      ...{
        title: 'Appliance Bot',
        uid: 'appliance-bot',
        tags: ['appliance-bot'],
        schemaVersion: 39,
        version: 1,
      },
      ...{ editable: true, refresh: '1m', time: { from: 'now-6h', to: 'now' }, timezone: '' },
      templating: {
        list: [
          { name: 'source', label: 'Data source', type: 'datasource', query: 'prometheus' },
          {
            ...{ name: 'job', label: 'Job', type: 'query', datasource: source, refresh: 2 },
            query: { query: 'label_values(appliance_bot_info, job)', refId: 'job' },
          },
        ],
      },
      panels,
    },
    null,
    2,
  )}\n`;
}

function draw({ title, expr, legend, unit, kind }: Panel, id: number, gridPos: object) {
  return {
    ...{ id, title, type: kind ?? 'timeseries', datasource: source, gridPos },
    fieldConfig: { defaults: { unit, ...(kind === undefined && { min: 0 }) }, overrides: [] },
    ...(kind === 'stat' && { options: { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'none' } }),
    targets: [{ refId: 'A', datasource: source, expr, legendFormat: legend ?? title }],
  };
}

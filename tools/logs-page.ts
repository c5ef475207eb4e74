import { allEvents, eventsByArea } from '../src/telemetry/all-events.ts';
import { fieldMeanings, type LineField, type LogEvent } from '../src/telemetry/events/event.ts';

const byId = (one: LogEvent, other: LogEvent): number => (one.id < other.id ? -1 : 1);

/** docs/logs.md, from the declarations. */
export function logsPage(): string {
  const sections = [...eventsByArea].map(([area, events]) =>
    [`## ${titles[area] ?? area}`, ...events.toSorted(byId).map(section)].join('\n\n'),
  );
  const used = new Set(allEvents.flatMap(({ fields }) => fields));
  return `${[introduction, ...sections, `## Fields\n\n${fieldTable([...used].toSorted())}`].join('\n\n')}\n`;
}

const titles: Readonly<Record<string, string>> = {
  actions: 'Commands',
  appliances: 'Appliances',
  forms: 'Forms',
  journal: 'The journal',
  messages: 'Messages',
  policy: 'The policy file',
  process: 'The process',
  replicas: 'Replicas',
  requests: 'Requests for sites, and the block page',
  slack: 'Slack',
  traces: 'Traces',
  watches: 'Watches',
  webhooks: 'Webhooks',
};

const introduction = `# What the log says

<!-- Made from src/telemetry/events by npm run docs. -->

The log is one JSON object a line, on standard output. Each has \`level\`, \`time\` (milliseconds since 1970), \`event\`, \`msg\`, the bot's
\`version\`, and its \`replica\` once the journal is open. What is said in the course of an action has its ID in \`actions\`, what people call it in
Slack in \`called\` (\`A-7KQ2MX9D\`, for \`/appliance show A-7KQ2MX9D\`), and where traces are made \`trace\`. \`event\` stays as it is from release to release: search and alert by it, and not by the message.
The same events are counted in the metric \`appliance_bot_events_total{event, level}\`, also those below \`LOG_LEVEL\`.
Secrets never reach the log: what looks like one is \`[secret]\`.

- \`error\`: somebody should look today. \`warn\`: it may come to that, or somebody missed something. \`info\`: as it should be.
- \`fatal\`: the process ends by it. \`debug\`: for whoever looks for a cause; it is not written by default.`;

function section({ id, level, says, fields, means, action }: LogEvent<LineField>): string {
  return [
    `### ${id}`,
    `**${level}** · ${says}`,
    means,
    ...(action === undefined ? [] : [`**What to do:** ${action}`]),
    ...(fields.length === 0 ? [] : [`Fields: ${fields.map((name) => `\`${name}\``).join(', ')}`]),
  ].join('\n\n');
}

const fieldTable = (names: readonly LineField[]): string =>
  [
    '| field | what stands in it |',
    '|---|---|',
    ...names.map((name) => `| \`${name}\` | ${fieldMeanings[name]} |`),
  ].join('\n');

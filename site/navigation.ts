/** A page of the site by its name in `docs/`, and what it is called in the navigation. */
type Entry = readonly [page: string, title: string];

export interface Group {
  readonly title: string;
  readonly pages: readonly Entry[];
}

/**
 * By what somebody comes for. A page that is not there is left out; one that is in none of them comes into the last one, so
 * that none is ever missing.
 */
export const groups: readonly Group[] = [
  {
    title: 'Start',
    pages: [
      ['start', 'Start in five minutes'],
      ['setup', 'In your workspace'],
    ],
  },
  {
    title: 'Guides',
    pages: [
      ['first-policy', 'Your first policy'],
      ['approvals', 'Approvals'],
      ['rehearse-emergency', 'Emergency drill'],
      ['temporary-changes', 'Temporary and planned changes'],
      ['watches', 'Watches and schedules'],
      ['block-page', 'Requests from block pages'],
      ['workflow-steps', 'Steps of Slack’s workflows'],
      ['webhooks', 'Webhooks'],
      ['deploy', 'Backup, replicas, failures'],
      ['operate', 'Keys, appliances, restoring'],
      ['upgrade', 'Upgrade'],
      ['watching', 'Watching it'],
      ['runbook', 'Runbook'],
    ],
  },
  {
    title: 'Reference',
    pages: [
      ['commands', 'Commands'],
      ['permissions', 'Permissions'],
      ['policy', 'Policy file'],
      ['settings', 'Settings'],
      ['logs', 'Logs'],
      ['metrics', 'Metrics'],
      ['audit', 'Audit records'],
      ['client', 'Client'],
      ['api', 'Operations of the client'],
      ['simulated-appliance', 'Testing against an appliance'],
      ['slack-apps', 'Testing any Slack app'],
    ],
  },
  {
    title: 'Explained',
    pages: [
      ['architecture', 'Architecture and durability'],
      ['security', 'Security'],
      ['decisions/index', 'Decisions'],
      ['slack-on-a-bad-day', 'Slack on a bad day'],
      ['benchmarks', 'Benchmarks'],
    ],
  },
  {
    title: 'When something is wrong',
    pages: [
      ['troubleshooting', 'By what you see'],
      ['debugging', 'Following one action'],
    ],
  },
  {
    title: 'The project',
    pages: [
      ['contributing', 'Contributing'],
      ['code-of-conduct', 'Code of conduct'],
      ['changelog', 'Changelog'],
    ],
  },
];

/** What VitePress calls a sidebar, of the pages that there are. */
export function sidebarOf(pages: readonly string[]) {
  const placed = new Set(groups.flatMap((group) => group.pages.map(([page]) => page)));
  const others = pages
    .filter((page) => !placed.has(page) && !page.startsWith('decisions/') && page !== 'index')
    .map((page): Entry => [page, page.replace('packages/', '').replaceAll('-', ' ')]);
  return [...groups, { title: 'More', pages: others }]
    .map(({ title, pages: own }) => ({
      text: title,
      items: own
        .filter(([page]) => pages.includes(page))
        .map(([page, text]) => ({ text, link: `/${page.replace(/index$/, '')}` })),
    }))
    .filter(({ items }) => items.length > 0);
}

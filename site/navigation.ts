/** A page of the site by its name in `docs/`, and its title in the navigation. */
type Entry = readonly [page: string, title: string];

export interface Group {
  readonly title: string;
  readonly pages: readonly Entry[];
}

/**
 * Pages by reader: users, operators, contributors, and then the generated ones. A missing page is left out, and a page in
 * no group comes into the last one.
 */
export const groups: readonly Group[] = [
  {
    title: 'Start',
    pages: [['start', 'Start in five minutes']],
  },
  {
    title: 'Use',
    pages: [
      ['temporary-changes', 'Temporary and planned changes'],
      ['watches', 'Watches and schedules'],
      ['rehearse-emergency', 'Emergency drill'],
    ],
  },
  {
    title: 'Install',
    pages: [
      ['setup', '1. Set up the Slack app'],
      ['first-policy', '2. Your policy and approvals'],
      ['install', '3. Install: systemd, Docker, Kubernetes'],
    ],
  },
  {
    title: 'Operate',
    pages: [
      ['operate', 'Keys, appliances, backups'],
      ['upgrade', 'Upgrade'],
      ['watching', 'Monitoring'],
      ['runbook', 'Runbook for alerts'],
      ['failures', 'Failures'],
      ['troubleshooting', 'Troubleshooting'],
      ['block-page', 'Requests from block pages'],
      ['workflow-steps', 'Steps of Slack’s workflows'],
      ['webhooks', 'Webhooks'],
      ['security', 'Security'],
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
      ['metrics', 'Metrics and events'],
      ['audit', 'Audit records'],
    ],
  },
  {
    title: 'Packages',
    pages: [
      ['client', 'Client guide'],
      ['api', 'Operations of the client'],
      ['packages/appliance-client', 'appliance-client'],
      ['packages/simulated-appliance', 'simulated-appliance'],
      ['packages/workspace-for-slack-apps', 'workspace-for-slack-apps'],
    ],
  },
  {
    title: 'Contribute',
    pages: [
      ['contributing', 'Contributing'],
      ['architecture', 'Architecture'],
      ['decisions/index', 'Decisions'],
      ['debugging', 'Following one action'],
      ['benchmarks', 'Benchmarks'],
      ['code-of-conduct', 'Code of conduct'],
      ['changelog', 'Changelog'],
    ],
  },
];

/** VitePress's sidebar for these pages. */
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

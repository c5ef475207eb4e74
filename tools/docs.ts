import { readFileSync, writeFileSync } from 'node:fs';
import { apiPage } from './api-page.ts';
import { commandsPage } from './commands-page.ts';
import { failuresPage } from './failures-page.ts';
import { logsPage } from './logs-page.ts';
import { openApi } from './openapi.ts';
import { permissionsPage } from './permissions-page.ts';
import { policyPage } from './policy-page.ts';
import { policySchema } from './policy-schema.ts';
import { dashboard } from './watching/dashboard.ts';
import { alertRules, metricsPage, runbook } from './watching/pages.ts';

/** The pages that are generated, by their place in the repository. */
export function generatedPages(): ReadonlyMap<string, string> {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  return new Map([
    ['docs/api.md', apiPage()],
    ['docs/commands.md', commandsPage()],
    ['docs/failures.md', failuresPage()],
    ['docs/logs.md', logsPage()],
    ['docs/metrics.md', metricsPage()],
    ['docs/runbook.md', runbook()],
    ['deploy/prometheus/alerts.yml', alertRules()],
    ['deploy/grafana/dashboard.json', dashboard()],
    ['docs/permissions.md', permissionsPage()],
    ['docs/policy.md', policyPage()],
    ['appliance-bot.schema.json', `${JSON.stringify(policySchema(), null, 2)}\n`],
    ['docs/appliance.openapi.json', `${JSON.stringify(openApi(version), null, 2)}\n`],
  ]);
}

if (import.meta.main) {
  for (const [path, text] of generatedPages()) {
    writeFileSync(new URL(`../${path}`, import.meta.url), text);
  }
}

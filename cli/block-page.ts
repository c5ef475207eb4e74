import { parseArgs } from 'node:util';
import { blockPageLink, blockPageTemplate } from '../src/block-page/link.ts';
import { readLinkSettings } from '../src/config/block-page.ts';
import type { Environment } from '../src/config/secret.ts';
import { inLines, type Problem } from '../src/problem.ts';
import { applianceInUse } from './policy-in-use.ts';
import { misuse, readWords, type Terminal } from './terminal.ts';

const usage = `Usage:

appliance-bot block-page [--config FILE] APPLIANCE
    Prints the link for the block page of an appliance, by its name in the policy file, and the lines for the template of
    that page. Reads BLOCK_PAGE_URL, BLOCK_PAGE_SECRET and the policy file. Contacts neither Slack
    nor appliances.

Default FILE: the one in APPLIANCE_BOT_CONFIG. The secrets that the file refers to do not have to be set.
`;

/** Runs the tool with the words of its command line; resolves to its exit code. */
export function blockPageTool(words: readonly string[], terminal: Terminal): number {
  const { write, complain, environment } = terminal;
  const fail = (why: string) => misuse(why, usage, terminal);
  const parse = () =>
    parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { config: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
  const read = readWords(parse, usage, terminal);
  if ('code' in read) return read.code;
  const { values, positionals } = read.parsed;
  const [appliance, ...more] = positionals;
  if (appliance === undefined) return fail('Missing appliance. Add its name in the policy file, such as hq.');
  if (more.length > 0) return fail('Too many arguments. Give the name of one appliance.');
  if (!/^[a-z0-9][a-z0-9-]{0,30}$/.test(appliance))
    return fail(`${appliance} is not a valid appliance name. Use the name in the policy file, such as hq.`);
  const file = values.config ?? environment.APPLIANCE_BOT_CONFIG;
  if (!file) return fail('Missing policy file. Add --config with its path, or set APPLIANCE_BOT_CONFIG.');
  const why = whyNoLink(file, appliance, environment);
  if (why !== undefined) {
    complain(`No link was made. ${why}\n`);
    return 1;
  }
  const problems: Problem[] = [];
  const settings = readLinkSettings(environment, problems);
  if (settings === undefined) {
    complain(`No link was made.\n\n${inLines(problems)}\n`);
    return 1;
  }
  const link = blockPageLink(settings, appliance);
  write(`Link for the block page of ${appliance}:

  ${link}

Lines for its template:

${blockPageTemplate(link)}

%a stands for the user and %H for the blocked host, as in Squid. Replace them by the variables of your appliance's block page
(docs/block-page.md). Keep url last.
`);
  return 0;
}

/** A link is good for an appliance on which people may ask alone. */
function whyNoLink(file: string, appliance: string, environment: Environment): string | undefined {
  const read = applianceInUse(appliance, file, environment);
  if ('wrong' in read) return read.wrong;
  const { selfService } = read.meaning.policy;
  if (selfService === undefined)
    return `${file} has no section self_service, so nobody may request a website. Add the section (docs/block-page.md).`;
  return selfService.appliances.includes(appliance)
    ? undefined
    : `In ${file}, self_service is for ${selfService.appliances.join(', ')}, but not for ${appliance}. Add ${appliance} to self_service.appliances.`;
}

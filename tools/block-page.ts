import { parseArgs } from 'node:util';
import { blockPageLink, blockPageTemplate } from '../src/block-page/link.ts';
import { readLinkSettings } from '../src/config/block-page.ts';
import { inLines, type Problem } from '../src/problem.ts';
import { type Terminal, understand } from './terminal.ts';

const usage = `Usage:

npm run block-page -- APPLIANCE
    Prints the link for the block page of an appliance, by its name in the policy file, and the lines for the template of
    that page. Reads BLOCK_PAGE_URL and BLOCK_PAGE_SECRET, and contacts nobody.
`;

/** Runs the tool with the words of its command line; resolves to its exit code. */
export function blockPageTool(words: readonly string[], { write, environment }: Terminal): number {
  const fail = (why: string) => {
    write(`${why}\n\n${usage}`);
    return 1;
  };
  const understood = understand(() =>
    parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' } },
    }),
  );
  if (!understood.ok) return fail(understood.why);
  const { values, positionals } = understood.parsed;
  if (values.help) {
    write(usage);
    return 0;
  }
  const [appliance, ...more] = positionals;
  if (appliance === undefined) return fail('Missing appliance. Add its name in the policy file, such as hq.');
  if (more.length > 0) return fail('Too many arguments. Give the name of one appliance.');
  if (!/^[a-z0-9][a-z0-9-]{0,30}$/.test(appliance))
    return fail(`${appliance} is not the name of an appliance.`);
  const problems: Problem[] = [];
  const settings = readLinkSettings(environment, problems);
  if (settings === undefined) {
    write(`No link was made.\n\n${inLines(problems)}\n`);
    return 1;
  }
  const link = blockPageLink(settings, appliance);
  write(`Link for the block page of ${appliance}:

  ${link}

Lines for its template:

${blockPageTemplate(link)}

%a stands for the user and %H for the blocked host, as in Squid. Replace them by the variables of your appliance's block page
(docs/block-page.md). url stays last.
`);
  return 0;
}

if (import.meta.main) {
  process.exitCode = blockPageTool(process.argv.slice(2), {
    environment: process.env,
    write: (text) => process.stdout.write(text),
    now: Date.now,
  });
}

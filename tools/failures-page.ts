import { readFileSync } from 'node:fs';
import { codeOf, wordsFor } from '../src/action/wording/faults.ts';
import type { Text } from '../src/handlers/reply.ts';
import { everyFault } from '../test/faults.ts';

const heading = '## What the bot says, by code';

/** docs/failures.md: its last section is made of the list of faults, with examples; what stands before that is written by hand. */
export function failuresPage(): string {
  const page = readFileSync(new URL('../docs/failures.md', import.meta.url), 'utf8');
  const [before = ''] = page.split(`\n${heading}\n`);
  const rows = [...Map.groupBy(everyFault, codeOf)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `${before.trimEnd()}

${heading}

The audit records a refusal by one of these codes. The sentences are examples: names, times and commands differ. This section is generated
from [the list of faults](../src/action/wording/faults.ts) (\`npm run docs\`).

| code | what happened | what did not | what to do |
|---|---|---|---|
${rows.map(([code, [fault]]) => (fault === undefined ? '' : row(code, wordsFor(fault)))).join('\n')}
`;
}

const row = (code: string, { happened, not, todo }: ReturnType<typeof wordsFor>): string =>
  `| \`${code}\` | ${[happened, not, todo].map(cell).join(' | ')} |`;

const cell = (text: Text): string =>
  text
    .map((span) => {
      if (typeof span === 'string') return escaped(span);
      switch (span.kind) {
        case 'code':
          return `\`${span.text.replaceAll('|', '\\|')}\``;
        case 'person':
        case 'group':
          return '@alice';
        case 'channel':
          return '#operations';
        case 'time':
          return 'today 18:00';
        case 'message':
          return escaped(span.label);
        default:
          return escaped(span.text);
      }
    })
    .join('');

const escaped = (text: string): string => text.replaceAll(/[|<>*_\\]/g, (mark) => `\\${mark}`);

import { expect, test } from 'vitest';
import { linesIn } from './lines.ts';

test('the lines of a plan are read without what stands around them where they were pasted, with their numbers', () => {
  const text = [
    '--for 2h',
    '```bash',
    '- category add a.example to 252,',
    '&gt; 2. vlan stop 3;',
    '•\u00a0/appliance acl object disable google_sni',
    '```',
    '',
    '# done',
    '“category add b.example to 252”',
  ].join('\n');
  expect(linesIn(text)).toEqual({
    options: '--for 2h',
    lines: [
      { number: 2, text: 'category add a.example to 252' },
      { number: 3, text: 'vlan stop 3' },
      { number: 4, text: 'acl object disable google_sni' },
      { number: 8, text: 'category add b.example to 252' },
    ],
  });
});

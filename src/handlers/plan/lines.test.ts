import { expect, test } from 'vitest';
import { linesIn, readPlan } from './lines.ts';

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

test('several that are typed in one line are told apart by semicolons, but for those in quotes', () => {
  expect(readPlan('plan vlan stop 3; acl object disable google_sni;')).toBe(
    'vlan stop 3\nacl object disable google_sni',
  );
  expect(readPlan('plan --for 2h vlan stop 3 --reason "dust; noise" ; acl object disable google_sni')).toBe(
    '--for 2h\nvlan stop 3 --reason "dust; noise"\nacl object disable google_sni',
  );
  expect(readPlan('plan vlan stop 3;')).toBeUndefined();
});

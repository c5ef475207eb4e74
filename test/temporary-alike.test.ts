import { expect, test } from 'vitest';
import { withBob } from './with-bob.ts';

test('changes with the same name are distinguished by their lines, in the list and in a choice', async () => {
  const { ask } = await withBob();
  await ask('rdp policy change "ERP users" --forbid clipboard --for 25m');
  await ask('rdp policy change "ERP users" --forbid printers --for 2h');
  for (const line of ['temporary', 'end ERP']) {
    const said = await ask(line);
    for (const right of ['clipboard', 'printers'])
      expect(said, line).toMatch(new RegExp(`Policy ERP users changed \\(.*--forbid ${right} --for`));
  }
  await ask('category add a.example to 252 --for 2h');
  const said = await ask('end shopping');
  expect(said).not.toContain('(`category');
  expect(said).not.toContain('each of these 1');
});

test('one site that was there already is reported as one', async () => {
  const { ask, click } = await withBob();
  const sites = Array.from({ length: 60 }, (_, index) => `site-${index}.example`);
  await ask('category add site-7.example to 252');
  await ask(`category add ${sites.join(' ')} to 252`);
  expect(await click('Add')).toContain('Skipped: site-7.example, already in shopping.');
});

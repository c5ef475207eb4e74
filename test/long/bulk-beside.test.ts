import { expect, test } from 'vitest';
import { personIn } from '../../sandbox/person.ts';
import { withBob } from '../with-bob.ts';

const named = (count: number) => Array.from({ length: count }, (_, index) => `site-${index}.example`);
const aWhile = { timeout: 30_000 };

test('emergency mode gets through at once while thousands wait for a slow appliance, other commands in between, and conflicting ones after them', async () => {
  const { workspace, appliance, ask, click, category, read, bot } = await withBob();
  await ask(`category add ${named(120).join(' ')} to 252`);
  await click('Add');
  await bot.idle();
  appliance.faults.set('GET /categories/delete/{id}/{site}', { kind: 'slow', ms: 8_000, times: 4 });
  /** Types and presses, and waits for nothing. */
  const hastily = (name: string) => personIn(workspace, { idle: async () => undefined }, name);
  const [bob, carol] = [hastily('bob'), hastily('carol')];
  const deletes = /^GET \/categories\/delete\//;
  const calls = () => appliance.requests.map(({ method, path }) => `${method} ${path}`);
  const at = (call: RegExp) => calls().findLastIndex((one) => call.test(one));
  await ask(`category delete ${named(120).join(' ')} from 252`);
  await bob.press('helpdesk', 'Remove');
  await expect.poll(() => calls().filter((call) => deletes.test(call)).length, aWhile).toBe(4);

  await bob.type('helpdesk', '/appliance emergency enable --for 30m --reason "directory down"');
  await expect.poll(() => read('bob'), aWhile).toContain('[Approve]');
  await carol.press('helpdesk', 'Approve');
  await expect.poll(() => read('bob'), aWhile).toContain('Emergency mode on hq is on until');
  expect(at(/emergency_enable/)).toBeGreaterThan(-1);
  await bob.type('helpdesk', '/appliance acl object disable google_sni');
  await hastily('dana').type('helpdesk', '/appliance category add new-site.example to 252');
  await expect
    .poll(() => read('bob'), aWhile)
    .toMatch(
      /Waiting for A-\w+ of @bob: Removing 120 sites from category shopping\. .* Nothing was sent so far\./,
    );
  // The slow ones are not answered so far.
  expect(category(252).sites.size).toBeGreaterThanOrEqual(120);
  await bot.idle();

  expect(read('bob')).toContain('120 sites removed from category shopping');
  expect(at(/emergency_enable/)).toBeLessThan(at(/acls\/object\/disable/));
  expect(at(/acls\/object\/disable/)).toBeLessThan(at(deletes));
  expect(at(/^GET \/categories\/252\/new-site/)).toBeGreaterThan(at(deletes));
  expect([...category(252).sites]).toContain('new-site.example');
  expect([...category(252).sites]).not.toContain('site-2.example');
});

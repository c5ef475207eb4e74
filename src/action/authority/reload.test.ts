import { expect, test } from 'vitest';
import { inForce, type Policy, shippedEmergency, shippedRoles, versionOf } from '../../auth/policy.ts';
import { plainText } from '../../handlers/reply.ts';
import type { Reload } from '../../journal/journal.ts';
import { createLog } from '../../telemetry/log.ts';
import { adminsOf, createTellAdmins } from './admins.ts';
import { createReload, type ReloadedPolicy } from './reload.ts';

const policyOf = (change: Partial<Policy> = {}): Policy => ({
  channels: {},
  holders: { admin: new Set(['U9']) },
  roles: shippedRoles,
  approvals: [],
  emergency: shippedEmergency,
  timeZone: 'UTC',
  ...change,
});
/** What is said of a policy whose time zone is another one. */
const newVersion = `The policy is version ${versionOf(policyOf({ timeZone: 'Europe/Berlin' }))} now; it was ${versionOf(policyOf())}.`;
const good = (change: Partial<Policy> = {}, waiting?: string): ReloadedPolicy => ({
  ok: true,
  policy: policyOf(change),
  waiting,
});
const broken = (...wrong: readonly string[]): ReloadedPolicy => ({
  ok: false,
  problems: wrong.map((one) => ({ key: 'bot.yml:3', wrong: one })),
});

/** A bot under a first policy that reads these, one after the other. */
async function reload(...found: readonly ReloadedPolicy[]) {
  const policy = inForce(policyOf());
  const said: string[] = [];
  const written: Omit<Reload, 'at'>[] = [];
  const left = [...found];
  const run = createReload({
    read: () => left.shift() ?? good(),
    policy,
    journal: {
      writeReload: async (reload) => {
        written.push(reload);
        return true;
      },
    },
    tellAdmins: createTellAdmins({
      policy,
      members: {
        openGroups: async (ids) => ids.flatMap((id) => (id === 'S1' ? ['U1', 'U2'] : [id])),
      },
      chat: {
        notify: async (person, { headline, details = [] }) => {
          const items = details.flatMap((part) =>
            part.kind === 'list'
              ? part.items.map(plainText)
              : part.kind === 'text'
                ? [plainText(part.text)]
                : [],
          );
          said.push([`${person}: ${plainText(headline)}`, ...items].join('\n'));
          return true;
        },
      },
      log: createLog('silent'),
    }),
    log: createLog('silent'),
  });
  // At once, as a signal and a changed file may come.
  await Promise.all(found.map(() => run()));
  return { policy: policy.current(), said, written };
}

test('a good policy is journalled with its version, taken, and told to the admins', async () => {
  const { policy, said, written } = await reload(good({ timeZone: 'Europe/Berlin' }));
  expect(policy.timeZone).toBe('Europe/Berlin');
  expect(written).toEqual([{ outcome: 'taken', told: [newVersion] }]);
  expect(said).toEqual([
    `U9: A new policy is in force.\n${newVersion}\nOn the bot’s host, appliance-bot policy explain says what one person may do under it, and which rule decides.`,
  ]);
});

test('a broken one is journalled and told, and the policy of before stays', async () => {
  const { policy, said, written } = await reload(broken('x is not a setting.', 'y is not a setting.'));
  expect(policy).toEqual(policyOf());
  const told = ['bot.yml:3 x is not a setting.', 'bot.yml:3 y is not a setting.'];
  expect(written).toEqual([{ outcome: 'refused', told }]);
  expect(said).toEqual([
    [
      'U9: The changed policy file has 2 mistakes, so it was not loaded. The previous policy stays in force.',
      ...told,
    ].join('\n'),
  ]);
});

test('one that says the same is neither journalled nor told', async () => {
  const { said, written } = await reload(good(), good());
  expect([said, written]).toEqual([[], []]);
});

test('what was wrong before is told once, and again when it is something else', async () => {
  const { written } = await reload(broken('x'), broken('x'), broken('x', 'y'), broken('x'));
  expect(written.map(({ told }) => told.length)).toEqual([1, 2, 1]);
});

test('that a broken file is in order again is told, though nothing changes', async () => {
  const { said, written } = await reload(broken('x'), good());
  expect(said[1]).toBe(
    'U9: The policy file is valid again. It matches the policy in force, so nothing changes.',
  );
  expect(written).toHaveLength(1);
});

test('what the same mistake is after a good file is told again', async () => {
  const { written } = await reload(broken('x'), good(), broken('x'));
  expect(written.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
});

test('changed appliances are told to wait for a restart, once for each version of them', async () => {
  const { said, written } = await reload(
    good({}, 'one'),
    good({}, 'one'),
    good({ timeZone: 'Europe/Berlin' }, 'two'),
    good({ timeZone: 'Europe/Berlin' }),
  );
  const waits =
    'Changes under appliances take effect when the bot restarts: it still runs with the appliances, keys and certificates it was started with.';
  expect(written.map(({ told }) => told)).toEqual([[waits], [newVersion, waits]]);
  expect(said[0]).toBe(
    `U9: The policy file, or a file that it refers to, was changed, but permissions are the same.\n${waits}`,
  );
});

test('admins are told by both policies: whoever is one no more, and whoever is one now, groups opened', async () => {
  const { said } = await reload(good({ holders: { admin: new Set(['S1']) } }));
  expect(said.map((one) => one.slice(0, 2)).toSorted()).toEqual(['U1', 'U2', 'U9']);
});

test('of a long list twenty are shown, and the journal has all', async () => {
  const { said, written } = await reload(broken(...Array.from({ length: 50 }, (_, index) => `${index}`)));
  expect(written[0]?.told).toHaveLength(50);
  expect(said[0]?.split('\n')).toHaveLength(22);
  expect(said[0]).toMatch(/\nAnd 30 more; the bot's log has all of them\.$/);
});

test('admins are the holders of the role anywhere it counts, and everyone is nobody to write to', () => {
  const channel = { appliance: 'hq', appliances: [], sharedWrites: false };
  const channels = {
    C1: { ...channel, roles: { admin: new Set(['U1', 'everyone', 'S1']), viewer: new Set(['U7']) } },
    C2: { ...channel, roles: { admin: new Set(['U2']) }, only: ['viewer'] },
    C3: { ...channel, roles: { admin: new Set(['U3']) }, only: ['admin'] },
  };
  expect([...adminsOf(policyOf({ channels }))].toSorted()).toEqual(['S1', 'U1', 'U3', 'U9']);
  expect(adminsOf(policyOf({ holders: {} })).size).toBe(0);
});

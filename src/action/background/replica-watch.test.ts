import { expect, test } from 'vitest';
import { inForce, type Policy, shippedEmergency, shippedRoles, versionOf } from '../../auth/policy.ts';
import { plainText } from '../../handlers/reply.ts';
import type { Beat, Peer, Reload } from '../../journal/journal.ts';
import { createLog } from '../../telemetry/log.ts';
import { createReplicaWatch } from './replica-watch.ts';

const policyIn = (timeZone: string): Policy => ({
  ...{ channels: {}, holders: { admin: new Set(['U9']) }, roles: shippedRoles, approvals: [] },
  ...{ emergency: shippedEmergency, timeZone },
});

const peer: Peer = { id: 'other', policy: undefined, isTaking: true, clockAhead: 0 };

/** A replica called `this`, among others that are as the test says. */
function watched() {
  const state = {
    at: 0,
    beat: { wasEvicted: false, clockAhead: 0 } as Beat,
    others: [] as readonly Peer[],
    isFirst: true,
  };
  const policy = inForce(policyIn('UTC'));
  const said: string[] = [];
  const logged: string[] = [];
  const written: Omit<Reload, 'at'>[] = [];
  const under: Promise<void>[] = [];
  const { heartbeat } = createReplicaWatch({
    journal: {
      replica: 'this',
      heartbeat: async (shown) => {
        expect(shown).toEqual({ policy: versionOf(policy.current()) });
        return state.beat;
      },
      others: async () => state.others,
      writeReload: async (reload) => {
        written.push(reload);
        return state.isFirst;
      },
    },
    policy,
    members: { openGroups: async (ids) => ids },
    chat: {
      notify: async (person, { headline, details = [] }) => {
        const items = details.flatMap((part) => (part.kind === 'list' ? part.items.map(plainText) : []));
        said.push([`${person}: ${plainText(headline)}`, ...items].join('\n'));
        return true;
      },
    },
    log: createLog('info', { write: (line: string) => void logged.push(line) }),
    now: () => state.at,
    later: (task) => void under.push(task()),
  });
  return {
    ...{ state, policy, said, logged, written },
    look: async (change: Partial<typeof state> = {}) => {
      Object.assign(state, change);
      const isOnTime = await heartbeat();
      await Promise.all(under.splice(0));
      return isOnTime;
    },
  };
}

const ahead = (clockAhead: number): { readonly beat: Beat } => ({ beat: { wasEvicted: false, clockAhead } });

test('a clock that is off is told once, by more than ten seconds leaves what is due to others, and is told when it is right', async () => {
  const { look, said, logged } = watched();
  const others = [peer];
  expect(await look({ ...ahead(1_900), others })).toBe(true);
  expect(said).toEqual([]);
  expect(await look(ahead(-3_000))).toBe(true);
  expect(await look(ahead(-3_100))).toBe(true);
  expect(said.splice(0)).toEqual([
    'U9: The clock of this is 3 seconds behind the database’s. It uses the database’s clock until this is fixed; synchronize both with NTP.',
  ]);
  expect(logged.filter((line) => line.includes('is off'))).toHaveLength(1);
  expect(await look(ahead(120_000))).toBe(false);
  expect(said.splice(0)).toEqual([
    'U9: The clock of this is 120 seconds ahead of the database’s. It uses the database’s clock until this is fixed; synchronize both with NTP. Reminders, ends and whatever else is due by the clock it leaves to other replicas.',
  ]);
  expect(await look(ahead(1_500))).toBe(true);
  expect(said).toEqual([]);
  await look(ahead(900));
  expect(said).toEqual(['U9: The clock of this is right again.']);
});

test('where no clock is right, the one that is least off does what is due', async () => {
  const { look } = watched();
  expect(await look({ ...ahead(120_000), others: [] })).toBe(true);
  expect(await look({ others: [{ ...peer, clockAhead: -60_000 }] })).toBe(false);
  expect(await look({ others: [{ ...peer, clockAhead: 180_000 }] })).toBe(true);
  // An earlier version says nothing of its clock.
  expect(await look({ others: [{ ...peer, clockAhead: undefined }] })).toBe(false);
});

test('that another one is there, has stopped, or died is logged, once', async () => {
  const { look, logged } = watched();
  const events = () => logged.splice(0).map((line) => JSON.parse(line).event);
  await look({ others: [{ ...peer, isTaking: true }] });
  await look();
  expect(events()).toEqual(['replica_joined']);
  await look({ others: [] });
  await look();
  expect(events()).toEqual(['replica_gone']);
  await look({ others: [{ ...peer, isTaking: true }] });
  // It says before that it takes nothing more.
  await look({ others: [{ ...peer, isTaking: false }] });
  await look({ others: [] });
  expect(events()).toEqual(['replica_joined', 'replica_left']);
});

test('that others have taken over its work is logged', async () => {
  const { look, logged } = watched();
  await look({ beat: { wasEvicted: true, clockAhead: 0 } });
  expect(logged.join()).toContain('others have taken over its work');
});

test('policies that differ are told with which replica has which, when it is no change on its way, and when they agree again', async () => {
  const { look, policy, said, logged, written } = watched();
  const mine = versionOf(policy.current());
  const theirs = versionOf(policyIn('Europe/Berlin'));
  const differing = [{ ...peer, policy: theirs }];
  await look({ others: differing });
  await look({ at: 20_000 });
  // It has arrived there as well.
  await look({ at: 25_000, others: [{ ...peer, policy: mine }] });
  await look({ at: 26_000, others: differing });
  await look({ at: 50_000 });
  expect(said).toEqual([]);
  await look({ at: 57_000 });
  await look({ at: 90_000 });
  const told = [`other has ${theirs}`, `this has ${mine}`];
  expect(said.splice(0)).toEqual([
    [
      'U9: Replicas of the bot decide by different policies, so the same line may be allowed at one and refused at another. Give all of them the same policy file.',
      ...told,
    ].join('\n'),
  ]);
  expect(logged.filter((line) => line.includes('different policies'))).toHaveLength(1);
  policy.replace(policyIn('Europe/Berlin'));
  await look({ at: 95_000 });
  expect(said).toEqual(['U9: All replicas of the bot decide by the same policy again.']);
  expect(written).toEqual([
    { outcome: 'differing', told },
    { outcome: 'agreed', told: [`All replicas decide by policy ${theirs}.`] },
  ]);
});

test('of all who see it one tells', async () => {
  const { look, said, logged } = watched();
  await look({ isFirst: false, others: [{ ...peer, policy: 'another' }] });
  await look({ at: 31_000 });
  expect(said).toEqual([]);
  expect(logged.join()).toContain('different policies');
});

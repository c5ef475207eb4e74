import { describe, expect, test } from 'vitest';
import { createSecretStore } from './secret-store.ts';

const secrets = { password: 'hunter2, the Third 🚨' };

/** What the journal keeps, and vaults of replicas that share it. */
function shared() {
  const kept = new Map<string, string>();
  const clock = { at: 1_000 };
  const journal = {
    putSealed: async (id: string, content: string) => void kept.set(id, content),
    sealed: async (id: string) => kept.get(id),
    forgetSealed: async (id: string) => void kept.delete(id),
  };
  return {
    ...{ kept, clock },
    secretStore: (...keys: string[]) =>
      createSecretStore(journal, keys.length > 0 ? keys : ['xoxb-one', 'xapp-one'], () => clock.at),
  };
}

describe('a password', () => {
  test('is at hand where it was put, and fetched by another replica that has the key', async () => {
    const { secretStore } = shared();
    const [one, other] = [secretStore(), secretStore()];
    await one.put('a1', secrets);
    expect(one.get('a1')).toEqual(secrets);
    expect(other.get('a1')).toBeUndefined();
    expect(await other.fetch('a1')).toEqual(secrets);
    expect(other.get('a1')).toEqual(secrets);
  });

  test('cannot be read in the journal, and looks another way each time', async () => {
    const { secretStore, kept } = shared();
    await secretStore().put('a1', secrets);
    await secretStore().put('a2', secrets);
    const [one, other] = [...kept.values()];
    expect(one).not.toBe(other);
    for (const text of [one, Buffer.from(one ?? '', 'base64').toString('latin1')]) {
      expect(text).not.toContain('hunter2');
      expect(text).not.toContain('password');
    }
  });

  test('opens with no other key', async () => {
    const { secretStore } = shared();
    await secretStore().put('a1', secrets);
    expect(await secretStore('xoxb-another', 'xapp-another').fetch('a1')).toBeUndefined();
  });

  test.each([
    ['xoxb-another', 'xapp-one'],
    ['xoxb-one', 'xapp-another'],
  ])('opens after one of the two keys was replaced: %s and %s', async (...keys) => {
    const { secretStore } = shared();
    await secretStore().put('a1', secrets);
    expect(await secretStore(...keys).fetch('a1')).toEqual(secrets);
  });

  test('opens for no other action, whoever moves it in the database', async () => {
    const { secretStore, kept } = shared();
    await secretStore().put('a1', secrets);
    kept.set('a2', kept.get('a1') ?? '');
    expect(await secretStore().fetch('a2')).toBeUndefined();
  });

  test('that was changed or cut in the database is none', async () => {
    const { secretStore, kept } = shared();
    await secretStore().put('a1', secrets);
    const sealed = Buffer.from(kept.get('a1') ?? '', 'base64');
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
    kept.set('a1', sealed.toString('base64'));
    expect(await secretStore().fetch('a1')).toBeUndefined();
    kept.set('a1', sealed.subarray(0, 40).toString('base64'));
    expect(await secretStore().fetch('a1')).toBeUndefined();
  });

  test('is gone after half an hour, and when it is forgotten', async () => {
    const { secretStore, kept, clock } = shared();
    const one = secretStore();
    await one.put('a1', secrets);
    clock.at += 30 * 60_000;
    expect(one.get('a1')).toBeUndefined();
    await one.put('a2', secrets);
    await one.forget('a2');
    expect([one.get('a2'), kept.has('a2')]).toEqual([undefined, false]);
  });

  test('that was used on one replica is forgotten by it in the journal, too', async () => {
    const { secretStore, kept } = shared();
    await secretStore().put('a1', secrets);
    const other = secretStore();
    await other.fetch('a1');
    await other.forget('a1');
    expect(kept.size).toBe(0);
  });
});

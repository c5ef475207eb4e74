import { expect, test } from 'vitest';
import type { State } from '../../journal/actions/states.ts';
import type { Card, Chat, Stamp, Stamps } from './chat.ts';
import { aheadOfJournal, createAhead, sparing } from './generations.ts';

const startedAt = 1_700_000_000_000;
/** Of a message from before this process began, and of one of its own. */
const [old, own] = ['1699999000.000100', '1700000100.000100'];

/** A chat with one message that carries this, under a journal in which the action stands so. */
function house(stamp: Stamp | undefined, { stands = 'expired' as State, standing = 'own' } = {}) {
  const looked: string[] = [];
  const changed: string[] = [];
  let seen: Stamps = { kind: 'read', messages: stamp === undefined ? [] : [{ ts: old, stamp }] };
  const chat = {
    stamps: async (_: unknown, ts: string) => {
      looked.push(ts);
      return seen;
    },
    show: async ({ card = '' }: Card) => {
      changed.push(card);
      return card;
    },
    edit: async ({ ts }: { readonly ts: string }) => void changed.push(ts),
  } as unknown as Chat;
  const ahead = createAhead(
    chat,
    { standing: async () => standing as 'own' },
    { byId: async () => ({ state: stands }) as never },
  );
  const spared = sparing(chat, ahead, startedAt);
  const show = (card: string, state = stands) =>
    spared.show({ kind: 'change', action: 'a1', channel: 'C1', card, state } as Card);
  return {
    ...{ ahead, looked, changed, show, spared },
    becomes: (next: Stamps) => {
      seen = next;
    },
  };
}

test('a card that shows what nothing leads from is left as it stands, and found', async () => {
  const { show, changed, ahead } = house({ journal: 'g1', state: 'done', at: 1 });
  await expect(show(old)).rejects.toMatchObject({ code: aheadOfJournal, isPassing: false });
  expect(changed).toEqual([]);
  expect(ahead.take()).toMatchObject({ state: 'done' });
  expect(ahead.found()).toBeUndefined();
});

test('a card that the action has moved on from is drawn, and looked at once', async () => {
  const { show, changed, looked, ahead } = house({ journal: 'g1', state: 'waiting', at: 1 });
  await show(old);
  await show(old);
  expect({ changed, looked }).toEqual({ changed: [old, old], looked: [old] });
  expect(ahead.found()).toBeUndefined();
});

test('a message of this process needs no look, and one without a note is drawn', async () => {
  const { show, changed, looked } = house({ journal: 'g1', state: 'done' });
  await show(own);
  expect({ changed, looked }).toEqual({ changed: [own], looked: [] });
  const plain = house(undefined);
  await plain.show(old);
  expect(plain.changed).toEqual([old]);
});

test('what was lost stays, and is no news; what another journal has said stays, and is', async () => {
  for (const [standing, isNews] of [
    ['lost', false],
    ['foreign', true],
  ] as const) {
    const { show, spared, ahead, changed } = house({ journal: 'g0', state: 'waiting' }, { standing });
    await expect(show(old)).rejects.toMatchObject({ code: aheadOfJournal });
    const edited = spared.edit({ channel: 'C1', ts: old }, { headline: [] }, { key: 'k', at: 1 });
    await expect(edited).rejects.toMatchObject({ code: aheadOfJournal });
    expect(changed).toEqual([]);
    expect(ahead.found() !== undefined).toBe(isNews);
  }
});

test('what another replica has moved on this moment is not taken for a restore', async () => {
  const { show, ahead } = house({ journal: 'g1', state: 'done' }, { stands: 'done' });
  await show(old, 'waiting');
  expect(ahead.found()).toBeUndefined();
});

test('nothing is changed while the chat does not tell, and what may not be read is changed as ever', async () => {
  const { show, changed, becomes } = house({ journal: 'g1', state: 'done' });
  becomes({ kind: 'try_later' });
  await expect(show(old)).rejects.toMatchObject({ isPassing: true });
  becomes({ kind: 'cannot_look' });
  await show(old);
  expect(changed).toEqual([old]);
});

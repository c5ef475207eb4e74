import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { stores } from '../../../test/stores.ts';
import { type Caller, currentCaller, onBehalfOf } from '../../caller.ts';
import { plainText, say, type Text } from '../../handlers/reply.ts';
import type { Action, Journal } from '../../journal/journal.ts';
import { createLog } from '../../telemetry/log.ts';
import { type Chat, ChatRefused, type MessageSearch, type Said } from '../base/chat.ts';
import { aheadOfJournal } from '../base/generations.ts';
import { answerCard, drawCard, inBackground, notifyPerson, tellBelow } from '../showing/messages.ts';
import { createOutboxDispatcher } from './outbox-dispatcher.ts';

const [sqlite] = stores;

/** An outbox on a real journal, and a chat that takes what the test lets it. */
async function sending() {
  if (sqlite === undefined) throw new Error('There is a first kind of store');
  const clock = { at: 1_000 };
  const place = await sqlite.newPlace();
  const journal = await sqlite.open(place, clock);
  const taken: string[] = [];
  /** On whose behalf. */
  const callers: Caller[] = [];
  const looked: string[] = [];
  /** What becomes of the next messages; taken where nothing is said. */
  const refusals: (ChatRefused | undefined)[] = [];
  const state = { found: { kind: 'not_there' } as MessageSearch };
  const take = async (words: string): Promise<string> => {
    const refusal = refusals.shift();
    if (refusal !== undefined) throw refusal;
    callers.push(currentCaller());
    taken.push(words);
    return `${taken.length}.0`;
  };
  const chat = {
    show: async () => take('an answer'),
    reply: async (_, said) => take(wordsOf(said)),
    post: async (channel, said) => take(`to ${channel}: ${wordsOf(said)}`),
    find: async ({ channel, card }, key) => {
      looked.push(`${channel} ${card ?? ''} ${key}`);
      return state.found;
    },
    isAway: () => false,
  } satisfies Partial<Chat> as unknown as Chat;
  const create = (own: Journal) =>
    createOutboxDispatcher({
      journal: own,
      chat,
      draw: async ({ line: typed, card }, words = {}) => {
        const ts = await take(`card of ${typed}: ${plainText(words.headline ?? [])}`);
        return card ?? ts;
      },
      addresses: { find: () => undefined },
      log: createLog('silent'),
      now: () => clock.at,
      certainlyOver: () => clock.at,
    });
  return {
    ...{ clock, journal, taken, callers, looked, refusals, state },
    outbox: create(journal),
    create,
    /** Another process on the same journal, when this one is gone. */
    next: async () => {
      const own = await sqlite.open(place, clock);
      await own.adoptOrphans();
      return { outbox: create(own), journal: own };
    },
    asked: (card?: string): Promise<Action> => given(journal, card),
  };
}

async function given(journal: Journal, card: string | undefined): Promise<Action> {
  const asked = {
    team: 'T1',
    channel: 'C1',
    person: 'U1',
    line: 'rdp disconnect 12',
    state: 'asked',
  } as const;
  const action = await journal.write(asked);
  if (card !== undefined) await journal.placed(action.id, card);
  return (await journal.byId(action.id)) ?? action;
}

const wordsOf = ({ headline, details = [] }: Said): string =>
  [headline, ...details.flatMap((part): Text[] => (part.kind === 'text' ? [part.text] : []))]
    .map(plainText)
    .join(' / ');
const line = (words: string): Said => ({ headline: say`${words}` });
const passing = (mayStand = false) => new ChatRefused('no_answer', { isPassing: true, mayStand });
const seconds = 1_000;

describe('what people are to be told', () => {
  test('goes out in its order, and is crossed out', async () => {
    const { outbox, journal, taken, asked } = await sending();
    const action = await asked();
    const messages = [
      drawCard(action, 'asked', { headline: say`asked` }),
      ...tellBelow(action, line('first')),
      ...tellBelow(action, line('second')),
    ];
    expect(await outbox.send(...messages)).toEqual({ kind: 'sent' });
    expect(taken).toEqual(['card of rdp disconnect 12: asked', 'first', 'second']);
    expect((await journal.byId(action.id))?.card, 'and where the card stands is noted').toBe('1.0');
    expect(await journal.unsent()).toEqual([]);
  });

  test('is looked for where the database has lost that it got out, and is not sent once more', async () => {
    const { create, journal, taken, looked, state, clock, asked } = await sending();
    const outbox = create({ ...journal, placed: async () => undefined });
    const action = await asked();
    const card = drawCard(action, 'asked', { headline: say`asked` });
    await outbox.send(card);
    // As it stood a moment before, in a database that had to recover.
    await journal.post([card]);
    state.found = { kind: 'stands', ts: '1.0' };
    clock.at += 61 * seconds;
    await outbox.tick();
    expect(looked).toEqual([`C1  ${card.key}`]);
    // It is drawn anew where it stands.
    expect(taken).toHaveLength(2);
    expect(await journal.unsent()).toEqual([]);
  });

  test('and has piled up goes out twenty places at a time, and all of it', async () => {
    const { create, journal, taken } = await sending();
    const messages = Array.from({ length: 70 }, (_, index) => notifyPerson(`U${index}`, line('stopped')));
    await journal.post(messages);
    await journal.releaseMessages(messages.map(({ key }) => key));
    let underWay = 0;
    let most = 0;
    const { tick } = create({
      ...journal,
      claimOrderingKey: async (key) => {
        underWay += 1;
        most = Math.max(most, underWay);
        return journal.claimOrderingKey(key);
      },
      acknowledge: async (key) => {
        await journal.acknowledge(key);
        underWay -= 1;
      },
    });
    await Promise.all([tick(), tick()]);
    expect(most).toBe(20);
    expect(taken).toHaveLength(70);
    expect(await journal.unsent()).toEqual([]);
  });

  test('goes out in its order however much of it waits for one person', async () => {
    const { outbox, taken } = await sending();
    const messages = Array.from({ length: 50 }, (_, index) => notifyPerson('U1', line(`${index}`)));
    expect(await outbox.send(...messages)).toEqual({ kind: 'sent' });
    expect(taken).toEqual(messages.map((_, index) => `to U1: ${index}`));
  });

  test('in the background goes behind everything else: a few at once, then one in two seconds', async () => {
    const { outbox, journal, taken, callers, clock } = await sending();
    const piled = Array.from({ length: 30 }, (_, index) => notifyPerson(`U${index}`, line('over')));
    await journal.post(inBackground(piled));
    await journal.releaseMessages(piled.map(({ key }) => key));
    await Promise.all([outbox.tick(), outbox.tick()]);
    expect(taken).toHaveLength(10);
    await outbox.tick();
    expect(taken).toHaveLength(10);
    for (let count = 11; count <= 15; count += 1) {
      clock.at += 2 * seconds;
      await outbox.tick();
      expect(taken).toHaveLength(count);
    }
    expect(new Set(callers.map(({ priority }) => priority))).toEqual(new Set(['background']));
    // What somebody waits for does not.
    await outbox.send(notifyPerson('U99', line('done')));
    expect(taken.at(-1)).toBe('to U99: done');
  });

  test('goes out on behalf of whoever asked, also when it was put off, and a card before answers', async () => {
    const { outbox, journal, callers, refusals, clock, asked } = await sending();
    const change = await asked();
    const lookup = await journal.write({
      ...{ team: 'T1', channel: 'C1', person: 'U2', line: 'rdp sessions' },
      ...{ effect: 'read', state: 'running' },
    });
    const answer = [answerCard(lookup, 'done', say`15 sessions`), ...tellBelow(lookup, line('all of them'))];
    refusals.push(passing(), passing());
    await onBehalfOf({ person: 'U2', priority: 'low' }, () => outbox.send(...answer));
    await onBehalfOf({ person: 'U1', priority: 'low' }, () => outbox.send(drawCard(change, 'asked')));
    clock.at += 5 * seconds;
    await outbox.tick();
    const late = [
      { person: 'U1', priority: 'high' },
      { person: 'U2', priority: 'low' },
      { person: 'U2', priority: 'low' },
    ];
    expect(callers.toSorted((one, other) => one.person.localeCompare(other.person))).toEqual(late);
    await onBehalfOf({ person: 'U1', priority: 'low' }, () => outbox.send(drawCard(change, 'asked')));
    expect(callers.at(-1)).toEqual({ person: 'U1', priority: 'high' });
  });

  test('has one card, also while the note of where it stands is on its way', async () => {
    const { create, journal, taken, asked } = await sending();
    const outbox = create({
      ...journal,
      placed: async (...note) => {
        await setImmediate();
        await setImmediate();
        await journal.placed(...note);
      },
    });
    const action = await asked();
    const [first, second] = [say`first`, say`second`];
    const messages = [
      drawCard(action, 'asked', { headline: first }),
      drawCard(action, 'asked', { headline: second }),
    ];
    expect(await outbox.send(...messages)).toEqual({ kind: 'sent' });
    expect(taken).toHaveLength(2);
    expect((await journal.byId(action.id))?.card, 'the second one has changed the first').toBe('1.0');
  });

  test('still goes out after one before it could not be crossed out, which is looked for and not said again', async () => {
    const { create, journal, taken, looked, state, asked } = await sending();
    let failures = 1;
    const outbox = create({
      ...journal,
      acknowledge: async (key) => {
        failures -= 1;
        if (failures >= 0) throw new Error('the disk is full');
        await journal.acknowledge(key);
      },
    });
    const action = await asked('1.1');
    await expect(outbox.send(...tellBelow(action, line('first')))).rejects.toThrow('the disk is full');
    state.found = { kind: 'stands', ts: '1.2' };
    expect(await outbox.send(...tellBelow(action, line('second')))).toEqual({ kind: 'sent' });
    expect(looked).toHaveLength(1);
    expect(taken).toEqual(['first', 'second']);
    expect(await journal.unsent()).toEqual([]);
  });

  test('of several parts is several messages, each of which goes out once', () => {
    const action = { id: 'a1' };
    const parts = tellBelow(action, { headline: say`first`, next: [line('second'), line('third')] });
    expect(parts).toHaveLength(3);
    expect(new Set(parts.map(({ key }) => key)).size).toBe(3);
    expect(new Set(parts.map(({ orderingKey }) => orderingKey)).size).toBe(1);
    expect(tellBelow(action, { headline: [], files: [{ name: 'a.csv' }] as never })).toHaveLength(1);
  });

  test('is put off while the chat does not take it, and what comes after it waits behind it', async () => {
    const { outbox, journal, taken, refusals, clock, asked } = await sending();
    const action = await asked('1.1');
    refusals.push(passing());
    expect(
      await outbox.send(...tellBelow(action, line('first')), ...tellBelow(action, line('second'))),
    ).toEqual({ kind: 'later', code: 'no_answer', mayStand: false, until: undefined, isToken: false });
    await outbox.tick();
    expect(taken).toEqual([]);
    expect(await outbox.send(notifyPerson('U2', line('elsewhere')))).toEqual({ kind: 'sent' });
    clock.at += 2 * seconds;
    await outbox.tick();
    expect(taken).toEqual(['to U2: elsewhere', 'first', 'second']);
    expect(await journal.unsent()).toEqual([]);
  });

  test('is tried less and less often, and given up after a month, which whoever asked is told', async () => {
    const { outbox, journal, taken, refusals, clock, asked } = await sending();
    const action = await asked('1.1');
    refusals.push(passing());
    await outbox.send(...tellBelow(action, line('first')));
    const pauses: number[] = [];
    while ((await journal.unsent()).length > 0) {
      const before = clock.at;
      refusals.push(passing());
      while (refusals.length > 0) {
        clock.at += seconds;
        await outbox.tick();
      }
      pauses.push((clock.at - before) / seconds);
      // The whole month would be the same minute again and again.
      if (pauses.length === 7) clock.at += 30 * 24 * 60 * 60 * seconds;
    }
    expect(pauses.slice(0, 7)).toEqual([2, 4, 8, 16, 32, 60, 60]);
    expect(taken).toEqual([
      expect.stringMatching(/^to U1: .*Slack didn’t take it there \(no_answer\).*rdp disconnect 12 \/ first/),
    ]);
  });

  test('that the chat will never take is told to whoever waits for it here, and blocks nothing', async () => {
    const { outbox, taken, refusals, asked } = await sending();
    const action = await asked();
    refusals.push(new ChatRefused('channel_is_archived'));
    const sent = await outbox.send(drawCard(action, 'asked'), ...tellBelow(action, line('below')));
    // Not that there is no card to stand below: why there is none.
    expect(sent).toEqual({ kind: 'refused', code: 'channel_is_archived' });
    expect(taken).toEqual([]);
    expect(await outbox.send(notifyPerson('U2', line('elsewhere')))).toEqual({ kind: 'sent' });
  });

  test('that was left by a process that is gone, and never can be said there, is told in person', async () => {
    const { journal, next, refusals, taken, asked } = await sending();
    const action = await asked('1.1');
    await journal.post(tellBelow(action, line('it is done')));
    const { outbox } = await next();
    refusals.push(new ChatRefused('channel_is_archived'));
    await outbox.tick();
    expect(taken).toEqual([
      'to U1: This couldn’t be posted where you asked, because Slack didn’t take it there (channel_is_archived). You typed: rdp disconnect 12 / it is done',
    ]);
  });
});

describe('what may have got out', () => {
  test('is given up after a day of refusals for a reason that nobody knows, and after a month of others', async () => {
    for (const [about, isGivenUp] of [
      ['unknown', true],
      [undefined, false],
    ] as const) {
      const { outbox, journal, refusals, clock } = await sending();
      await journal.post([notifyPerson('U1', line('it is done'))]);
      for (let hour = 0; hour < 26; hour += 1) {
        refusals.push(new ChatRefused('a_new_code', { isPassing: true, about }));
        await outbox.tick();
        clock.at += 60 * 60 * seconds;
      }
      expect((await journal.unsent()).length === 0, String(about)).toBe(isGivenUp);
    }
  });

  /** The connection broke after the message had left. */
  async function maybeDelivered() {
    const house = await sending();
    const action = await house.asked('1.1');
    house.refusals.push(passing(true));
    await house.outbox.send(...tellBelow(action, line('it is done')));
    house.clock.at += 2 * seconds;
    return house;
  }

  test('is looked for by its key, where it would stand, and not said again when it is found', async () => {
    const { outbox, journal, state, looked, taken } = await maybeDelivered();
    const [unsent] = await journal.unsent();
    expect(unsent?.isMaybeDelivered).toBe(true);
    state.found = { kind: 'stands', ts: '5.5' };
    await outbox.tick();
    expect(looked).toEqual([`C1 1.1 ${unsent?.key}`]);
    expect(taken).toEqual([]);
    expect(await journal.unsent()).toEqual([]);
  });

  test('is said again when it is not there, and where nobody may look', async () => {
    for (const kind of ['not_there', 'cannot_look'] as const) {
      const { outbox, state, taken } = await maybeDelivered();
      state.found = { kind };
      await outbox.tick();
      expect(taken, kind).toEqual(['it is done']);
    }
  });

  test('waits while nobody can look', async () => {
    const { outbox, state, taken, clock, journal } = await maybeDelivered();
    state.found = { kind: 'try_later' };
    await outbox.tick();
    expect(taken).toEqual([]);
    expect(await journal.unsent()).toMatchObject([{ tries: 2, isMaybeDelivered: true }]);
    state.found = { kind: 'not_there' };
    clock.at += 5 * seconds;
    await outbox.tick();
    expect(taken).toEqual(['it is done']);
  });

  test('of a card is taken for its card when it is found, and drawn there', async () => {
    const { outbox, journal, state, refusals, clock, asked } = await sending();
    const action = await asked();
    refusals.push(passing(true));
    await outbox.send(drawCard(action, 'asked'));
    state.found = { kind: 'stands', ts: '5.5' };
    clock.at += 2 * seconds;
    await outbox.tick();
    expect((await journal.byId(action.id))?.card).toBe('5.5');
    expect(await journal.unsent()).toEqual([]);
  });

  test('of a card is its card once it is found, although what draws it anew is not confirmed either', async () => {
    const { outbox, journal, state, refusals, clock, asked } = await sending();
    const action = await asked();
    refusals.push(passing(true), passing(true));
    await outbox.send(drawCard(action, 'asked'));
    state.found = { kind: 'stands', ts: '5.5' };
    clock.at += 2 * seconds;
    await outbox.tick();
    expect((await journal.byId(action.id))?.card).toBe('5.5');
    expect(await journal.unsent()).toMatchObject([{ tries: 2 }]);
  });

  test('because the process that was at it is gone is looked for, too', async () => {
    const { journal, next, looked, taken, state, asked } = await sending();
    const action = await asked('1.1');
    await journal.post(tellBelow(action, line('it is done')));
    state.found = { kind: 'stands', ts: '5.5' };
    const { outbox } = await next();
    await outbox.tick();
    expect(looked).toHaveLength(1);
    expect(taken).toEqual([]);
  });

  test('but was not sent for certain is not looked for', async () => {
    const { outbox, refusals, looked, taken, clock, asked } = await sending();
    const action = await asked('1.1');
    refusals.push(passing(false));
    await outbox.send(...tellBelow(action, line('it is done')));
    clock.at += 2 * seconds;
    await outbox.tick();
    expect([looked, taken]).toEqual([[], ['it is done']]);
  });
});

test('words that belonged to a state which is over are not put on a card that is drawn late', async () => {
  const { outbox, journal, refusals, taken, clock, asked } = await sending();
  const action = await asked();
  refusals.push(passing());
  await outbox.send(drawCard(action, 'asked', { headline: say`I am looking` }));
  await journal.move(action, 'failed', { outcome: { code: 'x', says: 'it failed' } });
  clock.at += 2 * seconds;
  await outbox.tick();
  expect(taken).toEqual(['card of rdp disconnect 12: ']);
});

test('below a card that tells more than the journal nothing is said that is not true, and nobody is told that it was refused', async () => {
  const { outbox, journal, refusals, taken, asked } = await sending();
  const action = await asked('5.0');
  refusals.push(new ChatRefused(aheadOfJournal));
  const messages = [drawCard(action, 'asked'), ...tellBelow(action, { headline: say`Nobody confirmed` })];
  expect(await outbox.send(...messages)).toEqual({ kind: 'sent' });
  expect({ taken, left: await journal.unsent() }).toEqual({ taken: [], left: [] });
});

describe('what can no longer be read', () => {
  const written = { key: 'broken', orderingKey: 'person U1', kind: 'post' } as const;

  test('is told as such, and what comes after it goes out at once', async () => {
    const { outbox, journal, taken, asked } = await sending();
    const action = await asked('1.1');
    const orderingKey = `action ${action.id}`;
    const broken = {
      ...written,
      orderingKey,
      action: action.id,
      kind: 'tell',
      content: { said: { headline: 1 } },
    };
    await journal.post([broken, ...tellBelow(action, line('second'))]);
    // As if it had been left by a replica that is gone.
    expect(await outbox.deliver([{ ...broken, key: 'waited for by nobody' }])).toMatchObject({
      kind: 'later',
    });
    expect(taken).toEqual([
      'to U1: This couldn’t be posted where you asked, because the answer is no longer available. You typed: rdp disconnect 12 / ',
      'second',
    ]);
    expect(await journal.unsent()).toEqual([]);
  });

  test.each([
    ['of a kind that another version has', { kind: 'sing', content: {} }],
    ['that is no object', { kind: 'post', content: 'hello' }],
    ['without a channel', { kind: 'post', content: { said: { headline: [] } } }],
  ])('is crossed out: a message %s', async (_, broken) => {
    const { outbox, journal, taken } = await sending();
    const message = { ...written, ...broken };
    await journal.post([message, notifyPerson('U1', line('after it'))]);
    expect(await outbox.deliver([message])).toEqual({ kind: 'refused', code: 'unreadable' });
    expect(taken).toEqual(['to U1: after it']);
    expect(await journal.unsent()).toEqual([]);
  });

  test('of a card leaves the card, as its action stands', async () => {
    const { outbox, journal, taken, asked } = await sending();
    const action = await asked();
    const broken = { ...drawCard(action, 'asked'), content: { state: 'asked', words: { headline: 'x' } } };
    await journal.post([broken]);
    expect(await outbox.deliver([broken])).toEqual({ kind: 'sent' });
    expect(taken).toEqual(['card of rdp disconnect 12: ']);
  });
});

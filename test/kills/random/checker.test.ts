import { describe, expect, test } from 'vitest';
import { check, type Findings } from './checker.ts';
import { complaints, isFine } from './report.ts';
import type { Round } from './round.ts';
import type { JournalRow, Order, Reading, Testimony, TypedLine } from './testimony.ts';

const number = 1_000_017;
const bob = 'U0ASK0001';
const channel = 'C0RANDOM01';

const typed: TypedLine = {
  ...{ number, person: bob, channel, line: `rdp disconnect ${number}` },
  ...{ at: 1_000, isAcknowledged: true },
};
const click = { number, person: bob, label: 'Disconnect', at: 2_000 };
const card = (at: number, text: string): Reading => ({
  ...{ at, id: '1.1', channel },
  text: `${text}\n<@${bob}>  ·  \`/appliance rdp disconnect ${number}\``,
});
const question = card(1_500, `Disconnect session ${number} of alice.carter?`);
const underWay = card(
  2_100,
  `:hourglass_flowing_sand: Disconnecting session ${number} of alice.carter on srv-files-01…`,
);
const success = card(
  2_300,
  `:white_check_mark: Session ${number} of alice.carter on srv-files-01 disconnected`,
);
const toBob = (at: number, text: string): Reading => ({ at, id: `e${at}`, channel, to: bob, text });
const order: Order = {
  ...{ at: 2_200, endedAt: 2_210, method: 'POST', path: `/rdpproxy/sessions/${number}/disconnect` },
  intents: ['action-1'],
};
const row: JournalRow = {
  ...{ id: 'action-1', line: `rdp disconnect ${number}`, phrase: 'rdp disconnect <session>' },
  ...{ person: bob, state: 'done', effect: 'destructive', card: '1.1', undoes: null, ends: 0 },
};
const event = (type: string, id = type) => ({ at: 2_400, id, type, action: 'action-1' });
const told = [event('change.asked'), event('change.approved'), event('change.done')];
const post = { at: 1_500, key: 'k1', card: 'action-1', text: question.text };

/** A line, its click, its order and its answer, as all three witnesses should tell of it. */
const sound: Testimony = {
  ...{ typed: [typed], clicks: [click], read: [question, underWay, success] },
  ...{ orders: [order], journal: [row], left: [], restores: 0 },
  ...{ posts: [post], told },
};

/** How many of each are found. */
const found = (testimony: Testimony): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries<Findings[keyof Findings]>({ ...check(testimony) }).flatMap(([kind, all]) =>
      all.length > 0 ? [[kind, all.length]] : [],
    ),
  );

test('witnesses who agree lead to no complaint', () => {
  expect(found(sound)).toEqual({});
});

describe('the checker finds a lost line', () => {
  const silent = { ...sound, clicks: [], orders: [], journal: [], read: [] };

  test('when it was acknowledged and its author was told nothing', () => {
    expect(found(silent)).toEqual({ lost: 1 });
  });

  test('but not when Slack has shown an error', () => {
    expect(found({ ...silent, typed: [{ ...typed, isAcknowledged: false }] })).toEqual({});
  });

  test('when only somebody else was answered, or the answer came before the line', () => {
    const other = { ...toBob(1_100, `Unknown command disconnect ${number}`), to: 'U0ASK0002' };
    expect(found({ ...silent, read: [other] })).toEqual({ lost: 1 });
    expect(found({ ...silent, read: [toBob(900, `About ${number}`)] })).toEqual({ lost: 1 });
  });

  test('but not when the bot says that it was stopped, once for each line', () => {
    const stopped = toBob(9_000, 'The bot was stopped right after you typed something here.');
    const another = { ...typed, number: number + 1, line: `rdp disconnect ${number + 1}` };
    expect(found({ ...silent, read: [stopped] })).toEqual({});
    expect(found({ ...silent, typed: [typed, another], read: [stopped] })).toEqual({ lost: 1 });
    expect(found({ ...silent, read: [{ ...stopped, channel: 'C0RANDOM02' }] })).toEqual({ lost: 1 });
  });

  test('but not when one line was told of in its channel and another one in a direct message, in any order', () => {
    const stopped = toBob(9_000, 'The bot was stopped right after you typed something here.');
    const direct = { ...stopped, id: '17.9', channel: 'D0ASK0001' };
    const elsewhere = { ...typed, number: number + 1, channel: 'C0RANDOM02' };
    const both = [typed, elsewhere];
    for (const read of [
      [stopped, direct],
      [direct, stopped],
    ])
      for (const lines of [both, both.toReversed()])
        expect(found({ ...silent, typed: lines, read })).toEqual({});
  });

  test('but not when a form was opened, whatever it says when it is sent', () => {
    const form = { at: 1_100, id: 'V1', channel: '', to: bob, text: `Disconnect ${number}` };
    expect(found({ ...silent, read: [form, { ...form, at: 1_200, text: 'Not sent' }] })).toEqual({});
  });

  test('when its card stays under way for ever', () => {
    expect(found({ ...sound, read: [question, underWay] })).toEqual({ lost: 1, endless: 1 });
  });
});

describe('the checker finds a doubled order', () => {
  const twice = { ...sound, orders: [order, { ...order, at: 2_250, endedAt: 2_260 }] };

  test('when one card was ordered twice', () => {
    expect(found(twice)).toEqual({ doubled: 1 });
  });

  test('when the journal has two actions for the one card', () => {
    const second = told.map((one) => ({ ...one, id: `${one.id}-2`, action: 'action-2' }));
    const both = { journal: [row, { ...row, id: 'action-2', card: null }], told: [...told, ...second] };
    expect(found({ ...twice, ...both })).toEqual({ doubled: 1 });
  });

  test('but not in a compile, which is repeated until it works', () => {
    const line = `acl object disable object-${number}`;
    const compile = { ...order, method: 'GET', path: '/proxy/acls/compile', intents: [] };
    const disable = { ...order, method: 'GET', path: `/proxy/acls/object/disable/${number}` };
    const read = [toBob(3_000, `:white_check_mark: ACL object object-${number} disabled`)];
    const journal = [{ ...row, line, phrase: 'acl object disable <object>' }];
    const orders = [disable, { ...compile, at: 2_400 }, { ...compile, at: 2_500 }];
    expect(found({ ...sound, typed: [{ ...typed, line }], clicks: [], read, journal, orders })).toEqual({});
    expect(
      found({
        ...sound,
        typed: [{ ...typed, line }],
        clicks: [],
        read,
        journal,
        orders: [disable, ...orders],
      }),
    ).toEqual({ doubled: 1 });
  });
});

describe('the checker finds an impossible order', () => {
  test('when nobody has typed it', () => {
    expect(found({ ...sound, typed: [] })).toEqual({ impossible: 1 });
  });

  test('when nobody has pressed its button, or only afterwards', () => {
    expect(found({ ...sound, clicks: [] })).toEqual({ impossible: 1 });
    expect(found({ ...sound, clicks: [{ ...click, at: 2_205 }] })).toEqual({ impossible: 1 });
  });

  test('when the journal did not mean it when it arrived, unless it could not be asked', () => {
    expect(found({ ...sound, orders: [{ ...order, intents: [] }] })).toEqual({ impossible: 1 });
    expect(found({ ...sound, orders: [{ ...order, intents: undefined }] })).toEqual({});
  });

  test('when no command here orders anything like it', () => {
    const strange = { ...order, method: 'POST', path: '/rdpproxy/gateway/restart' };
    expect(found({ ...sound, orders: [order, strange] })).toEqual({ impossible: 1 });
  });
});

describe('the checker finds a false sentence', () => {
  const nothing =
    'The bot was stopped after the click and before anything was sent, so no changes were made.';

  test('when it claims success and the appliance got no order', () => {
    expect(found({ ...sound, orders: [] })).toEqual({ untrue: 1 });
  });

  test('when it claims success before the order', () => {
    expect(found({ ...sound, read: [card(2_150, success.text)] })).toEqual({ untrue: 1 });
  });

  test('when it denies a change that the appliance was ordered', () => {
    expect(found({ ...sound, read: [question, card(2_300, nothing)] })).toEqual({ untrue: 1 });
  });

  test('but not when only another line was compiled meanwhile', () => {
    const line = `acl object disable object-${number}`;
    const compile = { ...order, method: 'GET', path: '/proxy/acls/compile' };
    const journal = [{ ...row, line, phrase: 'acl object disable <object>', state: 'unknown' }];
    const said = `:warning: Disabling ACL object object-${number}: outcome unknown. It has not happened so far`;
    const read = [{ ...card(2_300, said), text: `${said}\n\`/appliance ${line}\`` }];
    const events = { told: [event('change.asked'), event('change.unknown')] };
    const all = { ...sound, ...events, typed: [{ ...typed, line }], clicks: [], read, journal };
    expect(found({ ...all, orders: [compile] })).toEqual({});
    const disable = { ...order, method: 'GET', path: `/proxy/acls/object/disable/${number}` };
    expect(found({ ...all, orders: [disable, compile] })).toEqual({ untrue: 1 });
  });

  test('in the thread of a card, too', () => {
    const reply = { at: 2_400, id: '1.2', channel, thread: '1.1', text: 'It did not happen.' };
    expect(found({ ...sound, read: [question, reply] })).toEqual({ untrue: 1 });
  });

  test('when the bots took the journal for a restored one', () => {
    expect(found({ ...sound, restores: 1 })).toEqual({ untrue: 1 });
  });

  test('but not when the order was on its way meanwhile, or another click did it', () => {
    const { endedAt: _, ...unended } = order;
    expect(found({ ...sound, orders: [unended], read: [question, card(2_300, nothing)] })).toEqual({});
    const late = toBob(2_400, `${number} was already confirmed by you. Your click did nothing.`);
    expect(found({ ...sound, read: [...sound.read, late] })).toEqual({});
  });
});

test('the checker finds an unfinished action in the journal', () => {
  expect(found({ ...sound, left: ['not said yet: card'] })).toEqual({ endless: 1 });
  expect(found({ ...sound, journal: [{ ...row, state: 'running' }] })).toEqual({ endless: 1 });
});

describe('the checker finds a missing delivery', () => {
  const withEnd = { ...sound, journal: [{ ...row, ends: 1 }] };
  const ended = event('change.ended');

  test('when an outcome, or an end, never came', () => {
    expect(found({ ...sound, told: told.slice(0, 2) })).toEqual({ untold: 1 });
    expect(found({ ...sound, told: [] })).toEqual({ untold: 1 });
    expect(found(withEnd)).toEqual({ untold: 1 });
    expect(found({ ...withEnd, told: [...told, ended] })).toEqual({});
  });

  test('when the end comes before the outcome, but not when a delivery is repeated', () => {
    expect(found({ ...withEnd, told: [...told.slice(0, 2), ended, event('change.done')] })).toEqual({
      untold: 1,
    });
    expect(found({ ...sound, told: [...told, event('change.asked')] })).toEqual({});
  });
});

test('the checker finds a double message where Slack took two with its key, or two cards of its action', () => {
  expect(found({ ...sound, posts: [post, { ...post, key: 'k2' }] })).toEqual({ twice: 1 });
  expect(found({ ...sound, posts: [post, { ...post, card: undefined }] })).toEqual({ twice: 1 });
});

test('the checker finds a button that stays after its decision, or after its undo', () => {
  const withButton = (label: string) => ({ ...sound, read: [question, { ...success, labels: [label] }] });
  expect(found(withButton('Undo'))).toEqual({});
  for (const label of ['Disconnect', 'Stop']) expect(found(withButton(label))).toEqual({ dead: 1 });
  const undo = { ...row, id: 'action-2', card: null, undoes: 'action-1', effect: 'read' };
  const undone = { journal: [row, undo], told: [...told, event('change.undone')] };
  expect(found({ ...withButton('Undo'), ...undone })).toEqual({ dead: 1 });
});

test('a complaint names the line, the statements of the witnesses, the bot’s blows at that moment, and how to repeat it', () => {
  const testimony = { ...sound, orders: [order, { ...order, at: 2_250 }] };
  const blows = [{ at: 2_220, name: 'kill', words: 'the bot' }] as const;
  const round: Round = {
    ...{ store: 'sqlite', seed: 77, kills: 1, only: ['freeze'] },
    ...{ testimony, blows, findings: check(testimony) },
  };
  expect(isFine(round)).toBe(false);
  const [complaint = '', ...others] = complaints(round);
  expect(others).toEqual([]);
  for (const words of [
    `✗ doubled: POST /rdpproxy/sessions/${number}/disconnect was ordered 2 times for 1 actions`,
    `0 ms: ${bob} types “rdp disconnect ${number}”, acknowledged`,
    '1000 ms: U0ASK0001 presses Disconnect',
    '1220 ms: — kill: the bot',
    `1300 ms: workspace: :white_check_mark: Session ${number} of alice.carter on srv-files-01 disconnected`,
    '1250 ms: appliance: POST',
    `journal: rdp disconnect ${number} is done (action-1)`,
    'again: npm run kills -- --random 1 --store sqlite --seed 77 --only "freeze"',
  ]) {
    expect(complaint).toContain(words);
  }
});

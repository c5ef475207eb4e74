import { expect, onTestFinished, test } from 'vitest';
import { type SimulatedAppliance, startSimulatedAppliance } from '../../../sandbox/appliance/index.ts';
import { ofKind, rowsOf } from '../../../test/commands.ts';
import { connectAppliance } from '../../api/index.ts';
import type { OnAppliance } from '../context.ts';
import { plainText } from '../reply.ts';
import type { Fingerprint, Preview } from '../results.ts';
import * as rdp from './sessions.commands.ts';

const now = Date.UTC(2026, 10, 20, 12);
const key = 'sesame-4711';
const sessions = ofKind('lookup', rdp.sessions);
const disconnect = ofKind('change', rdp.disconnect);

interface Place {
  readonly simulated: SimulatedAppliance;
  readonly context: <Args>(args: Args) => OnAppliance<Args>;
}

/** A simulated appliance and a connection to it, in the context of a command. */
async function start(): Promise<Place> {
  const simulated = await startSimulatedAppliance({ clock: () => new Date(now), key });
  const appliance = connectAppliance({ name: 'hq', url: simulated.url, key, sleep: async () => undefined });
  onTestFinished(async () => {
    await appliance.close();
    await simulated.close();
  });
  return {
    simulated,
    context: (args) => ({
      ...{ args, appliance, person: 'U0ALICE001', channel: 'C0HELPDESK', now },
      pendingChanges: async () => [],
      otherOrders: async () => [],
      identity: async () => undefined,
      wayToAllow: async () => undefined,
      timedChange: async () => undefined,
      watch: async (_, terms) => ({ id: 1, kind: 'new', owner: 'U1', terms, isElsewhere: false }),
      limits: { emergency: 0 },
      extend: () => expect.unreachable(),
      keep: () => expect.unreachable(),
      confirmOver: () => expect.unreachable(),
      files: { open: () => expect.unreachable(), digest: () => expect.unreachable() },
      progress: () => undefined,
      giveWay: async () => undefined,
      trouble: () => undefined,
    }),
  };
}

type Disconnecting = OnAppliance<{ readonly session: number }>;

const run = (on: Disconnecting) => disconnect.run(on, {});

/** Reads back, and returns the text that a person reads. */
async function verify(on: Disconnecting, shown: Fingerprint = {}) {
  if (typeof disconnect.verify !== 'function') throw new Error('It can be checked');
  const verification = await disconnect.verify(on, shown);
  return [verification.kind, 'evidence' in verification ? plainText(verification.evidence) : ''];
}

function readyOf(preview: Preview) {
  if (preview.kind !== 'ready') throw new Error(`There was ${preview.kind} to preview`);
  return preview;
}

test('the open sessions are counted and listed with person, target, origin and duration', async () => {
  const { context } = await start();
  const reply = await sessions.answer(context({}));
  expect(plainText(reply.headline)).toBe('15 remote-desktop sessions open');
  expect(rowsOf(reply)).toHaveLength(15);
  expect(rowsOf(reply)).toContainEqual([
    '12',
    'bob.miller',
    'srv-files-01',
    '10.20.6.71',
    '2026-11-20T11:13:00.000Z (47 min)',
  ]);
});

test('one session is named in a sentence, and so is none, without a table', async () => {
  const { simulated, context } = await start();
  for (const id of simulated.state.rdp.sessions.keys())
    if (id !== 12) simulated.state.rdp.sessions.delete(id);
  expect(plainText((await sessions.answer(context({}))).headline)).toBe('1 remote-desktop session open');
  simulated.state.rdp.sessions.clear();
  const reply = await sessions.answer(context({}));
  expect(plainText(reply.headline)).toBe('No remote-desktop session is open');
  expect(reply.details).toEqual([]);
});

test('missing fields are shown as not reported', async () => {
  const { simulated, context } = await start();
  simulated.state.rdp.sessions.clear();
  // No field of a session except the number is documented, so all others may be missing.
  simulated.state.rdp.sessions.set(5, { id: 5 } as never);
  expect(rowsOf(await sessions.answer(context({})))).toEqual([
    ['5', 'not reported', 'not reported', 'not reported', 'not reported'],
  ]);
  const preview = readyOf(await disconnect.preview(context({ session: 5 })));
  expect(plainText(preview.question)).toBe('Disconnect session 5 of an unnamed person?');
  expect(preview.fingerprint).toEqual({
    inventory: null,
    session: 5,
    user: null,
    target: null,
    from: null,
    address: null,
    since: null,
  });
});

test('the address of the person is never shown as the target', async () => {
  const { simulated, context } = await start();
  simulated.state.rdp.sessions.set(5, { id: 5, client_ip: '10.20.6.71' } as never);
  const { fields } = readyOf(await disconnect.preview(context({ session: 5 })));
  expect(fields.map(({ name, value }) => `${name}: ${plainText(value)}`)).toEqual([
    'Person: not reported',
    'Target: not reported',
    'From: 10.20.6.71',
    'Since: not reported',
  ]);
});

test('an address with an unknown role is shown as just that', async () => {
  const { simulated, context } = await start();
  simulated.state.rdp.sessions.set(5, { id: 5, address: '10.20.6.71' } as never);
  const { fields } = readyOf(await disconnect.preview(context({ session: 5 })));
  expect(fields.map(({ name, value }) => `${name}: ${plainText(value)}`)).toContain('Address: 10.20.6.71');
});

test.each([
  ['2026-11-20 14:13:00', '2026-11-20 14:13:00 (appliance time)'],
  ['2026-11-20T14:13:00+02:00', '2026-11-20T12:13:00.000Z (its own clock, at least 13 min ahead)'],
  ['2026-11-20T14:01:00+02:00', '2026-11-20T12:01:00.000Z'],
  ['2026-11-20T13:13:00+02:00', '2026-11-20T11:13:00.000Z (47 min)'],
])('of a session that began at %s, no more is said than is known: %s', async (started_at, told) => {
  const { simulated, context } = await start();
  simulated.state.rdp.sessions.clear();
  simulated.state.rdp.sessions.set(5, { id: 5, started_at } as never);
  expect(rowsOf(await sessions.answer(context({})))[0]?.[4]).toBe(told);
});

test('a name that was chosen to be read by a chat stays plain text', async () => {
  const { context } = await start();
  const { question, fields } = readyOf(await disconnect.preview(context({ session: 19 })));
  const spans = [question, ...fields.map(({ value }) => value)].flat();
  expect(spans.filter((span) => typeof span !== 'string' && !['strong', 'time'].includes(span.kind))).toEqual(
    [],
  );
  expect(plainText(question)).toContain('<!channel>');
});

test('the preview names the session’s owner, and the fingerprint identifies it', async () => {
  const { simulated, context } = await start();
  const preview = readyOf(await disconnect.preview(context({ session: 12 })));
  expect(plainText(preview.question)).toBe('Disconnect session 12 of bob.miller on srv-files-01?');
  expect(preview.fields.map(({ name, value }) => [name, plainText(value)])).toEqual([
    ['Person', 'bob.miller'],
    ['Target', 'srv-files-01'],
    ['From', '10.20.6.71'],
    ['Since', '2026-11-20T11:13:00.000Z (47 min)'],
  ]);
  expect(preview.fingerprint).toEqual({
    inventory: null,
    session: 12,
    user: 'bob.miller',
    target: 'srv-files-01',
    from: '10.20.6.71',
    address: null,
    since: '2026-11-20T11:13:00.000Z',
  });
  expect(simulated.requests.map(({ method }) => method)).toEqual(['GET']);
});

test.each([
  { username: 'claire.dubois' },
  { target: 'srv-db-01' },
  { client_ip: '10.20.6.99' },
  { started_at: '2026-11-20T11:59:00Z' },
  { address: '10.20.6.99' },
])('a number that now belongs to another session changes the fingerprint: %j', async (other) => {
  const { simulated, context } = await start();
  const before = readyOf(await disconnect.preview(context({ session: 12 })));
  const session = simulated.state.rdp.sessions.get(12);
  if (session === undefined) throw new Error('Session 12 is gone');
  simulated.state.rdp.sessions.set(12, { ...session, ...other });
  const after = readyOf(await disconnect.preview(context({ session: 12 })));
  expect(after.fingerprint).not.toEqual(before.fingerprint);
});

test('a session that is not open needs no change, and the answer says what to do', async () => {
  const { context } = await start();
  const preview = await disconnect.preview(context({ session: 13 }));
  expect(preview.kind === 'nothing' && plainText(preview.why)).toBe(
    'Session 13 is not open on hq. /appliance rdp sessions lists open sessions.',
  );
});

test('a session is disconnected, and reading back shows it', async () => {
  const { simulated, context } = await start();
  const on = context({ session: 12 });
  expect(await run(on)).toMatchObject({ confirmed: true });
  expect(simulated.state.rdp.sessions.has(12)).toBe(false);
  expect(await verify(on)).toEqual(['happened', 'Sessions read back: 12 is gone, 14 other sessions open.']);
});

test('an appliance that says yes and does nothing is detected', async () => {
  const { simulated, context } = await start();
  simulated.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'forget' });
  const on = context({ session: 12 });
  const shown = readyOf(await disconnect.preview(on)).fingerprint;
  await run(on);
  expect(await verify(on, shown)).toEqual(['not_happened', 'Sessions read back: 12 is still open.']);
});

test('a lost answer causes no second order, and reading back shows what happened', async () => {
  const { simulated, context } = await start();
  simulated.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'reset' });
  const on = context({ session: 12 });
  await expect(run(on)).rejects.toMatchObject({ mayHaveHappened: true });
  expect(simulated.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  expect((await verify(on))[0]).toBe('happened');
});

test('a number that belongs to another session does not show that the old one is open', async () => {
  const { simulated, context } = await start();
  const on = context({ session: 12 });
  const shown = readyOf(await disconnect.preview(on)).fingerprint;
  const session = simulated.state.rdp.sessions.get(12);
  if (session === undefined) throw new Error('Session 12 is gone');
  simulated.state.rdp.sessions.set(12, { ...session, username: 'claire.dubois' });
  expect(await verify(on, shown)).toEqual([
    'happened',
    'Sessions read back: the session you saw is gone, and 12 is now the number of another one, of claire.dubois.',
  ]);
});

test('a field that is no longer reported does not make it another session', async () => {
  const { simulated, context } = await start();
  const on = context({ session: 12 });
  const shown = readyOf(await disconnect.preview(on)).fingerprint;
  simulated.state.rdp.sessions.set(12, { id: 12, username: 'bob.miller' } as never);
  expect((await verify(on, shown))[0]).toBe('not_happened');
  expect((await verify(on))[0]).toBe('not_happened');
});

test('a refusal means that nothing was changed', async () => {
  const { simulated, context } = await start();
  simulated.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'refuse', error: 'not allowed' });
  await expect(run(context({ session: 12 }))).rejects.toMatchObject({
    code: 'refused',
    reason: 'not allowed',
    mayHaveHappened: false,
  });
});

test('the change is announced and concluded in words', () => {
  const shown = { user: 'bob.miller', target: 'srv-files-01' };
  expect(plainText(disconnect.doing({ session: 12 }, shown))).toBe(
    'Disconnecting session 12 of bob.miller on srv-files-01',
  );
  expect(plainText(disconnect.done({ session: 12 }, shown))).toBe(
    'Session 12 of bob.miller on srv-files-01 disconnected',
  );
});

test('unreported fields of a session are not in its headline', () => {
  expect(plainText(disconnect.done({ session: 12 }, { user: null, target: 'srv-files-01' }))).toBe(
    'Session 12 on srv-files-01 disconnected',
  );
  expect(plainText(disconnect.done({ session: 12 }, {}))).toBe('Session 12 disconnected');
});

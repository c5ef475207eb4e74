import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Conversation } from '../conversation.ts';
import { converseOnPostgres, isBack, type Logged, timed, unavailable } from '../on-postgres.ts';
import { type PostgresServer, startPostgres } from '../postgres.ts';

/** To make one takes longer than to stop it and start it again. */
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.remove());

/** The server goes away as soon as the appliance is asked this. Resolves when it is gone. */
function goesWhen(
  { appliance, server }: Logged,
  isIt: (request: Conversation['appliance']['requests'][number]) => boolean,
): Promise<void> {
  const gone = Promise.withResolvers<void>();
  const stopListening = appliance.onChange(() => {
    if (!appliance.requests.some(isIt)) return;
    stopListening();
    server.stop().then(gone.resolve, gone.reject);
  });
  return gone.promise;
}

const disconnects = ({ appliance }: Conversation) =>
  appliance.requests.filter(({ method }) => method === 'POST');

describe('while the database is away', () => {
  test('lookups answer, a change and a click are refused with the reason, and work again later', async () => {
    const conversation = await converseOnPostgres(server);
    const { type, press, read, logged } = conversation;
    expect(await type('/appliance rdp disconnect 12')).toContain('[Disconnect]');

    await server.stop();
    const looked = await timed(() => type('/appliance rdp sessions'));
    expect(looked.value).toContain('bob.miller');
    expect(looked.took).toBeLessThan(6_000);

    const changed = await timed(() => type('/appliance rdp disconnect 14'));
    expect(changed.value).toContain(unavailable);
    expect(changed.took).toBeLessThan(6_000);

    const before = read().split(unavailable).length;
    const clicked = await timed(() => press('Disconnect'));
    expect(clicked.value.split(unavailable)).toHaveLength(before + 1);
    expect(clicked.took).toBeLessThan(6_000);
    expect(disconnects(conversation)).toEqual([]);

    // For a while: time passes, and the log says it once.
    for (let tick = 0; tick < 5; tick += 1) await conversation.pass(2_000);
    expect(await type('/appliance such thing')).toContain('Unknown command such thing');
    expect(logged.filter((line) => line.includes('journal is unavailable'))).toHaveLength(1);
    expect(logged.filter((line) => /"level":"(?:error|fatal)"/.test(line))).toEqual([]);

    await server.start();
    await isBack(conversation);
    expect(await press('Disconnect')).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
    expect(disconnects(conversation)).toHaveLength(1);

    const rows = await conversation.bot.journal.recent();
    expect(rows.map(({ line, state }) => `${line}: ${state}`).toSorted()).toEqual([
      'rdp disconnect 12: done',
      'rdp disconnect 14: refused',
      'rdp sessions: done',
      'such thing: refused',
    ]);
    expect(await conversation.bot.journal.unsent()).toEqual([]);
  });

  test('the outcome of a change is shown at once, and recorded when the database is back', async () => {
    const conversation = await converseOnPostgres(server);
    const { appliance } = conversation;
    await conversation.type('/appliance rdp disconnect 12');
    // The database goes away while the appliance carries out the order.
    appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'slow', ms: 500, times: 1 });
    const gone = goesWhen(conversation, ({ method }) => method === 'POST');
    expect(await conversation.press('Disconnect')).toContain(
      '✅ Session 12 of bob.miller on srv-files-01 disconnected',
    );
    await gone;
    expect(conversation.logged.join()).toContain('journal is unavailable');
    await server.start();
    await isBack(conversation);
    expect((await conversation.bot.journal.recent(1))[0]).toMatchObject({ state: 'done' });
    expect(conversation.read()).not.toContain('unknown');
  });

  test('a pending compile is not forgotten: it runs when the database is back', async () => {
    const conversation = await converseOnPostgres(server);
    const { appliance, type, read } = conversation;
    const isCompiled = () => appliance.requests.some(({ path }) => path.includes('/proxy/acls/compile'));
    appliance.faults.set('GET /proxy/acls/object/disable/{objectId}', { kind: 'slow', ms: 500, times: 1 });
    const gone = goesWhen(conversation, ({ path }) => path.includes('/object/disable/'));
    expect(await type('/appliance acl object disable google_sni', 'bob')).toContain('google_sni disabled');
    await gone;
    expect(conversation.logged.join()).toContain('journal is unavailable');
    expect(isCompiled()).toBe(false);
    await server.start();
    await isBack(conversation);
    await expect
      .poll(async () => {
        await conversation.pass(40_000);
        return read('bob');
      })
      .toContain('Compiled');
    expect(isCompiled()).toBe(true);
  });
});

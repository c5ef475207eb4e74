import { describe, expect, test } from 'vitest';
import { personIn } from '../sandbox/person.ts';
import { simulatedKey } from '../sandbox/sandbox.ts';
import { converse } from './conversation.ts';

/** Milliseconds above which only the check of an invisible change waits. */
const later = 10_000;
const sessions = 'GET /rdpproxy/sessions';
/** On a machine with other work an answer takes a while. */
const patient = { timeout: 40_000 };

/** An appliance that ends the session at once, and lists it as open until `catchUp`. The bot's later looks wait until `lookOn`. */
async function stale(line = 'rdp disconnect 12', verb = 'Disconnect', by = 'alice') {
  let held = Promise.withResolvers<void>();
  let wait = (_: number): void => undefined;
  const house = await converse({
    world: {
      sleep: async (milliseconds) => {
        if (milliseconds >= later) await held.promise;
        wait(milliseconds);
      },
    },
  });
  wait = house.wait;
  const person = personIn(house.workspace, { idle: async () => undefined }, by);
  const before = await (
    await fetch(`${house.appliance.url}/rdpproxy/sessions`, { headers: { 'x-auth-token': simulatedKey } })
  ).text();
  await house.type(`/appliance ${line}`, by);
  house.appliance.faults.set(sessions, { kind: 'text', text: before });
  // The click previews once more before it sends: the session is open then.
  void person.press('helpdesk', verb);
  await expect
    .poll(async () => (await house.bot.journal.recent()).map(({ outcome }) => outcome?.code), patient)
    .toContain('not_visible_yet');
  return {
    ...house,
    person,
    catchUp: () => house.appliance.faults.clear(),
    lookOn: async () => {
      held.resolve();
      held = Promise.withResolvers<void>();
      held.resolve();
      await house.bot.idle();
    },
    disconnects: () =>
      house.appliance.requests.filter(({ path }) => path === '/rdpproxy/sessions/12/disconnect').length,
  };
}

describe('an accepted change that is not visible yet', () => {
  test('is neither done nor failed, names the end of the bot’s checks, and is reported as done when it is seen', async () => {
    const { read, catchUp, lookOn, disconnects, bot } = await stale();
    await expect
      .poll(() => read(), patient)
      .toContain('⏳ Disconnecting session 12 of bob.miller on srv-files-01: accepted, not visible yet');
    expect(read()).toMatch(
      /hq accepted the order\. It is not visible so far\. Sessions read back: 12 is still open\. Looking again until .*\. It is not sent again automatically\./,
    );
    expect((await bot.journal.recent(1))[0]).toMatchObject({
      state: 'unknown',
      outcome: { code: 'not_visible_yet' },
    });
    catchUp();
    await lookOn();
    expect(read()).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
    // The requester is mentioned, because nobody watches a card for minutes.
    expect(read()).toContain('@alice: Session 12 of bob.miller on srv-files-01 disconnected');
    expect(disconnects()).toBe(1);
    expect((await bot.journal.recent(1))[0]).toMatchObject({ state: 'done', outcome: { code: 'checked' } });
  });

  test('is reported as never seen at the end of the checks, which is no failure', async () => {
    const { read, lookOn, disconnects } = await stale();
    await lookOn();
    expect(read()).toContain(
      '⚠️ Disconnecting session 12 of bob.miller on srv-files-01: accepted, never seen',
    );
    expect(read()).toContain('10 min later it still doesn’t show. Sessions read back: 12 is still open.');
    expect(read()).not.toContain('did not happen');
    expect(disconnects()).toBe(1);
  });

  test('is checked again after a restart, which sends nothing', async () => {
    const { read, catchUp, lookOn, restart, disconnects } = await stale();
    await restart(async () => catchUp());
    await lookOn();
    expect(read()).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
    expect(disconnects()).toBe(1);
  });

  test('keeps its plan waiting, which continues when it is seen', async () => {
    const lines = 'plan\nrdp disconnect 12\nrdp disconnect 9';
    const { read, catchUp, lookOn, appliance } = await stale(lines, 'Run plan', 'bob');
    const ordered = () =>
      appliance.requests.flatMap(({ path }) => /sessions\/(\d+)\/disconnect/.exec(path)?.[1] ?? []);
    expect(ordered()).toEqual(['12']);
    catchUp();
    await lookOn();
    expect(ordered()).toEqual(['12', '9']);
    expect(read('bob')).toContain('✅ Plan done');
  });

  test('is shown in audit as under way, and undo waits meanwhile', async () => {
    const { person, read, lookOn } = await stale();
    await person.type('helpdesk', '/appliance audit today');
    await expect
      .poll(() => read(), patient)
      .toMatch(/rdp disconnect 12 on hq +⏳ .*accepted, not visible yet/);
    await person.type('helpdesk', '/appliance undo');
    await expect.poll(() => read(), patient).toContain('is not verified yet');
    expect(read()).toContain('Nothing was undone.');
    await lookOn();
  });
});

test('a compile with an empty answer is reported as sent, and not as live', async () => {
  const { type, appliance, read } = await converse();
  appliance.faults.set('- /proxy/acls/compile', { kind: 'text', text: '{}' });
  await type('/appliance acl object disable google_sni', 'bob');
  expect(read('bob')).toMatch(
    /Compile sent .*: hq took the request for the ACLs without saying whether it compiles\..*\/appliance acl compile sends it again\./,
  );
  expect(read('bob')).not.toMatch(/Live|Compile accepted|Compiled/);
});

import { expect, test } from 'vitest';
import { personIn } from '../sandbox/person.ts';
import { converse } from './conversation.ts';

const compiles = (requests: readonly { readonly path: string }[]) =>
  requests.filter(({ path }) => path.includes('/proxy/acls/compile')).length;

/**
 * In milliseconds, of all pauses but the quiet that ends a burst. That is five seconds, of which some have gone by on a busy
 * machine before it begins to wait.
 */
const longestPause = 3_000;

/** A conversation in which a burst lasts until the test ends it. */
async function burst() {
  const over = Promise.withResolvers<void>();
  let wait = (_: number): void => undefined;
  const conversation = await converse({
    world: {
      sleep: async (milliseconds) => (milliseconds > longestPause ? over.promise : wait(milliseconds)),
    },
  });
  wait = conversation.wait;
  const bob = personIn(conversation.workspace, { idle: () => conversation.bot.answered() }, 'bob');
  return {
    ...conversation,
    change: (line: string) => bob.type('helpdesk', `/appliance ${line}`),
    end: async () => {
      conversation.wait(6_000);
      over.resolve();
      await conversation.bot.idle();
    },
  };
}

test('a burst of changes is compiled once, and each card shows when its compile was accepted, without a reply', async () => {
  const { appliance, change, end, read, workspace } = await burst();
  await change('acl object disable google_sni');
  await change('acl object disable apple_sni');
  await change('acl object disable windows_update');
  expect(compiles(appliance.requests)).toBe(0);
  await change('pending');
  expect(read('bob')).toContain('3 changes on hq not in effect yet');
  await end();
  expect(compiles(appliance.requests)).toBe(1);
  expect(appliance.pending().find(({ name }) => name === 'acl')?.count).toBe(0);
  expect(
    read('bob').match(/Compiled .*: hq says that it has compiled the ACLs together with 2 other changes\./g),
  ).toHaveLength(3);
  const { messages } = workspace.snapshot('U0BOB00001');
  const replies = messages.filter(({ thread_ts }) => thread_ts !== undefined);
  expect(replies.filter(({ text }) => text.includes('Compile'))).toEqual([]);
});

test('a card keeps the time of its accepted compile, also after a restart and a refused undo', async () => {
  const { type, press, read, restart, appliance } = await converse();
  await type('/appliance acl object disable google_sni', 'bob');
  expect(read('bob')).toMatch(/Verified\..*\n {2}Compiled .*\n {2}\[Undo\]/);
  await restart();
  appliance.faults.set('GET /proxy/acls/object/enable/{objectId}', { kind: 'status', status: 500, times: 9 });
  await press('Undo', 'bob');
  expect(read('bob')).toMatch(/ {2}ACL object google_sni disabled\n|ACL object google_sni disabled/);
  expect(read('bob').match(/Compiled/g)).toHaveLength(1);
});

test('a change made while the clock was a day ahead is compiled when the clock is right again, not a day later', async () => {
  const right = Promise.withResolvers<void>();
  const { appliance, bot, wait, workspace } = await converse({
    world: {
      sleep: (milliseconds) =>
        milliseconds > 60_000
          ? new Promise(() => undefined)
          : milliseconds > longestPause
            ? right.promise
            : Promise.resolve(),
    },
  });
  const day = 24 * 60 * 60_000;
  wait(day);
  await personIn(workspace, { idle: () => bot.answered() }, 'bob').type(
    'helpdesk',
    '/appliance acl object disable google_sni',
  );
  expect(compiles(appliance.requests)).toBe(0);
  wait(-day);
  right.resolve();
  await expect.poll(() => compiles(appliance.requests)).toBe(1);
});

test('a pending compile outlives a restart', async () => {
  const { appliance, change, bot, workspace, restart, wait, read } = await burst();
  await change('acl object disable google_sni');
  // A crash: the change is unfinished and not compiled.
  await restart(async () => wait(6_000));
  expect(bot).toBeDefined();
  expect(workspace).toBeDefined();
  await expect.poll(() => compiles(appliance.requests)).toBe(1);
  await expect.poll(() => read('bob')).toContain('Compiled');
});

test('a compile that this process claimed and never heard of is tried again', async () => {
  const { appliance, bot, pass, type } = await converse();
  await type('/appliance acl object disable google_sni --dry-run', 'bob');
  const [action] = await bot.journal.recent(1);
  await bot.journal.addPendingApply({ appliance: 'hq', what: 'acl', action: action?.id ?? '' });
  await bot.journal.startApply('hq');
  await pass(2_000);
  expect(compiles(appliance.requests)).toBe(0);
  await pass(60_000);
  expect(compiles(appliance.requests)).toBe(1);
  expect(await bot.journal.pendingApplies()).toEqual([]);
});

test('a failed compile is reported, listed by pending, and repeated by apply', async () => {
  const { appliance, type, read } = await converse();
  appliance.faults.set('- /proxy/acls/compile', { kind: 'status', status: 500, times: 1 });
  await type('/appliance acl object disable google_sni', 'bob');
  expect(read('bob')).toContain('Not known to be live: hq did not confirm that it compiles the ACLs.');
  expect(await type('/appliance pending', 'bob')).toContain('The last attempt failed:');
  expect(await type('/appliance apply', 'bob')).toContain('Pending changes compiled');
  expect(read('bob')).toContain('Compile accepted');
  expect(await type('/appliance pending', 'bob')).toContain(
    'hq has no changes from Appliance Bot waiting to be compiled',
  );
});

test('apply has nothing to do when everything is live', async () => {
  const { type } = await converse();
  expect(await type('/appliance apply', 'bob')).toContain(
    'hq has no changes from Appliance Bot waiting to be compiled. No changes were made.',
  );
});

test('a failed change leaves no pending compile', async () => {
  const { appliance, type } = await converse();
  await type('/appliance acl object disable google_sni', 'alice');
  expect(compiles(appliance.requests)).toBe(0);
});

test('a compile by hand that may have failed makes nothing live', async () => {
  const { appliance, change, end, read } = await burst();
  await change('acl object disable google_sni');
  appliance.faults.set('- /proxy/acls/compile', { kind: 'reset', times: 1 });
  await change('acl compile');
  expect(read('bob')).toContain('outcome unknown');
  expect(read('bob')).not.toContain('Compiled ');
  await end();
  expect(compiles(appliance.requests)).toBe(2);
  expect(read('bob')).toContain('Compiled');
});

test('a change made while somebody compiles by hand is compiled once more', async () => {
  const { appliance, change, end, read } = await burst();
  appliance.faults.set('- /proxy/acls/compile', { kind: 'slow', ms: 300, times: 1 });
  const byHand = change('acl compile');
  await expect.poll(() => compiles(appliance.requests)).toBe(1);
  await change('acl object disable google_sni');
  await byHand;
  expect(read('bob')).not.toContain('Compiled ');
  await end();
  expect(compiles(appliance.requests)).toBe(2);
});

test('filtering rules wait for a category that could not be compiled', async () => {
  const { appliance, type, read } = await converse();
  const order = () =>
    appliance.requests.flatMap(({ path }) => (path.endsWith('/compile') ? [path.split('/').at(-2)] : []));
  appliance.faults.set('GET /categories/{id}/compile', { kind: 'status', status: 500, times: 1 });
  await type('/appliance category add shop.example.net to 252', 'bob');
  expect(order()).toEqual(['252']);
  expect(
    read('bob').match(/Not known to be live: hq did not confirm that it compiles category shopping\./g),
  ).toHaveLength(1);
  expect(await type('/appliance pending', 'bob')).toMatch(
    /shop\.example\.net to 252 +compiling category shopping/,
  );
  await type('/appliance category compile 252', 'bob');
  expect(read('bob')).not.toContain('Compiled ');
  await type('/appliance apply', 'bob');
  expect(order()).toEqual(['252', '252', 'rules']);
  expect(read('bob')).toMatch(/Compile accepted .*: hq compiles the filtering rules\./);
});

test('filtering rules that were compiled before their category make nothing live', async () => {
  const { appliance, change, end, read } = await burst();
  await change('category add shop.example.net to 252');
  await change('filter compile');
  expect(read('bob')).not.toContain('Compiled ');
  await end();
  expect(appliance.requests.filter(({ path }) => path.endsWith('/rules/compile'))).toHaveLength(2);
  expect(read('bob')).toMatch(
    /Compiled .*: hq says that it has compiled category shopping and the filtering rules\./,
  );
});

test("the journal has a change's pending compile before its end: a crash would lose it", async () => {
  const { bot, change, workspace } = await burst();
  workspace.faults.next('chat.update', { kind: 'delay', ms: 200 });
  const changing = change('acl object disable google_sni');
  await expect.poll(async () => (await bot.journal.recent(1))[0]?.state, { interval: 5 }).toBe('done');
  expect(await bot.journal.pendingApplies('hq')).toHaveLength(1);
  await changing;
});

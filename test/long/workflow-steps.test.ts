import { describe, expect, test } from 'vitest';
import { sandboxRoles } from '../../sandbox/sandbox.ts';
import { type Conversation, converse } from '../conversation.ts';
import { orders, replicas } from '../replicas.ts';

const bot = 'U0THEAPP01';
const helpdesk = 'C0HELPDESK';

/** The bot holds a role in #helpdesk by name; in #incident it holds none. */
const policyWith = (role: string, more: Readonly<Record<string, unknown>> = {}) => {
  const served = { appliance: 'hq', appliances: 'all' };
  const holders: Readonly<Record<string, string | readonly string[]>> = sandboxRoles;
  const roles = { ...sandboxRoles, [role]: [holders[role], bot].flat() };
  const channels = {
    C0HELPDESK: { name: 'helpdesk', ...served, roles },
    C0INCIDENT: { name: 'incident', ...served, roles: sandboxRoles },
  };
  return { policy: { channels, ...more } };
};

type House = Pick<Conversation, 'workspace' | 'bots'>;
type Inputs = Readonly<Record<string, string>>;

const idOf = ({ workspace }: Pick<House, 'workspace'>, name: string): string =>
  workspace.people.find((one) => one.name === name)?.id ?? name;

/** Somebody runs a workflow of one step; resolves when the bot has nothing more to do with it. */
async function run(house: House, name: string, inputs: Inputs, by = 'vic') {
  const as = idOf(house, by);
  expect(await house.workspace.act({ act: 'run_step', as, function: name, inputs })).toEqual({ ok: true });
  await Promise.all(house.bots.map((one) => one.idle()));
  return last(house, by);
}

const last = (house: Pick<House, 'workspace'>, by = 'vic') =>
  house.workspace.snapshot(idOf(house, by)).runs.at(-1);

/** Approves like a person, who first sees what it would do. */
async function approve(house: Pick<Conversation, 'press'>, by: string): Promise<void> {
  await house.press('Approve', by);
  await house.press('Yes, approve', by);
}

const look = (website: string, channel = helpdesk) => ({ website, channel });
const ask = (change: string, channel = helpdesk) => ({ change, channel });
const disconnect = 'rdp disconnect 12';

describe('the step that looks up a website', () => {
  test('gives the workflow the answer, and posts nothing', async () => {
    const house = await converse(policyWith('viewer'));
    const ended = await run(house, 'look_up_website', look('live-betting.example'));
    expect(ended).toMatchObject({
      state: 'completed',
      outputs: {
        outcome: expect.stringContaining('live-betting.example'),
        action: expect.stringMatching(/^A-/),
      },
    });
    expect(house.read('vic')).toBe('');
    const { outputs } = Object(ended);
    expect(await house.type(`/appliance show ${outputs.action}`, 'dana')).toContain(
      'why live-betting.example',
    );
  });

  test('twice at once is two questions with an answer each', async () => {
    const house = await converse(policyWith('viewer'));
    const runs = Array.from({ length: 4 }, () => run(house, 'look_up_website', look('example.com')));
    await Promise.all(runs);
    const { runs: all } = house.workspace.snapshot(idOf(house, 'vic'));
    expect(all.map(({ state }) => state)).toEqual(Array(4).fill('completed'));
  });

  test('fails with the reason where the bot was given no role by name, and asks no appliance', async () => {
    const house = await converse(policyWith('viewer'));
    const ended = await run(house, 'look_up_website', look('example.com', 'C0INCIDENT'));
    expect(ended).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(
        /Only bots that the policy grants a role by name.*steps run as.*U0THEAPP01/,
      ),
    });
    expect(house.appliance.requests).toEqual([]);
  });

  test.each(['example.com --on all', 'not a site', '<!channel>', ''])(
    'asks nothing for %j, which is no website',
    async (website) => {
      const house = await converse(policyWith('viewer'));
      expect(await run(house, 'look_up_website', look(website))).toMatchObject({ state: 'failed' });
      expect(house.appliance.requests).toEqual([]);
      expect(house.read('vic')).toBe('');
    },
  );

  test('is answered for a whole company that starts it at once', async () => {
    const house = await converse(policyWith('viewer'));
    const names = ['vic', 'alice', 'bob', 'dana'];
    await Promise.all(
      Array.from({ length: 40 }, (_, one) =>
        run(house, 'look_up_website', look(`site${one}.example`), names[one % 4]),
      ),
    );
    const all = names.flatMap((name) => house.workspace.snapshot(idOf(house, name)).runs);
    expect(all.map(({ state }) => state)).toEqual(Array(40).fill('completed'));
  });

  test('is answered regardless of its rate in the last minute', async () => {
    const house = await converse(policyWith('viewer'));
    for (let count = 0; count < 65; count += 5)
      await Promise.all(
        Array.from({ length: 5 }, (_, one) =>
          run(house, 'look_up_website', look(`site${count + one}.example`)),
        ),
      );
    const { runs } = house.workspace.snapshot(idOf(house, 'vic'));
    expect(new Set(runs.map(({ state }) => state))).toEqual(new Set(['completed']));
  });
});

describe('the step that asks for a change', () => {
  test('is open for everybody, until one channel has more than its people can look through', async () => {
    const house = await converse(policyWith('viewer'));
    const asked = (one: number) => ({ ...ask(disconnect), reason: `run ${one}` });
    for (let count = 0; count < 25; count += 1)
      expect(await run(house, 'ask_for_change', asked(count))).toMatchObject({ state: 'running' });
    expect(await run(house, 'ask_for_change', asked(25))).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(
        /^25 requests of workflows wait for approval in .*, as many as one channel/,
      ),
    });
  });

  test('asks nobody who cannot decide, such as a bot', async () => {
    const house = await converse(policyWith('operator'));
    await run(house, 'ask_for_change', ask('acl object disable google_sni'));
    expect(house.read('bob')).toContain('Needs');
    expect(house.read('bob').split('Needs')[1]?.split('\n')[0]).not.toContain('appliance-bot');
    const told = await house.press('Approve', 'vic');
    expect(told).toContain('role to approve or deny');
    expect(told.split('Ask ')[1]).not.toContain('appliance-bot');
  });

  test.each([
    ['acl object disable nosuch', /nosuch/],
    ['acl object enable google_sni', /enabled/],
  ])('refuses %j at once when it changes nothing, and asks nobody', async (line, why) => {
    const house = await converse(policyWith('operator'));
    const ended = await run(house, 'ask_for_change', ask(line));
    expect(ended).toMatchObject({ state: 'failed', error: expect.stringMatching(why) });
    expect(Object(ended).error).not.toContain('steps run as');
    expect(house.read('bob')).not.toContain('[Approve]');
  });

  test('waits for the approval of somebody with the right, and ends with the outcome', async () => {
    const house = await converse(policyWith('viewer'));
    const waiting = await run(house, 'ask_for_change', { ...ask(disconnect), reason: 'Ticket 4711' });
    expect(waiting).toMatchObject({ state: 'running' });
    expect(house.read('bob')).toContain('Ticket 4711');
    expect(orders(house)).toEqual([]);
    await approve(house, 'bob');
    await house.pass(2_000);
    expect(last(house)).toMatchObject({
      state: 'completed',
      outputs: { outcome: expect.stringContaining('disconnected'), action: expect.stringMatching(/^A-/) },
    });
  });

  test('changes nothing by itself, also where the bot holds the role for it', async () => {
    const house = await converse(policyWith('operator'));
    expect(await run(house, 'ask_for_change', ask('acl object disable google_sni'))).toMatchObject({
      state: 'running',
    });
    expect(orders(house)).toEqual([]);
    await approve(house, 'bob');
    await house.pass(2_000);
    expect(last(house)).toMatchObject({ state: 'completed' });
  });

  test('fails with the name and the reason of a denial', async () => {
    const house = await converse(policyWith('viewer'));
    await run(house, 'ask_for_change', ask(disconnect));
    await house.press('Deny…', 'bob');
    const bob = house.person('bob');
    await bob.fill({ Reason: 'She is still working' });
    await bob.submit();
    await house.pass(2_000);
    expect(last(house)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('She is still working'),
    });
    expect(orders(house)).toEqual([]);
  });

  test('fails when nobody approved in time', async () => {
    const house = await converse(policyWith('viewer'));
    await run(house, 'ask_for_change', ask(disconnect));
    await house.pass(61 * 60_000);
    await house.pass(2_000);
    expect(last(house)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('Nobody approved it in time'),
    });
  });

  test('needs one approval more than the policy requires: one of the approvers may have started it', async () => {
    const approvals = [{ commands: [{ phrase: 'rdp disconnect' }], by: 'operator', count: 1 }];
    const house = await converse(policyWith('operator', { approvals }));
    await run(house, 'ask_for_change', ask(disconnect), 'bob');
    await approve(house, 'bob');
    expect(orders(house)).toEqual([]);
    expect(last(house, 'bob')).toMatchObject({ state: 'running' });
  });

  test.each([
    ['categorize example.com', /changes nothing/],
    [`${disconnect} --dry-run`, /changes nothing/],
    ['make everything good', /./],
    ['', /nothing for change/],
  ])('with %j fails at once, and nothing is sent', async (line, why) => {
    const house = await converse(policyWith('viewer'));
    const ended = await run(house, 'ask_for_change', ask(line));
    expect(ended).toMatchObject({ state: 'failed', error: expect.stringMatching(why) });
    expect(orders(house)).toEqual([]);
  });

  test('in a disabled channel fails, and says so', async () => {
    const house = await converse(policyWith('viewer'));
    const ended = await run(house, 'ask_for_change', ask(disconnect, 'C0RANDOM01'));
    expect(ended).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/isn’t enabled|not enabled/),
    });
  });

  test('gets its outcome from another replica when the one that asked is gone', async () => {
    const house = await replicas(2, policyWith('viewer'));
    house.at(0);
    await run(house, 'ask_for_change', ask(disconnect));
    await house.bots[0]?.stop();
    house.at(1);
    await approve(house, 'bob');
    await house.pass(2_000);
    await expect.poll(() => last(house)).toMatchObject({ state: 'completed' });
  });
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { sandboxRoles } from '../../sandbox/sandbox.ts';
import { rewrite, under } from '../approving.ts';
import { type Conversation, converse } from '../conversation.ts';
import { goBy, morning, port } from '../watching.ts';
import { attacks } from './rows.ts';

const vault = { id: 'C0VAULT001', name: 'vault', isPrivate: true, members: ['U0DANA0001', 'U0BOB00001'] };
const channels = [{ id: 'C0HELPDESK', name: 'helpdesk' }, { id: 'C0INCIDENT', name: 'incident' }, vault];
const helpdesk = { name: 'helpdesk', appliance: 'hq', roles: sandboxRoles };
const minute = 60_000;
const site = 'shop.example.net';

/** Slack's own marks, as a person may type them, and as an appliance's name may hold them. */
const marks = '<!channel> <!subteam^S0ADMINS01> <@U0DANA0001> <https://evil.example/|the runbook> @here';
const reasonWithMarks = `--reason "${marks}"`;

/** The texts in which Slack reads marks, and the elements that are marks; plain and rich text are shown as they stand. */
function readBySlack(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(readBySlack);
  if (typeof value !== 'object' || value === null) return [];
  const { type, text, ...rest } = value as Readonly<Record<string, unknown>>;
  const isLiteral = type === 'plain_text' || type === 'text' || type === 'raw_text';
  const isElement = ['user', 'usergroup', 'broadcast', 'link'].includes(String(type));
  return [
    ...(typeof text === 'string' && !isLiteral ? [text] : readBySlack(text)),
    ...(isElement ? [JSON.stringify(value)] : []),
    ...Object.values(rest).flatMap(readBySlack),
  ];
}

/** All of that in what the bot has sent. */
const sentToSlack = ({ workspace }: Conversation): string =>
  readBySlack(workspace.log.calls().filter(({ method }) => method.startsWith('chat.'))).join('\n');

const revived =
  /<!channel>|<!here>|<!subteam\^S0ADMINS01|<@U0DANA0001|<https:\/\/evil|"(?:S0ADMINS01|U0DANA0001|https:\/\/evil[^"]*)"|"range":/;

/** Everything that one receiver of webhooks is sent. */
async function receiving() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    bodies.push(Buffer.concat(parts).toString());
    response.writeHead(204, { connection: 'close' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return { bodies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

attacks('what leaves a channel by itself', [
  {
    attack: 'somebody without a role links a card of a private channel, and a site',
    must: 'nothing of either is shown, and the site is not looked up',
    tryIt: async () => {
      const ofBob = { ...helpdesk, roles: { operator: ['U0BOB00001'] } };
      const house = await converse({
        workspace: { channels },
        policy: { channels: { C0HELPDESK: ofBob, C0VAULT001: { ...ofBob, name: 'vault' } } },
      });
      await house.type('/appliance acl object disable 3 --reason "hidden reason"', 'bob', 'vault');
      const [change] = await house.bot.journal.recent(1);
      expect(change?.state).toBe('done');
      const link = `https://example.slack.com/archives/C0VAULT001/p${change?.card?.replace('.', '')}`;
      const asked = house.appliance.requests.length;
      for (const line of [
        link,
        `show ${link}`,
        `undo ${link}`,
        `share ${link}`,
        'https://reddit.com/r/all',
      ]) {
        await house.write(`@appliance-bot ${line}`, 'vic');
        await house.type(`/appliance ${line}`, 'vic');
      }
      const since = house.appliance.requests.slice(asked).map(({ method, path }) => `${method} ${path}`);
      expect(since.filter((one) => !one.startsWith('GET ') || /reddit|\/3$/.test(one))).toEqual([]);
      expect(house.read('vic')).not.toMatch(/hidden reason|google_sni|social_networks/);
    },
  },
  {
    attack: 'lists of what others did are scheduled, and a watch sees a change that a private channel made',
    must: 'no list is scheduled, and the post names no change of the private channel',
    tryIt: async () => {
      const house = await converse({
        ...morning,
        workspace: { channels },
        policy: { channels: { C0HELPDESK: helpdesk, C0VAULT001: { ...helpdesk, name: 'vault' } } },
      });
      await house.type('/appliance watch status', 'bob');
      for (const line of ['audit', 'timeline', 'temporary', 'changes', 'planned', 'requests']) {
        const said = await house.type(`/appliance schedule ${line} daily at 9:05`, 'dana');
        expect(said).toContain(`${line} is no lookup that can be run as it stands`);
      }
      await house.type('/appliance acl object disable 3 --reason "hidden reason"', 'bob', 'vault');
      house.wait(2 * minute);
      port(house, false);
      await goBy(house, 8 * 60);
      const said = house.read('alice');
      expect(said).toContain('hq status: ❌');
      expect(said).not.toMatch(/hidden reason|google_sni/);
    },
  },
  {
    attack: 'marks of Slack stand in the reason, and a private channel asks, where a webhook is told',
    must: 'the body holds them as text and no secret, and what has no ticket there stays there',
    tryIt: async () => {
      const { bodies, url } = await receiving();
      const secret = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;
      const house = await converse({
        environment: { HOOK: secret },
        workspace: { channels },
        policy: {
          channels: { C0HELPDESK: helpdesk, C0VAULT001: { ...helpdesk, name: 'vault' } },
          webhook: { url, secret: '${HOOK}' },
        },
      });
      await house.type('/appliance acl object disable 3 --reason "hidden reason"', 'bob', 'vault');
      await house.type(`/appliance category add ${site} to 252 --ticket CHG-7 ${reasonWithMarks}`, 'bob');
      await house.pass(minute);
      await expect.poll(() => house.bot.journal.pendingWebhooks()).toEqual([]);
      expect(bodies.length).toBeGreaterThan(0);
      expect(bodies.join()).not.toMatch(/hidden reason|google_sni|C0VAULT001/);
      expect(bodies.join()).not.toMatch(/whsec_|xoxb-|xapp-|Bearer|assword/);
      expect(sentToSlack(house)).not.toMatch(revived);
    },
  },
  {
    attack: 'a reason, a ticket and the name of an ACL object hold mentions and links',
    must: 'the audit channel shows them as text, and mentions and links nothing',
    tryIt: async () => {
      const house = await under({ audit: { channel: 'C0INCIDENT' } });
      const object = house.appliance.state.acl.objects.get(3);
      if (object === undefined) throw new Error('There is no ACL object 3');
      house.appliance.state.acl.objects.set(3, { ...object, name: marks });
      await house.type(`/appliance acl object disable 3 ${reasonWithMarks} --ticket "<!here>"`, 'bob');
      await house.type(`/appliance acl object disable 3 ${reasonWithMarks}`, 'bob');
      await house.type(`/appliance category add ${site} to 252 --for 1h ${reasonWithMarks}`, 'bob');
      await house.pass(2_000);
      await house.pass(61 * minute);
      await house.pass(minute);
      const told = house.read('alice', 'incident');
      expect(told).toContain('the runbook');
      expect(sentToSlack(house)).not.toMatch(revived);
    },
  },
  {
    attack: 'a list comes in a file whose name holds mentions and links',
    must: 'its card, the audit channel and the list of what was done show the name as text',
    tryIt: async () => {
      const house = await under({ audit: { channel: 'C0INCIDENT' } });
      const file = { name: `${marks}.txt`, content: Buffer.from('one.example.net\ntwo.example.net') };
      await house.attach('@appliance-bot category add to 252', file, 'bob');
      await house.type('/appliance audit', 'bob');
      await house.pass(2_000);
      expect(house.read('alice', 'incident')).toContain('the runbook');
      expect(house.read('bob')).toContain('2 sites added to category shopping');
      expect(sentToSlack(house)).not.toMatch(revived);
    },
  },
]);

const adding = [{ phrase: 'category add' }];

attacks('keeping a temporary change for good', [
  {
    attack: 'what was added for a time is kept by three ways where adding it for good needs an approval',
    must: 'it waits for the approval, a plan refuses it, and it ends at its time without one',
    tryIt: async () => {
      for (const line of [`keep ${site}`, `category add ${site} to 252`, `plan keep ${site}; vlan stop 3`]) {
        const house = await under({
          approvals: [{ commands: adding, by: 'approver', temporary: { longest: '4h' } }],
        });
        await keepNothing(house, line);
      }
    },
  },
  {
    attack: 'the same where the policy has required a ticket since it was added without one',
    must: 'it is refused, and ends at its time',
    tryIt: async () => {
      for (const line of [`keep ${site}`, `category add ${site} to 252`]) {
        const house = await under({ audit: { channel: 'C0INCIDENT' } });
        await keepNothing(house, line, () =>
          rewrite(
            house,
            /^audit:/m,
            `tickets:\n  required:\n    - commands:\n        - phrase: category add\naudit:`,
          ),
        );
      }
    },
  },
]);

/** Bob adds a site for two hours, types this, and agrees to it; the site leaves the category at its time all the same. */
async function keepNothing(house: Conversation, line: string, before = async () => {}): Promise<void> {
  const isIn = () => house.appliance.state.categories.all.get(252)?.live.has(site);
  await house.type(`/appliance category add ${site} to 252 --for 2h`, 'bob');
  expect(isIn()).toBe(true);
  await before();
  await house.type(`/appliance ${line}`, 'bob');
  await house.press('Keep', 'bob').catch(String);
  expect([line, house.read('bob')]).not.toEqual([line, expect.stringContaining('kept for good')]);
  await house.pass(121 * minute);
  await house.pass(minute);
  expect([line, isIn()]).toEqual([line, false]);
}

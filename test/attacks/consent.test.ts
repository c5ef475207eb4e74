import { expect } from 'vitest';
import { sandboxRoles } from '../../sandbox/sandbox.ts';
import { consentOf } from '../../src/action/base/consent.ts';
import { requestToStore, type SiteAsker, siteRequestOf } from '../../src/action/base/site-request.ts';
import { commands } from '../../src/handlers/registry.ts';
import { referenceOf } from '../../src/journal/actions/reference.ts';
import { rewrite, under } from '../approving.ts';
import { asking, blockedSite, newest } from '../asking.ts';
import { filledIn, formIn, pageVisitor } from '../block-page-visitor.ts';
import type { Conversation } from '../conversation.ts';
import { ordersTo } from '../orders.ts';
import { attacks } from './rows.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Thursday, 5 March 2026, 13:30 in UTC, which is the policy's time zone here. */
const from = Date.UTC(2026, 2, 5, 13, 30);
const bot = 'U0THEAPP01';
const two = 'category add one.example.net to 252; category add two.example.net to 252';
const approved = (more: object = {}) => ({
  approvals: [
    { commands: [{ phrase: 'category add' }, { phrase: 'category delete' }], by: 'approver', ...more },
  ],
});

/** Two may approve, one of them with another account as well. */
const withTwo = { ...sandboxRoles, approver: ['U0CAROL001', 'U0CARLA001', 'U0DANA0001'] };

/** The bot holds the role of an operator by name, so that a step of a workflow may ask for changes. */
const withSteps = (policy: object) =>
  under(
    { ...policy },
    { appliances: 'all', roles: { ...sandboxRoles, operator: [sandboxRoles.operator, bot].flat() } },
    from,
  );

/** @bob runs a workflow of one step. */
async function step(
  { workspace, bot: running }: Conversation,
  change: string,
  reason?: string,
): Promise<void> {
  const inputs = { change, channel: 'C0HELPDESK', ...(reason !== undefined && { reason }) };
  await workspace.act({ act: 'run_step', as: 'U0BOB00001', function: 'ask_for_change', inputs });
  await running.idle();
}

/** How many of the approvers the newest question wants, and whether somebody has to stand behind it who may run it. */
async function wanted({ bot: running }: Conversation) {
  const [action] = (await running.journal.recent(20)).filter(({ state }) => state === 'waiting');
  const needs = (action && consentOf(action)?.needs) ?? [];
  return {
    approvers: needs.find(({ by, delegates }) => !delegates && by.includes('approver'))?.count,
    runs: needs.find(({ delegates }) => delegates)?.count,
  };
}

/** An approver first reads the effects. */
async function approve({ press }: Conversation, by: string): Promise<void> {
  await press('Approve', by);
  await press('Yes, approve', by);
}

const isIn = ({ appliance }: Conversation, site: string) =>
  appliance.state.categories.all.get(252)?.live.has(site) === true;

const orders = ({ appliance }: Conversation) => ordersTo(appliance).length;

/** What is asked for. */
async function requested({ journal }: Conversation['bot']) {
  const [action] = await journal.waitingIn(['C0HELPDESK'], 1);
  const request = action && siteRequestOf(action);
  if (action === undefined || request === undefined) throw new Error('There is no request');
  return { action, request };
}

/** So many others ask for the same. */
async function joinMany(bot: Conversation['bot'], count: number, from: (one: number) => SiteAsker) {
  const { action, request } = await requested(bot);
  const joined = Array.from({ length: count }, (_, one) => ({
    ...{ from: from(one), reason: 'me too', at: action.createdAt + one + 1, lasts: hour },
  }));
  const [first, ...others] = request.wishes;
  await bot.journal.changeRequest(
    action,
    requestToStore({ ...request, wishes: [first, ...others, ...joined] }),
  );
}

attacks('what was agreed to', [
  ...[
    ['one line', 'category add one.example.net to 252'],
    ['two lines, which are a plan', two],
    ['two lines for a later time', `plan --at 23:00\n${two.replace('; ', '\n')}`],
  ].map(([what = '', change = '']) => ({
    attack: `whoever has started a workflow that asks for ${what} approves it alone`,
    must: 'it waits for one more than the policy wants of others',
    tryIt: async () => {
      const house = await withSteps(approved());
      await step(house, change);
      expect(await wanted(house)).toEqual({ approvers: 2, runs: 1 });
      await approve(house, 'carol');
      expect(orders(house)).toBe(0);
      expect((await wanted(house)).approvers).toBe(2);
    },
  })),
  {
    attack: 'a workflow rolls back a plan, and whoever has started it approves it alone',
    must: 'it waits for one more than the policy wants of others',
    tryIt: async () => {
      const house = await withSteps(approved({ commands: [{ phrase: 'category delete' }] }));
      await house.type('/appliance plan\ncategory add one.example.net to 252', 'bob');
      await house.press('Run plan', 'bob');
      const plan = (await house.bot.journal.recent(5)).find(({ phrase }) => phrase === 'plan <lines>…');
      const before = orders(house);
      await step(house, `plan rollback ${referenceOf(plan?.id ?? '')}`);
      expect(await wanted(house)).toEqual({ approvers: 2, runs: 1 });
      await approve(house, 'carol');
      expect(orders(house)).toBe(before);
    },
  },
  ...[
    ['one line', 'category add one.example.net to 252 --at 23:00'],
    ['a plan', `plan --at 23:00\n${two.replace('; ', '\n')}`],
  ].map(([what = '', change = '']) => ({
    attack: `what a workflow has planned at night, where nobody approves it, is moved into the day: ${what}`,
    must: 'it waits for one more than the policy wants of others there',
    tryIt: async () => {
      const house = await withSteps(approved({ not_needed: ['22:00-05:00'] }));
      await step(house, change);
      expect(await wanted(house)).toEqual({ approvers: undefined, runs: 1 });
      await approve(house, 'bob');
      await house.type('/appliance reschedule 1 to 18:00', 'bob');
      expect(await wanted(house)).toEqual({ approvers: 2, runs: 1 });
      await approve(house, 'carol');
      expect((await wanted(house)).approvers).toBe(2);
    },
  })),
  {
    attack:
      'the policy begins to want more approvals while what a workflow asks for waits, and as many give it as were wanted',
    must: 'it is not run on the terms that it was asked on',
    tryIt: async () => {
      const house = await withSteps(approved());
      await step(house, two);
      expect(await wanted(house)).toEqual({ approvers: 2, runs: 1 });
      await rewrite(house, /^( +)by: approver$/m, '$1by: approver\n$1count: 2');
      expect(await house.press('Approve', 'bob').then(() => house.press('Yes, approve', 'bob'))).toContain(
        'The approval rule changed',
      );
      await approve(house, 'carol');
      await approve(house, 'dana');
      expect(orders(house)).toBe(0);
    },
  },
  {
    attack: 'what is planned is moved, and approved in hours in which nobody can approve it',
    must: 'the approval does not count',
    tryIt: async () => {
      const house = await under(
        approved({ open: '1d', not_needed: ['22:00-05:00'], not_possible: ['14:00-15:00'] }),
        {},
        from,
      );
      await house.type('/appliance category add one.example.net to 252 --at 23:00', 'bob');
      await house.type('/appliance reschedule 1 to 18:00', 'bob');
      const waiting = (await house.bot.journal.recent(20)).find(({ state }) => state === 'waiting');
      expect(waiting).toMatchObject({ state: 'waiting', runAt: undefined, decidedBy: undefined });
      await house.pass(45 * minute);
      expect(await house.press('Approve', 'carol')).toContain('at this hour nobody can give one');
      expect((await house.bot.journal.byId(waiting?.id ?? ''))?.state).toBe('waiting');
      await house.pass(hour);
      expect(await house.press('Approve', 'carol')).toContain('Planned for today 18:00');
    },
  },
  ...['--at "tomorrow 10:00"', '--window night'].map((start) => ({
    attack: `the glass is broken for later: ${start}`,
    must: 'it is refused, because there is time for an approval',
    tryIt: async () => {
      const windows = { night: ['22:00-05:00'] };
      const house = await under({ emergency: { break_glass: 'operator' }, windows }, {}, from);
      const said = await house.type(
        `/appliance emergency enable --for 30m --reason "directory down" --break-glass ${start}`,
        'bob',
      );
      expect(said).toContain('because somebody can approve the change before its time. Nothing was planned');
      expect((await house.bot.journal.recent(1))[0]).toMatchObject({
        state: 'refused',
        outcome: { code: 'break_glass_planned' },
      });
    },
  })),
  {
    attack: 'a change that was undone is made again in a freeze by undoing its Undo',
    must: 'it is frozen like the change, and what undoes it is not',
    tryIt: async () => {
      const freezes = { closing: { from: '2026-03-05T15:00', to: '2026-03-06T08:00', except: ['admin'] } };
      const house = await under({ freezes }, {}, from + 85 * minute);
      await house.type('/appliance category add one.example.net to 252', 'bob');
      await house.type('/appliance category add two.example.net to 252', 'bob');
      await house.press('Undo', 'bob');
      await house.pass(6 * minute);
      const before = orders(house);
      expect(await house.press('Undo', 'bob')).toContain('frozen');
      expect(orders(house)).toBe(before);
    },
  },
  {
    attack:
      'the Undo of an Undo is pressed in a freeze wherever a list offers it: on Home, below its card, in its thread',
    must: 'each is frozen, and no list offers to make the change again',
    tryIt: async () => {
      const freezes = { closing: { from: '2026-03-05T13:36', to: '2026-03-06T08:00' } };
      const house = await under({ freezes }, {}, from);
      await house.type('/appliance category add one.example.net to 252', 'bob');
      await house.press('Undo', 'bob');
      await house.pass(7 * minute);
      const before = orders(house);
      const { card } = (await house.bot.journal.recent(1))[0] ?? {};
      await house.person('bob').openHome();
      const frozen = expect.stringContaining('Changes are frozen until');
      await house.press('Undo', 'bob', 'home');
      expect(newest(house.read('bob', 'appliance-bot'))).toEqual(frozen);
      expect(newest(await house.press('Undo', 'bob'))).toEqual(frozen);
      await house.write('@appliance-bot undo', 'bob', 'helpdesk', card);
      await house.press('Undo', 'bob');
      expect(newest(await house.type('/appliance undo', 'bob'))).toContain('already');
      expect([orders(house), isIn(house, 'one.example.net')]).toEqual([before, false]);
    },
  },
  {
    attack: 'a change that was undone is made again under its old ticket by undoing its Undo',
    must: 'a ticket is wanted for it, and the Undo of that needs none',
    tryIt: async () => {
      const tickets = {
        required: [{ commands: [{ effect: 'write' }] }],
        pattern: '^CHG-[0-9]+$',
        example: 'CHG-123',
      };
      const house = await under({ tickets }, {}, from);
      await house.type('/appliance category add one.example.net to 252 --ticket CHG-8', 'bob');
      await house.press('Undo', 'bob');
      const before = orders(house);
      expect(await house.press('Undo', 'bob')).toContain('This change needs a ticket');
      expect(orders(house)).toBe(before);
      await house.type('/appliance category add one.example.net to 252 --ticket CHG-9', 'bob');
      expect(isIn(house, 'one.example.net')).toBe(true);
      await house.press('Undo', 'bob');
      expect(isIn(house, 'one.example.net')).toBe(false);
    },
  },
  {
    attack: 'what was approved and undone is made again by undoing its Undo',
    must: 'it waits for the approval that the change needs',
    tryIt: async () => {
      const house = await under(approved({ commands: [{ phrase: 'category add' }] }), {}, from);
      await house.type('/appliance category add one.example.net to 252', 'bob');
      await house.press('Approve', 'carol');
      await house.press('Undo', 'bob');
      const before = orders(house);
      await house.press('Undo', 'bob');
      expect(await wanted(house)).toMatchObject({ approvers: 1 });
      expect(orders(house)).toBe(before);
    },
  },
  {
    attack: 'the 22nd who asks for a site allows it himself',
    must: 'he is told that he was added, is, and may not',
    tryIt: async () => {
      const { ask, bot: running, press } = await asking();
      await ask(`${blockedSite} for 2h --reason "booking"`);
      await joinMany(running, 20, (one) => ({
        ...{ kind: 'slack', person: `U0OTHER${one + 10}`, channel: 'C0RANDOM01' },
      }));
      expect(await ask(`${blockedSite} for 1h --reason "me too"`, 'bob')).toContain(
        'You were added to that request',
      );
      expect(JSON.stringify((await requested(running)).request)).toContain('U0BOB00001');
      expect(await press('Approve', 'bob')).toContain('You asked for this site yourself');
    },
  },
  ...[
    ['asked for the site', 'carol', undefined],
    ['has joined the request since it was approved once', 'vic', 'carol'],
    ['has asked for the site with a second account', 'carla', undefined],
  ].map(([what = '', first = '', second]) => ({
    attack: `somebody allows a site, and the only approval that this takes is given by somebody who ${what}`,
    must: 'it does not count, and another approver’s does',
    tryIt: async () => {
      const house = await asking(
        {},
        {
          ...approved(),
          channels: { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', appliances: 'all', roles: withTwo } },
        },
      );
      await house.ask(`${blockedSite} for 2h --reason "booking"`, first);
      await house.press('Approve', 'bob');
      if (second !== undefined) await house.ask(`${blockedSite} for 2h --reason "me too"`, second);
      expect(newest(await house.press('Approve', 'carol'))).toMatch(/You asked for this/);
      expect([house.orders(), house.isAllowed()]).toEqual([0, false]);
      await house.press('Approve', 'dana');
      expect(house.isAllowed()).toBe(true);
    },
  })),
  {
    attack: 'somebody asks for a site at the block page, and gives the only approval that it takes',
    must: 'it waits for one more than the policy wants of others',
    tryIt: async () => {
      const channels = {
        C0HELPDESK: { name: 'helpdesk', appliance: 'hq', appliances: 'all', roles: withTwo },
      };
      const house = await asking({}, { ...approved(), channels }, { blockPage: true });
      const { call } = pageVisitor(house.behindProxy?.ports[0] ?? 0);
      const browsed = await (await fetch(`${house.behindProxy?.url}/?site=${blockedSite}`)).text();
      const link = /href="http:\/\/[^/]+([^"]+)"[^>]*>Ask for access/.exec(browsed)?.[1] ?? '';
      const form = formIn((await call('GET', link.replaceAll('&#38;', '&'))).text);
      await call('POST', '/ask', filledIn(form, { site: blockedSite }));
      await house.bot.idle();
      await house.press('Approve', 'bob');
      await house.press('Approve', 'carol');
      expect([house.orders(), house.isAllowed()]).toEqual([0, false]);
      await house.press('Approve', 'dana');
      expect(house.isAllowed()).toBe(true);
    },
  },
  {
    attack: 'a name below which many have sites is asked for, and is allowed where its card does not stand',
    must: 'the page of whoever decides, what waits for them and the list say how much that is',
    tryIt: async () => {
      const house = await asking();
      for (const { rpz, live } of house.appliance.state.categories.all.values())
        if (rpz.enabled) (live as Set<string>).add('github.io');
      await house.ask('github.io for 2h --reason "booking"');
      const much = 'every site that ends in .github.io';
      const { workspace, person, type } = house;
      await person('bob').openHome();
      const page = JSON.stringify(workspace.snapshot('U0BOB00001').home);
      const places = [page, newest(await type('/appliance approvals', 'bob'))];
      places.push(newest(await type('/appliance requests', 'bob')));
      for (const place of places) expect(place).toMatch(/Approve/);
      for (const place of places) expect(place).toContain(much);
    },
  },
  {
    attack: 'so many have asked for a site at the block page that one more is not noted',
    must: 'whoever is added is told so, and nobody who is not',
    tryIt: async () => {
      const { ask, bot: running, behindProxy } = await asking({}, {}, { blockPage: true });
      await ask(`${blockedSite} for 2h --reason "booking"`);
      const stranger = (one: number): SiteAsker => ({
        kind: 'block_page',
        said: `Somebody ${one}`,
        user: `user-${one}`,
      });
      await joinMany(running, 19, stranger);
      const { call } = pageVisitor(behindProxy?.ports[0] ?? 0);
      const browsed = await (await fetch(`${behindProxy?.url}/?site=${blockedSite}`)).text();
      const link = /href="http:\/\/[^/]+([^"]+)"[^>]*>Ask for access/.exec(browsed)?.[1] ?? '';
      const asks = async (user: string) => {
        const form = formIn((await call('GET', link.replaceAll('&#38;', '&'))).text);
        const { status, text, headers } = await call(
          'POST',
          '/ask',
          filledIn(form, { site: blockedSite, user }),
        );
        return status === 303 ? (await call('GET', String(headers.location))).text : text;
      };
      const isNoted = async (user: string) => {
        return JSON.stringify((await requested(running)).request).includes(user);
      };
      const last = await asks('the-last-one');
      expect([await isNoted('the-last-one'), last.includes('you were added to that request')]).toEqual([
        true,
        true,
      ]);
      for (let again = 0; again < 2; again += 1) {
        const beyond = await asks('one-too-many');
        expect([await isNoted('one-too-many'), beyond.includes('you were added')]).toEqual([false, false]);
        expect(beyond).toContain('you were not added');
      }
      // Who is noted already is not turned away.
      expect(await asks('the-last-one')).toContain('Your request was sent');
    },
  },
  {
    attack:
      'a workflow gives its reason for several lines, of which one needs a reason, in a line and below `plan`',
    must: 'the reason counts for each of them, and is read by whoever approves',
    tryIt: async () => {
      const pattern = { pattern: '^INC-[0-9]+', example: 'INC-1' };
      for (const change of [two, `plan\n${two.replace('; ', '\n')}`, two.split('; ')[0]]) {
        const house = await withSteps(approved({ reason: pattern }));
        await step(house, change ?? '', 'INC-7');
        expect([change, await wanted(house)]).toEqual([change, { approvers: 2, runs: 1 }]);
        expect(house.read('carol')).toContain('INC-7');
        const without = await withSteps(approved({ reason: pattern }));
        await step(without, change ?? '');
        expect([change, await wanted(without)]).toEqual([change, { approvers: undefined, runs: undefined }]);
      }
    },
  },
  {
    attack: 'a workflow asks for every change that there is, with whatever role the policy gives the bot',
    must: 'nothing is sent, ended, moved or taken back before somebody stands behind it',
    tryIt: async () => {
      const house = await under(
        { emergency: { break_glass: 'operator' } },
        { roles: { ...sandboxRoles, admin: ['U0DANA0001', bot] } },
        from,
      );
      const { journal } = house.bot;
      for (const line of [
        ...['category add one.example.net to 252', 'category add two.example.net to 252 --for 2h'],
        'category add three.example.net to 252 --at "in 3h"',
      ])
        await house.type(`/appliance ${line}`, 'bob');
      const changes = commands.flatMap(({ kind, example, phrase }) =>
        kind === 'change' ? [example ?? phrase] : [],
      );
      const others = [
        'undo',
        'end all',
        'keep all',
        'extend 1 by 2h',
        'cancel 1',
        'reschedule 1 to 18:00',
        'again',
      ];
      const standing = async () =>
        JSON.stringify([
          orders(house),
          (await journal.timedChanges()).map(({ action, endsAt, state }) => [action, endsAt, state]),
          (await journal.plannedIn(['C0HELPDESK'], 100)).map(({ id, runAt }) => [id, runAt]),
        ]);
      const before = await standing();
      let waiting = 0;
      for (const line of [...changes, ...others, 'emergency enable --for 30m --reason down --break-glass']) {
        await step(house, line, 'because');
        expect([line, await standing()]).toEqual([line, before]);
        const [asked] = await journal.recent(1);
        if (asked?.state === 'waiting') {
          expect([line, consentOf(asked)?.needs.some(({ delegates }) => delegates)]).toEqual([line, true]);
          waiting += 1;
        }
        // A workflow may ask so often in a minute, and not more.
        await house.pass(minute);
      }
      expect(waiting).toBeGreaterThan(40);
    },
  },
  ...['bob', 'dana'].map((by) => ({
    attack: `an approved plan has stopped, and ${by} goes on with more of it than may be done alone`,
    must: 'what is left is another question, and waits for its approval',
    tryIt: async () => {
      const house = await under(
        { approvals: [{ commands: [{ phrase: 'category add', above: 2 }], by: 'approver' }] },
        {},
        from,
      );
      const { faults } = house.appliance;
      faults.set('GET /system/network/vlan/stop/{id}', { kind: 'refuse', error: 'not permitted' });
      await house.type(
        `/appliance plan vlan stop 3; category add a.example b.example c.example to 252`,
        'bob',
      );
      await house.press('Approve', 'carol');
      faults.clear();
      const before = orders(house);
      await house.press('Go on', by);
      expect(await wanted(house)).toMatchObject({ approvers: 1 });
      expect(orders(house)).toBe(before);
    },
  })),
]);

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { personIn } from '../../sandbox/person.ts';
import { sandboxRoles } from '../../sandbox/sandbox.ts';
import { usablesOf } from '../../sandbox/workspace/seen/usables.ts';
import { onAppliance } from '../../src/action/lock/appliance-locks.ts';
import type { Action } from '../../src/journal/journal.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { type Conversation, converse } from '../conversation.ts';
import { attacks } from './rows.ts';

/** Sessions that are open on the simulated appliance. */
const sessions = [3, 4, 7, 9, 11, 12, 14, 15];
/** As long as a machine may take that does much else. */
const aWhile = { timeout: 50_000 };
/** A clock that stands still. */
const at = Date.UTC(2027, 0, 4, 9);
const people = { alice: 'U0ALICE001', bob: 'U0BOB00001', dana: 'U0DANA0001', vic: 'U0VIC00001' } as const;
type Name = keyof typeof people;

/**
 * A bot in a workspace that takes messages as slowly as Slack. Its clock stands still: what waits goes out when the test
 * lets a second pass, and not before, on a machine of any speed.
 */
async function crowded(options: Parameters<typeof converse>[0] = {}) {
  let at = Date.now();
  let isFree = false;
  let sleepers: { readonly until: number; readonly wake: () => void }[] = [];
  const looks = new Set<() => void>();
  const wakeThoseDue = () => {
    const due = sleepers.filter(({ until }) => until <= at);
    sleepers = sleepers.filter(({ until }) => until > at);
    for (const { wake } of due) wake();
  };
  const { workspace: workspaceOptions, ...others } = options;
  const house = await converse({
    ...others,
    workspace: { rateLimits: true, clock: () => at, ...workspaceOptions },
    world: {
      now: () => at,
      sleep: (milliseconds) => {
        if (isFree) at += milliseconds;
        return isFree
          ? Promise.resolve()
          : new Promise((wake) => sleepers.push({ until: at + milliseconds, wake }));
      },
      every: (_, look) => {
        looks.add(look);
        return () => looks.delete(look);
      },
      log: createLog('silent'),
      ...options.world,
    },
  });
  const { workspace, bots } = house;
  /** From now on whatever is waited for passes at once. */
  const free = () => {
    isFree = true;
    at = Math.max(at, ...sleepers.map(({ until }) => until));
    wakeThoseDue();
  };
  onTestFinished(free);
  const calls = () => workspace.log.calls();
  const seen = (name: Name) => house.read(name);
  const recent = async (): Promise<readonly Action[]> => (await bots[0]?.journal.recent(1_000)) ?? [];
  return {
    ...house,
    ...{ seen, recent, calls },
    /** Types lines all at once, and does not wait for what comes of them. */
    type: async (name: Name, ...lines: readonly string[]) => {
      const channel = 'C0HELPDESK';
      const as = people[name];
      await Promise.all(
        lines.map((line) => workspace.act({ act: 'type', as, channel, text: `/appliance ${line}` })),
      );
    },
    /** Does things, and does not wait for what comes of them. */
    hastily: (name: Name) => personIn(workspace, { idle: async () => undefined }, name),
    /** Slack's calls that were taken, among those that say something in a channel. */
    messages: () => calls().filter(({ method, ok }) => ok && /^chat\.(postM|update|postE)/.test(method)),
    /** How often somebody is told that something is too much for one person. */
    told: (name: Name) => seen(name).match(/as many as one person|still under way/g)?.length ?? 0,
    refused: async (code: string) =>
      (await recent()).filter(({ state, outcome }) => state === 'refused' && outcome?.code === code),
    /** So long everything has been calm. */
    calm: async () => {
      for (let before = -1; before !== calls().length; await sleep(150)) before = calls().length;
    },
    /** Lets a second pass, and what goes out in it go out. */
    second: async () => {
      at += 1_000;
      wakeThoseDue();
      for (let before = -1; before !== calls().length; await sleep(40)) before = calls().length;
    },
    /** A minute later: more often Slack lets nobody connect. */
    restart: async () => {
      at += 60_000;
      // The stopped bot's sleepers never wake.
      await house.restart(async () => {
        sleepers = [];
      });
    },
    /** All that waits goes out. */
    end: async () => {
      free();
      for (let round = 0; round < 10; round += 1) {
        await Promise.all(bots.map((one) => one.idle()));
        at += 60_000;
        for (const look of looks) look();
      }
      await Promise.all(bots.map((one) => one.idle()));
    },
  };
}

type Crowded = Awaited<ReturnType<typeof crowded>>;

/** Lets seconds pass until something is so; resolves to how many messages went out until then. */
async function until({ second, messages }: Crowded, isSo: () => boolean, most = 60): Promise<number> {
  const before = messages().length;
  for (let seconds = 0; seconds < most && !isSo(); seconds += 1) await second();
  return messages().length - before;
}

const lookups = (count: number) =>
  Array.from({ length: count }, (_, index) => `categorize s${index}.example.com`);
/** How many messages of others may go before somebody's own. */
const few = 8;

attacks('fairness', [
  {
    attack: 'one viewer types 120 lookups at once',
    must: 'somebody else’s card and click are through within a few messages',
    tryIt: async () => {
      const house = await crowded();
      await house.type('alice', ...lookups(120));
      await house.calm();
      await house.type('bob', 'rdp disconnect 12');
      await expect.poll(async () => (await house.recent()).some(isWaiting), aWhile).toBe(true);
      const isAsked = () => house.seen('bob').includes('[Disconnect] [Cancel]');
      expect(await until(house, isAsked)).toBeLessThanOrEqual(few);
      expect(isAsked()).toBe(true);
      await house.hastily('bob').press('helpdesk', 'Disconnect');
      const isTold = () => house.seen('bob').includes('12 is gone');
      expect(await until(house, isTold)).toBeLessThanOrEqual(2 * few);
      expect(isTold()).toBe(true);
    },
  },
  {
    attack: 'one viewer types 120 lookups at once',
    must: 'ten are answered, 110 are recorded as refused, and one sentence says so',
    tryIt: async () => {
      const house = await crowded();
      await house.type('alice', ...lookups(120));
      await house.calm();
      await house.end();
      const all = await house.recent();
      expect(all.filter(({ state }) => state === 'done')).toHaveLength(10);
      expect(await house.refused('too_many')).toHaveLength(110);
      // One for a burst; a machine that is slow to take them makes two or three of it.
      expect(house.told('alice')).toBeGreaterThan(0);
      expect(house.told('alice')).toBeLessThanOrEqual(3);
      expect(house.seen('alice')).toMatch(
        /You have \d+ (questions|lines) under way, as many as one person can have\./,
      );
      expect(house.seen('bob').match(/s\d+\.example\.com is in /g)).toHaveLength(10);
    },
  },
  {
    attack: 'one viewer types 200 lines that nobody understands',
    must: 'somebody else’s card is up within a few messages, and each of the lines is recorded',
    tryIt: async () => {
      const house = await crowded();
      await house.type('alice', ...Array.from({ length: 200 }, (_, index) => `gibber ${index}`));
      await house.calm();
      await house.type('bob', 'rdp disconnect 12');
      const isAsked = () => house.seen('bob').includes('[Disconnect] [Cancel]');
      await expect.poll(async () => (await house.recent()).some(isWaiting), aWhile).toBe(true);
      expect(await until(house, isAsked)).toBeLessThanOrEqual(few);
      await house.end();
      const hers = (await house.recent()).filter(({ person }) => person === people.alice);
      expect(hers.map(({ state }) => state)).toEqual(Array(200).fill('refused'));
      expect(house.told('alice')).toBeLessThanOrEqual(3);
    },
  },
  {
    attack: 'a password in a line of such a burst',
    must: 'is kept nowhere, although the line was not read',
    tryIt: async () => {
      const house = await crowded();
      const lines = Array.from(
        { length: 60 },
        (_, index) => `sql user add u${index} --password hunter${index}x`,
      );
      await house.type('alice', ...lines);
      await house.end();
      const kept = JSON.stringify(await house.recent());
      expect(kept).toContain('not read: too many lines at once');
      expect(kept).not.toMatch(/hunter\d/);
    },
  },
  {
    attack: 'one viewer’s lookups hang on the appliance, as many as are taken',
    must: 'somebody else’s change is looked at while they hang',
    tryIt: async () => {
      const house = await crowded({ world: { timeout: 200 } });
      // The release is known to both from now on.
      await house.type('bob', 'categorize example.com');
      await expect
        .poll(async () => (await house.recent()).some(({ state }) => state === 'done'), aWhile)
        .toBe(true);
      house.appliance.faults.set('GET /categories/query/{domain}', { kind: 'hang' });
      await house.type('alice', ...lookups(120));
      const hanging = () => house.appliance.requests.filter(({ path }) => path.includes('/query/s')).length;
      await expect.poll(hanging, aWhile).toBeGreaterThan(0);
      await house.type('bob', 'rdp disconnect 12');
      await expect.poll(async () => (await house.recent()).some(isWaiting), aWhile).toBe(true);
      const hers = (await house.recent()).filter(({ line }) => line.startsWith('categorize s'));
      expect(hers.filter(({ state }) => state === 'failed')).toEqual([]);
      expect(hanging()).toBeLessThanOrEqual(4);
    },
  },
  {
    attack: 'an administrator types ten changes at once, and an operator a single one after them',
    must: 'the operator’s reaches the appliance second',
    tryIt: async () => {
      const house = await crowded();
      const objects = [...house.appliance.state.acl.objects.keys()].slice(0, 11);
      const change = (object: number | undefined) => `acl object disable ${object}`;
      const orders = () =>
        house.appliance.requests.flatMap(
          ({ path }) => Number(path.match(/object\/disable\/(\d+)/)?.[1]) || [],
        );
      // Somebody else is at the ACLs until all of them wait.
      const others = Promise.withResolvers<void>();
      const atIt = house.bot.journal.exclusively(`${onAppliance('hq')} acl`, 1_000, () => others.promise);
      await house.type('dana', ...objects.slice(0, 10).map(change));
      await expect.poll(async () => (await house.recent()).filter(isRunning).length, aWhile).toBe(10);
      await house.type('bob', change(objects[10]));
      await until(house, () => house.seen('bob').match(/Disabling ACL object/g)?.length === 11);
      await house.calm();
      others.resolve();
      await atIt;
      await expect.poll(() => orders().length, aWhile).toBe(11);
      expect(orders().indexOf(objects[10] ?? 0)).toBeLessThanOrEqual(1);
    },
  },
  {
    attack:
      'an administrator types 45 audits and timelines at once, of a journal in which much has no record so far',
    must: 'somebody else’s card and click are through within a few messages, and before all of it is recorded',
    tryIt: async () => {
      const house = await crowded();
      const { journal } = house.bot;
      const before = { state: 'done', team: 'T1', channel: 'C0HELPDESK', person: people.vic } as const;
      const many = 2_000;
      for (let line = 0; line < many; line += 1)
        await journal.write({
          ...before,
          line: `categorize ${line}`,
          outcome: { code: 'answered', says: '' },
        });
      const kinds = ['audit', 'audit everywhere', 'timeline'];
      await house.type('dana', ...Array.from({ length: 15 }, () => kinds).flat());
      await house.type('bob', 'rdp disconnect 12');
      await expect
        .poll(async () => (await house.recent()).some(isWaiting), { ...aWhile, interval: 5 })
        .toBe(true);
      expect((await journal.findRecords({}, 1)).count).toBeLessThan(many);
      const isAsked = () => house.seen('bob').includes('[Disconnect] [Cancel]');
      expect(await until(house, isAsked)).toBeLessThanOrEqual(few);
      expect(isAsked()).toBe(true);
      await house.hastily('bob').press('helpdesk', 'Disconnect');
      const isTold = () => house.seen('bob').includes('12 is gone');
      expect(await until(house, isTold)).toBeLessThanOrEqual(few);
      expect(isTold()).toBe(true);
      await house.end();
      const hers = (await house.recent()).filter(({ person }) => person === people.dana);
      expect(hers).toHaveLength(45);
      // Two at once, and more on a slow machine, where one is answered before the last ones come.
      expect(hers.filter(({ state }) => state === 'done').length).toBeLessThanOrEqual(8);
    },
  },
  {
    attack: 'a person presses CSV 200 times at once',
    must: 'they get one file and one sentence, and somebody else’s card is up within a few messages',
    tryIt: async () => {
      const house = await crowded();
      await house.type('alice', 'acl objects');
      await until(house, () => house.seen('alice').includes('[CSV]'));
      const alice = house.hastily('alice');
      await Promise.all(Array.from({ length: 200 }, () => alice.press('helpdesk', 'CSV')));
      await house.type('bob', 'rdp disconnect 12');
      await expect.poll(async () => (await house.recent()).some(isWaiting), aWhile).toBe(true);
      const isAsked = () => house.seen('bob').includes('[Disconnect] [Cancel]');
      expect(await until(house, isAsked)).toBeLessThanOrEqual(few);
      await house.end();
      const files = house.calls().filter(({ method }) => method === 'files.completeUploadExternal');
      expect(files.length).toBeLessThanOrEqual(3);
      expect(house.told('alice')).toBeGreaterThan(0);
      expect(house.told('alice')).toBeLessThanOrEqual(3);
    },
  },
  ...(['Approve', 'Cancel'] as const).map((button) => ({
    attack: `a person who has no say presses ${button} 200 times at once on the card of somebody else`,
    must: 'sixty clicks are answered, the rest in one sentence, and somebody else’s card is up within a few messages',
    tryIt: async () => {
      const approvals =
        button === 'Approve' ? [{ commands: [{ phrase: 'rdp disconnect' }], by: 'approver' }] : [];
      const channels = { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles: sandboxRoles } };
      const house = await crowded({ policy: { approvals, channels } });
      await house.type('alice', 'rdp disconnect 14');
      await until(house, () => house.seen('alice').includes(`[${button}]`));
      const vic = house.hastily('vic');
      await Promise.all(Array.from({ length: 200 }, () => vic.press('helpdesk', button)));
      await house.type('bob', 'rdp disconnect 12');
      const isAsked = () => house.seen('bob').includes('Disconnect session 12');
      await expect.poll(async () => (await house.recent()).filter(isWaiting).length, aWhile).toBe(2);
      expect(await until(house, isAsked)).toBeLessThanOrEqual(few);
      await house.end();
      expect(house.told('vic')).toBe(1);
      expect(house.seen('vic').match(/only visible to vic/g)).toHaveLength(61);
      expect(house.seen('vic')).toContain(
        'You have 60 clicks under way, as many as one person can have. Your click did nothing.',
      );
    },
  })),
  {
    attack: 'a person presses Next again and again, each time as soon as it is answered',
    must: 'thirty are answered within a minute, and they are told when it works again',
    tryIt: async () => {
      const { type, press, read, workspace, bot } = await converse({
        world: { now: () => at, sleep: async () => undefined },
      });
      await type('/appliance acl objects');
      const before = workspace.log.calls('chat.update').length;
      for (let click = 0; click < 32; click += 1)
        await press(read().includes('[Next ▶]') ? 'Next ▶' : '◀ Previous');
      await bot.idle();
      expect(workspace.log.calls('chat.update').length - before).toBe(30);
      expect(read()).toMatch(/You have pressed 30 buttons within a minute, .* Press again after \d/);
    },
  },
  {
    attack:
      'an administrator searches 300 times at once in a picker, with something else before it each time',
    must: 'a few searches reach the appliance, and somebody else’s card, click and answer are through within a few messages',
    tryIt: async () => {
      const house = await crowded();
      const listed = await searching(house, 'dana');
      house.appliance.faults.set('GET /categories/list', { kind: 'slow', ms: 700 });
      const searches: Promise<unknown>[] = [];
      for (let search = 0; search < 300; search += 1) {
        await listed.enter(`s${search}.example.com`);
        searches.push(listed.search());
      }
      await expect.poll(listed.underWay, aWhile).toBeGreaterThan(0);
      await house.type('bob', 'rdp disconnect 12');
      // Half of what an appliance is asked at once.
      expect(listed.underWay()).toBeLessThanOrEqual(4);
      await house.type('alice', 'categorize example.com');
      const isAsked = () => house.seen('bob').includes('[Disconnect] [Cancel]');
      expect(await until(house, isAsked)).toBeLessThanOrEqual(few);
      expect(isAsked()).toBe(true);
      const isAnswered = () => /example\.com is in \d/.test(house.seen('alice'));
      expect(await until(house, isAnswered)).toBeLessThanOrEqual(few);
      await house.hastily('bob').press('helpdesk', 'Disconnect');
      const isTold = () => house.seen('bob').includes('12 is gone');
      expect(await until(house, isTold)).toBeLessThanOrEqual(few);
      expect(isTold()).toBe(true);
      house.appliance.faults.clear('GET /categories/list');
      await Promise.all(searches);
      await expect.poll(listed.underWay, aWhile).toBe(0);
      expect(listed.asked()).toBeGreaterThan(0);
      // Eight at once, and more on a slow machine, where some are answered before the last ones come.
      expect(listed.asked()).toBeLessThanOrEqual(60);
    },
  },
  {
    attack: 'an administrator searches in a picker again and again, each time as soon as it is answered',
    must: 'the appliance lists 120 times within a minute, and after that minute again',
    tryIt: async () => {
      let at = Date.UTC(2027, 0, 4, 9);
      const house = await converse({ world: { now: () => at, sleep: async () => undefined } });
      const listed = await searching(house, 'dana');
      for (let search = 0; search < 125; search += 1) {
        await listed.enter(`s${search}.example.com`);
        await listed.search();
      }
      expect(listed.asked()).toBe(120);
      at += 60_000;
      expect(await listed.search()).toMatchObject({ options: [{}] });
    },
  },
  {
    attack: 'a person opens Home 200 times at once',
    must: 'a few pages are drawn, and not two hundred',
    tryIt: async () => {
      const { workspace, bot } = await converse();
      await Promise.all(
        Array.from({ length: 200 }, () => workspace.act({ act: 'open_home', as: people.alice })),
      );
      await bot.idle();
      const drawn = workspace.log.calls('views.publish').length;
      expect(drawn).toBeGreaterThan(0);
      // One, and the newest of those that came while it was drawn; more on a slow machine.
      expect(drawn).toBeLessThanOrEqual(6);
    },
  },
  {
    attack: 'a person opens Home again and again, each time as soon as it is drawn',
    must: 'ten pages are drawn within a minute, and after that minute again',
    tryIt: async () => {
      let now = at;
      const { workspace, bot } = await converse({ world: { now: () => now, sleep: async () => undefined } });
      const open = async () => {
        await workspace.act({ act: 'open_home', as: people.alice });
        await bot.idle();
        return workspace.log.calls('views.publish').length;
      };
      for (let opened = 0; opened < 15; opened += 1) await open();
      expect(await open()).toBe(10);
      now += 60_000;
      expect(await open()).toBe(11);
    },
  },
  {
    attack: 'a person types forty lines that open a form',
    must: 'thirty forms are opened within a minute, and the rest get the usage line',
    tryIt: async () => {
      const { workspace, bot, person } = await converse({ world: { now: () => at } });
      for (let line = 0; line < 40; line += 1)
        await person('dana').type('helpdesk', '/appliance rdp disconnect');
      await bot.idle();
      expect(workspace.log.calls('views.open').length).toBe(30);
    },
  },
  {
    attack: 'a person without a role asks for approval of one thing after the other',
    must: 'three stand open, and their approvers are called once',
    tryIt: async () => {
      const house = await converse();
      for (const session of sessions.slice(0, 3)) await askFor(house, session);
      expect(calledBy(house)).toBe(1);
      const said = await askFor(house, sessions[3]);
      expect(said).toMatch(/3 requests of yours wait for approval.*was not requested: nobody was asked/);
      const all = await house.bot.journal.recent();
      expect(all.filter(isWaiting)).toHaveLength(3);
      expect(all.filter(({ outcome }) => outcome?.code === 'too_many_requests')).toHaveLength(1);
      expect(calledBy(house)).toBe(1);
    },
  },
  {
    attack: 'a person without a role asks for approval, withdraws it and asks anew, again and again',
    must: 'approvers are called five times an hour, and after that hour again',
    tryIt: async () => {
      const house = await converse();
      for (let round = 0; round < 5; round += 1) {
        await askFor(house, sessions[round]);
        await house.press('Withdraw', 'vic');
      }
      expect(calledBy(house)).toBe(5);
      const said = await askFor(house, sessions[5]);
      expect(said).toMatch(
        /You have asked for approval 5 times within an hour without getting it\..*You can ask again after \d/,
      );
      expect(calledBy(house)).toBe(5);
      await house.restart();
      await askFor(house, sessions[6]);
      expect(calledBy(house), 'a restart forgets nothing').toBe(5);
      house.wait(61 * 60_000);
      await askFor(house, sessions[7]);
      expect(calledBy(house)).toBe(6);
    },
  },
  {
    attack: 'a person without a role presses eight buttons Ask for approval at once',
    must: 'three requests stand, although none was written down when the others were counted',
    tryIt: async () => {
      const house = await crowded();
      await house.type('vic', ...sessions.slice(0, 8).map((session) => `rdp disconnect ${session}`));
      await expect.poll(() => house.seen('vic').match(/\[Ask for approval\]/g)?.length).toBe(8);
      const { messages } = house.workspace.snapshot(people.vic);
      const clicks = messages.flatMap(({ channel, ts, blocks = [] }) =>
        usablesOf(blocks)
          .filter(({ names }) => names[0] === 'Ask for approval')
          .map(({ blockId: block_id, actionId: action_id }) => ({
            ...({ act: 'use', as: people.vic, block_id, action_id, value: {}, state: {} } as const),
            container: { kind: 'message', channel, ts } as const,
          })),
      );
      expect(clicks).toHaveLength(8);
      await Promise.all(clicks.map((click) => house.workspace.act(click)));
      await house.end();
      expect((await house.recent()).filter(({ consent }) => consent !== undefined)).toHaveLength(3);
    },
  },
  {
    attack: 'the bot is stopped while one person’s answers wait for their turn in the channel',
    must: 'each of them is told in the end, once',
    tryIt: async () => {
      const house = await crowded({ world: { timeout: 200 } });
      await house.type('alice', ...lookups(10));
      // Looked up, and not told so far.
      await expect
        .poll(async () => (await house.recent()).filter(({ state }) => state !== 'running').length, aWhile)
        .toBe(10);
      await house.restart();
      await house.end();
      const done = (await house.recent()).filter(({ state }) => state === 'done');
      expect(done.length).toBeGreaterThan(1);
      const answers = house.seen('bob').match(/s\d+\.example\.com is in \d/g) ?? [];
      expect(answers).toHaveLength(done.length);
      expect(new Set(answers).size).toBe(done.length);
    },
  },
]);

/**
 * Opens a form before somebody, in which a site is entered and a category is picked: what an input lists may hang on those
 * before it, so a search after another site was entered asks the appliance anew.
 */
async function searching(house: Pick<Crowded, 'workspace' | 'appliance' | 'bots'>, name: Name) {
  const { workspace, appliance, bots } = house;
  const as = people[name];
  await workspace.act({ act: 'type', as, channel: 'C0HELPDESK', text: '/appliance category add' });
  const view = () => workspace.snapshot(as).views.at(-1);
  await expect.poll(() => view() !== undefined, aWhile).toBe(true);
  await bots[0]?.idle();
  const { id = '', view: { blocks } = { blocks: [] } } = view() ?? {};
  const usables = usablesOf(blocks);
  const [site] = usables;
  const category = usables.find(({ element }) => element.type === 'external_select');
  if (site === undefined || category === undefined) throw new Error('The form has a picker');
  const lists = () => appliance.requests.filter(({ path }) => path.includes('/categories/list'));
  const before = lists().length;
  return {
    asked: () => lists().length - before,
    underWay: () => lists().filter(({ outcome }) => outcome === 'waiting').length,
    enter: async (value: string) => {
      const { type } = site.element;
      const state = { [site.blockId]: { [site.actionId]: { type, value } } };
      await workspace.act({ act: 'enter', as, view: id, state });
    },
    search: () =>
      workspace.act({
        ...({ act: 'suggest', as, container: { kind: 'view', id } } as const),
        ...{ block_id: category.blockId, action_id: category.actionId, query: 'malware' },
      }),
  };
}

async function askFor(house: Conversation, session: number | undefined): Promise<string> {
  await house.type(`/appliance rdp disconnect ${session}`, 'vic');
  return house.press('Ask for approval', 'vic');
}

/** How many messages have called the operators. */
const calledBy = ({ workspace }: Conversation): number =>
  workspace.log
    .calls('chat.postMessage')
    .filter(({ args }) => JSON.stringify(args.blocks).includes('S0OPERATOR')).length;

function isRunning({ state }: { readonly state: string }): boolean {
  return state === 'running';
}

function isWaiting({ state }: { readonly state: string }): boolean {
  return state === 'waiting';
}

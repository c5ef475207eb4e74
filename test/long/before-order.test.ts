import { describe, expect, test } from 'vitest';
import { type Hands, stoppedBefore } from '../kills/before-order/stopped.ts';
import { ordersTo } from '../orders.ts';
import { everyNth } from '../size.ts';

const minute = 60_000;

/** What people do until the bot is about to send an order, of each kind of order that there is. */
interface Story {
  readonly name: string;
  readonly before: RegExp;
  /** Which of those orders, from 1. */
  readonly number?: number;
  readonly plays: (at: Hands) => Promise<unknown>;
  /** So many minutes go by afterwards. */
  readonly passes?: number;
  /** All orders that the appliance has got in the end, besides compiles. */
  readonly sent: readonly string[];
  /** What the one that is left may order to be sure. */
  readonly toBeSure?: string;
  /** What people read in the end. */
  readonly told: RegExp;
}

const disable = 'acl object disable google_sni';
const sent = {
  disable: 'GET /proxy/acls/object/disable/{objectId}',
  enable: 'GET /proxy/acls/object/enable/{objectId}',
  emergency: '- /emergency_enable',
};
/** The bot that was killed says nothing, and the one that was frozen knows that it sent nothing. */
const notSent = /It has not happened so far|It sent nothing more to hq/;
const sites = Array.from({ length: 501 }, (_, index) => `site-${index}.example`).join(' ');

async function enableEmergency({ type, press }: Hands): Promise<void> {
  await type('bob', 'emergency enable --for 30m --reason "directory down"');
  await press('carol', 'Approve');
}

const orders: readonly Story[] = [
  {
    name: 'a confirmed change (POST)',
    before: /^POST \/rdpproxy\/sessions\/12\/disconnect/,
    plays: async ({ type, press }) => {
      await type('bob', 'rdp disconnect 12');
      await press('bob', 'Disconnect');
    },
    ...{ sent: [], told: notSent },
  },
  {
    name: 'a deletion (DELETE)',
    before: /^DELETE \/rdpproxy\/policies/,
    plays: async ({ type, press }) => {
      await type('dana', 'rdp policy delete "Legacy access"');
      await press('dana', 'Delete');
    },
    ...{ sent: [], told: notSent },
  },
  {
    name: 'a change that can be undone (GET)',
    before: /^GET \/proxy\/acls\/object\/disable/,
    plays: ({ type }) => type('bob', disable),
    ...{ sent: [], told: notSent },
  },
  {
    name: 'the second order of one change (PUT)',
    before: /^PUT \/proxy\/acls\/record\/add/,
    number: 2,
    plays: ({ type }) => type('dana', 'acl record add 12 example.com, example.org --note "ticket 4711"'),
    sent: ['PUT /proxy/acls/record/add/{objectId}'],
    told: /only 1 of 2 new ones are there. Missing: example.org/,
  },
  {
    name: 'a list of hundreds (POST)',
    before: /^POST \/categories\/252\/add/,
    plays: async ({ type, press }) => {
      await type('bob', `category add ${sites} to 252`);
      await press('bob', 'Add');
    },
    ...{ sent: [], told: notSent },
  },
  {
    // After the intent was written down, and long before the order.
    name: 'a list that is still looked up',
    before: /^GET \/categories\/query\//,
    number: 300,
    plays: async ({ type, press }) => {
      await type('bob', `category add ${sites} to 252`);
      await press('bob', 'Add');
    },
    ...{ sent: [], told: /No changes were made/ },
  },
  {
    name: 'the beginning of a temporary change',
    before: /^GET \/proxy\/acls\/object\/disable/,
    plays: ({ type }) => type('bob', `${disable} --for 10m`),
    passes: 12,
    sent: [],
    told: /showed that it was not on|It sent nothing more to hq/,
  },
  {
    name: 'the end of a temporary change',
    before: /^GET \/proxy\/acls\/object\/enable/,
    plays: async ({ type, pass }) => {
      await type('bob', `${disable} --for 10m`);
      for (let half = 0; half < 2; half += 1) await pass(6 * minute);
    },
    passes: 12,
    // By the one that is left.
    sent: [sent.disable, sent.enable],
    told: /Ended and undone: ACL object google_sni disabled/,
  },
  {
    name: 'an undo',
    before: /^GET \/proxy\/acls\/object\/enable/,
    plays: async ({ type, press }) => {
      await type('bob', disable);
      await press('bob', 'Undo');
    },
    sent: [sent.disable],
    told: notSent,
  },
  {
    name: 'a planned change at its time',
    before: /^GET \/proxy\/acls\/object\/disable/,
    plays: async ({ type, pass }) => {
      await type('bob', `${disable} --at "in 1h"`);
      for (const minutes of [60, 1]) await pass(minutes * minute);
    },
    passes: 60,
    sent: [],
    told: /this was planned and (?:may have happened or not|failed)/,
  },
  {
    name: 'the second line of a plan',
    before: /^GET \/categories\/207\/shop/,
    plays: async ({ type, press }) => {
      await type('bob', `plan\n${disable}\ncategory add shop.example.net to 207`);
      await press('bob', 'Run plan');
    },
    sent: [sent.disable],
    told: /Plan stopped at line 2/,
  },
  {
    name: 'emergency mode',
    before: /^\w+ \/emergency_enable/,
    plays: enableEmergency,
    passes: 31,
    sent: [],
    // It may be on for all that the bot knows.
    toBeSure: '- /emergency_disable',
    told: /Emergency mode on hq (?:is over|was ended)|It sent nothing more to hq/,
  },
  {
    name: 'the end of emergency mode',
    before: /^\w+ \/emergency_disable/,
    plays: async (at) => {
      await enableEmergency(at);
      await at.pass(31 * minute);
    },
    passes: 31,
    // By the one that is left.
    sent: [sent.emergency, '- /emergency_disable'],
    told: /Emergency mode on hq is over/,
  },
];

/** Of a compile nobody knows whether it was sent: it is sent by the one that is left, and once. */
const compile: Story = {
  name: 'a compile',
  before: /^\w+ \/proxy\/acls\/compile/,
  plays: async ({ type, pass }) => {
    await type('bob', disable);
    await pass(minute);
  },
  sent: [sent.disable, '- /proxy/acls/compile'],
  told: /hq says that it has compiled the ACLs/,
};

/** Plays it, and resolves to what was ordered and told when all has come to its end. */
async function ending({ before, number = 1, plays, passes = 0 }: Story, signal: 'SIGKILL' | 'SIGSTOP') {
  const house = await stoppedBefore({ before, number }, signal);
  await plays(house.at);
  await house.hasStopped();
  const first = ordersTo(house.appliance).length;
  await house.missIt();
  await house.pass(passes * minute);
  // What was to be ordered by the other one has been: whatever comes now is too much.
  if (signal === 'SIGSTOP') await house.wake();
  await house.pass(minute);
  return { first, sent: ordersTo(house.appliance), read: house.read('bob') };
}

const isCompile = (order: string) => order.endsWith('/compile');

describe.each([
  ['is killed', 'SIGKILL'],
  ['is frozen, missed and woken', 'SIGSTOP'],
] as const)('a bot that %s right before its order leaves does not send', (_, signal) => {
  // Of the killed and of the frozen ones others are tried.
  const every = everyNth(3);
  const tried = orders.filter((_, index) => index % every === (signal === 'SIGKILL' ? 0 : every - 1));

  test.each(tried)('$name', async (story) => {
    const { sent, read } = await ending(story, signal);
    const others = sent.filter((order) => !isCompile(order) && order !== story.toBeSure);
    expect(others).toEqual(story.sent);
    expect(read).toMatch(story.told);
  });

  test('a compile, which the other one sends', async () => {
    const { first, sent, read } = await ending(compile, signal);
    expect(first).toBe(1);
    expect(sent).toEqual(compile.sent);
    expect(read).toMatch(compile.told);
  });
});

import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { policyTool } from '../cli/policy/policy.ts';
import { sandboxRoles } from '../sandbox/sandbox.ts';
import { consentOf } from '../src/action/base/consent.ts';
import { shippedRoles } from '../src/auth/policy.ts';
import type { Action } from '../src/journal/journal.ts';
import { newest } from './asking.ts';
import { type Conversation, converse } from './conversation.ts';
import { seeded } from './seeded.ts';

/**
 * Whether what `policy explain` says is what happens: generated policies, and under each of them generated lines, which
 * are typed to a running bot and explained by the tool from the same file.
 */
export async function expectAgreement(policies: number, linesEach: number, seed: number): Promise<void> {
  const random = seeded(seed);
  const differences: unknown[] = [];
  const outcomes = new Map<string, number>();
  const verdicts = new Set<string>();
  for (let number = 0; number < policies; number += 1) {
    const policy = policyBy(random);
    const house = await converse({ branches: 1, policy });
    for (let count = 0; count < linesEach; count += 1) {
      const line = lineBy(random);
      const [done, said] = [await happened(house, line), await explained(house, line)];
      outcomes.set(kindOf(said), (outcomes.get(kindOf(said)) ?? 0) + 1);
      // An older appliance cannot look up all of it, and says so before anybody is asked to agree.
      if (!isSaid(done, said) && done !== 'refused not_available')
        differences.push({ line, done, said, policy: JSON.stringify(policy) });
      const can = /^(acl records|category show) /.test(line) ? await toldByCan(house, line) : undefined;
      if (can !== undefined) verdicts.add(can);
      if (can !== undefined && can !== verdictOf(said))
        differences.push({ line, can, said, policy: JSON.stringify(policy) });
    }
    await house.stop();
  }
  expect(differences).toEqual([]);
  // Each way that it can end came up.
  expect([...outcomes.keys()].toSorted()).toEqual(['allowed', 'approval', 'depends', 'refused']);
  expect([...verdicts]).toEqual(expect.arrayContaining(['No', 'Yes']));
}

/** Thursday, 5 March 2026, 13:30 in UTC, which is the policy's time zone here. */
const from = Date.UTC(2026, 2, 5, 13, 30);
const bot = 'U0THEAPP01';
const category = 207;

/** The approvals that others must give, by role; or the code of a refusal. */
type Demands = ReadonlyMap<string, number> | string;

/** Changes that bob wants, under a policy that may demand something for them. */
interface Wish {
  readonly policy: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
  /** The same effects as so few lines as they can be typed in; none where one line cannot have them. */
  readonly merged: readonly string[] | undefined;
  /** Options at the end of each line. */
  readonly options: string;
}

/** How something gets in. Undefined where it did not come that far: what was before it was not let through. */
interface Way {
  readonly of: 'one' | 'several' | 'taken back';
  /** By a step of a workflow, too. */
  readonly steps?: true;
  /** When it is to run; now, where it says none. */
  readonly at?: '18:00';
  /** It refuses by words, or by an input, and not by a code that is kept. */
  readonly isCoarse?: true;
  readonly put: (house: Conversation, wish: Wish, asks: Asks) => Promise<Demands | undefined>;
}

/** As bob types it, or as his workflow asks it. */
type Asks = (line: string) => Promise<unknown>;

const listed = ({ lines, options }: Wish, start = '') => `plan${start}${options}\n${lines.join('\n')}`;

/** Each way in, with what it brings in; what a workflow asks, it asks in the bot's own name. */
const ways: Readonly<Record<string, Way>> = {
  typed: {
    of: 'one',
    steps: true,
    put: (house, { lines: [line], options }, asks) => put(house, () => asks(`${line}${options}`)),
  },
  'in a direct message': {
    of: 'one',
    put: (house, { lines: [line], options }) =>
      put(house, () => house.write(`${line}${options}`, 'bob', 'appliance-bot')),
  },
  again: {
    of: 'one',
    put: async (house, { lines: [line], options }, asks) => {
      await asks(`${line}${options}`);
      return repeat(house, asks);
    },
  },
  form: {
    of: 'one',
    isCoarse: true,
    put: (house, wish) =>
      put(house, () => fillIn(house, wish, () => house.type('/appliance category add', 'bob'))),
  },
  'button on Home': {
    of: 'one',
    isCoarse: true,
    put: (house, wish) =>
      put(house, () =>
        fillIn(house, wish, async () => {
          await house.person('bob').openHome();
          await house.press('category add', 'bob', 'home');
        }),
      ),
  },
  planned: {
    of: 'one',
    steps: true,
    at: '18:00',
    put: (house, { lines: [line], options }, asks) => put(house, () => asks(`${line}${options} --at 18:00`)),
  },
  moved: {
    of: 'one',
    steps: true,
    at: '18:00',
    isCoarse: true,
    put: async (house, { lines: [line], options }, asks) => {
      await asks(`${line}${options} --at 23:00`);
      return move(house, () => house.type('/appliance reschedule 1 to 18:00', 'bob'));
    },
  },
  'moved on Home': {
    of: 'one',
    at: '18:00',
    isCoarse: true,
    put: async (house, { lines: [line], options }, asks) => {
      await asks(`${line}${options} --at 23:00`);
      return move(house, async () => {
        const bob = house.person('bob');
        await bob.openHome();
        await house.press('Change the time…', 'bob', 'home');
        await bob.fill({ 'Run at': '18:00' });
        await bob.submit();
      });
    },
  },
  plan: { of: 'several', steps: true, put: (house, wish, asks) => put(house, () => asks(listed(wish))) },
  'plan without the word': {
    of: 'several',
    steps: true,
    put: (house, { lines, options }, asks) =>
      put(house, () => asks(lines.map((line) => `${line}${options}`).join('; '))),
  },
  'plan in a file': {
    of: 'several',
    put: (house, { lines, options }) =>
      put(house, () =>
        house.attach(
          `@appliance-bot plan${options}`,
          { name: 'lines.txt', content: Buffer.from(lines.join('\n')) },
          'bob',
        ),
      ),
  },
  'plan again': {
    of: 'several',
    put: async (house, wish, asks) => {
      await asks(listed(wish));
      return repeat(house, asks);
    },
  },
  'planned plan': {
    of: 'several',
    steps: true,
    at: '18:00',
    put: (house, wish, asks) => put(house, () => asks(listed(wish, ' --at 18:00'))),
  },
  'moved plan': {
    of: 'several',
    steps: true,
    at: '18:00',
    isCoarse: true,
    put: async (house, wish, asks) => {
      await asks(listed(wish, ' --at 23:00'));
      return move(house, () => house.type('/appliance reschedule 1 to 18:00', 'bob'));
    },
  },
  'rolled back': {
    of: 'taken back',
    isCoarse: true,
    put: async (house, wish, asks) => {
      await asks(listed({ ...wish, options: '' }));
      if ((await newestChange(house))?.state !== 'waiting') return undefined;
      await house.press('Run plan', 'bob');
      return put(house, () => house.press('Undo', 'bob'));
    },
  },
};

/** By their names, those of a workflow's step beside those of people. */
export const waysIn: readonly string[] = Object.entries(ways).flatMap(([name, { steps }]) => [
  name,
  ...(steps ? [`${name} of a step`] : []),
]);

/**
 * Whether each way in is asked for what `policy explain` says of the same effects, and, of what no single line says, for what a plan is
 * asked for that is typed. Of what a workflow asks for one more is wanted of others, because nobody knows who has started it.
 */
export async function expectSameDemands(policies: number, seed: number): Promise<ReadonlySet<string>> {
  const random = seeded(seed);
  const differences: unknown[] = [];
  const seen = new Set<string>();
  for (let number = 0; number < policies; number += 1) {
    const wish = wishBy(random);
    const taken = takenBack(wish);
    const typed = new Map<string, Demands | undefined>();
    for (const [name, way] of Object.entries(ways))
      for (const isStep of way.steps ? [false, true] : [false]) {
        const own = way.of === 'taken back' ? taken : wish;
        const house = await converse({ from, policy: own.policy });
        const done = await way.put(house, own, (line) =>
          isStep ? runStep(house, line) : house.type(`/appliance ${line}`, 'bob'),
        );
        const together = typed.get(way.at ?? '');
        if (!isStep && (name === 'plan' || name === 'planned plan')) typed.set(way.at ?? '', done);
        const said = (await saidOf(way, house, own, isStep)) ?? (way.of === 'several' ? together : undefined);
        await house.stop();
        if (done === undefined || said === undefined) continue;
        const [is, must] = [done, isStep ? oneMore(said) : said].map((one) => inWords(one, way));
        if (is !== must)
          differences.push({ way: name, isStep, is, must, ...own, policy: JSON.stringify(own.policy) });
        seen.add(
          `${name}${isStep ? ' of a step' : ''}: ${is === '' ? 'free' : is?.startsWith('refused') ? 'refused' : 'approval'}`,
        );
      }
  }
  expect(differences).toEqual([]);
  return seen;
}

/** The demands by `policy explain`. Undefined where no single line does the same. */
async function saidOf(
  way: Way,
  house: Conversation,
  { lines, merged, options }: Wish,
  isStep: boolean,
): Promise<Demands | undefined> {
  // The bot asks people with the role to run a step that it may not run itself.
  const by = isStep
    ? { user: 'U0DANA0001', group: 'S0ADMINS01' }
    : { user: 'U0BOB00001', group: 'S0OPERATOR' };
  const start = way.at === undefined ? '' : ` --at ${way.at}`;
  const same = way.of === 'one' ? lines.slice(0, 1) : merged;
  if (same === undefined) return undefined;
  const each = await Promise.all(
    same.map((line) => explained(house, `${line}${options}${start}`, { ...{ by, now: () => from } })),
  );
  // Where that hangs on what only the appliance knows, it is compared by itself (`expectAgreement`).
  if (each.some((one) => one.startsWith('depends'))) return undefined;
  const refused = each.find((one) => one.startsWith('refused'));
  if (refused !== undefined) return way.of === 'one' ? refused : 'refused plan_refused';
  return strictest(each);
}

/** The needs of all of them together, each as often as the strictest says. */
function strictest(each: readonly string[]): Demands {
  const counts = new Map<string, number>();
  for (const [, count, by = ''] of each.flatMap((one) => [...one.matchAll(/(\d+) of ([a-z-]+)/g)]))
    counts.set(by, Math.max(counts.get(by) ?? 0, Number(count)));
  return counts;
}

const oneMore = (demands: Demands): Demands =>
  typeof demands === 'string' ? demands : new Map([...demands].map(([by, count]) => [by, count + 1]));

function inWords(demands: Demands, { isCoarse }: Way): string {
  if (typeof demands === 'string') return isCoarse ? 'refused' : demands;
  return [...demands]
    .map(([by, count]) => `${count} of ${by}`)
    .toSorted()
    .join(', ');
}

/** The demands of the change that this makes; or the refusal of a form. */
async function put(house: Conversation, act: () => Promise<unknown>): Promise<Demands | undefined> {
  const before = await newestChange(house);
  const refused = await act();
  if (typeof refused === 'string' && /^refused/.test(refused)) return refused;
  const after = await newestChange(house);
  return after === undefined || after.id === before?.id ? undefined : demandsOf(after);
}

const newestChange = async ({ bot: running }: Conversation): Promise<Action | undefined> =>
  (await running.journal.recent(20)).find(
    ({ phrase, interaction }) => interaction === undefined && /^(?:category|acl|plan)\b/.test(phrase ?? ''),
  );

/** The approvals that it waits for, beside a person who may run it; or the refusal. */
function demandsOf(action: Action): Demands {
  const { state, outcome } = action;
  if (state === 'refused' || state === 'failed') return `refused ${outcome?.code}`;
  const needs = (consentOf(action)?.needs ?? []).filter(({ delegates }) => !delegates);
  return new Map(needs.map(({ by, count }) => [by.join(' or '), count]));
}

/** Moves a change that was planned for the night, when it needs no approval. */
async function move(house: Conversation, act: () => Promise<unknown>): Promise<Demands | undefined> {
  const asked = await newestChange(house);
  if (asked?.state === 'waiting' && asked.consent === undefined) await house.press('Plan', 'bob');
  else if (asked?.state === 'waiting') await agree(house);
  const before = await newestChange(house);
  if (before?.state !== 'planned') return undefined;
  await act();
  const after = await newestChange(house);
  if (after === undefined) return undefined;
  return after.state === 'planned' && after.runAt === before.runAt ? 'refused' : demandsOf(after);
}

/** It is taken back, and the button of `again` pressed. */
async function repeat(house: Conversation, asks: (line: string) => Promise<unknown>) {
  const asked = await newestChange(house);
  if (asked?.state !== 'waiting') return undefined;
  await house.press(asked.consent === undefined ? 'Cancel' : 'Withdraw', 'bob');
  await asks('again');
  // It is called by the line, which is cut.
  const [, label = ''] = /\[(.+)\]$/m.exec(newest(house.read('bob'))) ?? [];
  return put(house, () => house.press(label, 'bob'));
}

/** The form of a line is filled in and sent. */
async function fillIn(
  { person }: Conversation,
  { lines: [line = ''], options }: Wish,
  open: () => Promise<unknown>,
) {
  const [, sites] = /^category add (.*) to/.exec(line) ?? [];
  if (sites === undefined || options.includes('--for')) return undefined;
  await open();
  const bob = person('bob');
  const fields = new Set(bob.form()?.fields.map(({ label }) => label));
  if (fields.size === 0) return 'refused';
  await bob.fill({ Site: sites.replaceAll(' ', '\n') });
  // Nothing is offered with which it would be refused.
  if ((await bob.search('Category', String(category))).length === 0) return 'refused';
  await bob.fill({ Category: String(category) });
  for (const [label, option] of [
    ['Reason', 'reason'],
    ['Ticket', 'ticket'],
  ] as const) {
    const [, given] = new RegExp(`--${option} (\\S+)`).exec(options) ?? [];
    if (given !== undefined && fields.has(label)) await bob.fill({ [label]: given });
  }
  await bob.submit();
  return Object.keys(bob.form()?.errors ?? {}).length > 0 ? 'refused' : undefined;
}

async function runStep({ workspace, bot: running }: Conversation, change: string): Promise<void> {
  const inputs = { change, channel: 'C0HELPDESK' };
  await workspace.act({ act: 'run_step', as: 'U0BOB00001', function: 'ask_for_change', inputs });
  await running.idle();
}

/** Somebody who may run it stands behind what a workflow asks for. */
async function agree({ press }: Conversation): Promise<void> {
  const shown = await press('Approve', 'bob');
  if (shown.includes('[Yes, approve]')) await press('Yes, approve', 'bob');
}

/** Sites are added, objects disabled, and sites moved: what that is the same as is only said by the policy. */
function linesBy(random: Random, isFew: boolean): Pick<Wish, 'lines' | 'merged'> {
  const adds = Array.from({ length: Math.floor(random() * 4) }, (_, line) =>
    ['a', 'b'].slice(Math.floor(random() * 2)).map((name) => `${name}${line}.example.net`),
  );
  const others = some(random, ['acl object disable 3', 'acl object disable 6'], 0.3);
  const moves = isFew ? [] : some(random, ['category move example.com from 252 to 257'], 0.2);
  const lines = [
    ...adds.map((sites) => `category add ${sites.join(' ')} to ${category}`),
    ...others,
    ...moves,
  ];
  if (lines.length === 0) return linesBy(random, isFew);
  const all = adds.flat();
  const add = all.length === 0 ? [] : [`category add ${all.join(' ')} to ${category}`];
  return { lines, merged: moves.length > 0 ? undefined : [...add, ...others] };
}

function wishBy(random: Random): Wish {
  const covered = () =>
    pick(random, [
      ...[{ phrase: 'category add' }, { phrase: 'category add', above: 1 + Math.floor(random() * 4) }],
      ...[{ phrase: 'category delete' }, { phrase: 'category delete', above: 1 + Math.floor(random() * 3) }],
      ...[
        { phrase: 'acl object disable' },
        { phrase: 'acl object enable' },
        { area: 'acl' },
        { area: 'category' },
      ],
    ]);
  const approval = () => ({
    ...{ commands: [covered()], by: pick(random, ['approver', 'admin']), count: pick(random, [1, 2]) },
    // At night it is planned without, and in the day it is wanted.
    not_needed: ['22:00-05:00'],
    ...(random() < 0.25 && { reason: { pattern: '^INC-[0-9]+', example: 'INC-4711' } }),
    ...(random() < 0.1 && { not_possible: ['13:00-14:00'] }),
  });
  const hours = pick(random, [
    ['17:30', '19:00'],
    ['13:00', '14:00'],
  ]);
  const freeze = {
    ...{ from: `2026-03-05T${hours[0]}`, to: `2026-03-05T${hours[1]}`, reason: 'quarter end' },
    ...(random() < 0.5 && { commands: [covered()] }),
  };
  const most = pick(random, [1, 2, 3, 5]);
  const few = [
    ...[{ phrase: 'category add', most }, { phrase: 'category delete' }, { phrase: 'category move' }],
    ...[{ area: 'acl' }, { area: 'plan' }],
  ];
  const isFew = random() < 0.3;
  return {
    policy: {
      roles: { few: { summary: 'does a few at once', commands: few } },
      approvals: Array.from({ length: Math.floor(random() * 4) }, approval),
      ...(random() < 0.25 && { freezes: { closing: freeze } }),
      ...(random() < 0.3 && {
        tickets: { required: [{ commands: [covered()] }], pattern: '^CHG-[0-9]+$', example: 'CHG-7' },
      }),
      ...servedBy(isFew ? { operator: [], few: ['U0BOB00001', bot] } : { operator: ['U0BOB00001', bot] }),
    },
    ...linesBy(random, isFew),
    options: ['--ticket CHG-7', '--reason INC-7', '--for 2h']
      .filter((option) => random() < (option === '--for 2h' ? 0.2 : 0.6))
      .map((option) => ` ${option}`)
      .join(''),
  };
}

/** The bot holds a role by name, so that a step of a workflow may ask for changes. */
const servedBy = (roles: object) => ({
  channels: {
    C0HELPDESK: {
      name: 'helpdesk',
      appliance: 'hq',
      roles: { ...sandboxRoles, viewer: 'everyone', ...roles },
    },
  },
});

const inverse = (text: string): string =>
  text
    .replaceAll('category add', 'category delete')
    .replace(' to ', ' from ')
    .replaceAll('disable', 'enable');
const isAboutDoing = (rule: object): boolean => /category add|disable/.test(JSON.stringify(rule));

/** The same done without anybody, and what takes it back: that is kept from nobody by a freeze, and needs no ticket. */
function takenBack({ policy, lines, merged }: Wish): Wish {
  const { freezes: _, tickets: __, channels: ___, ...others } = policy;
  // The change needs no approval; its undo needs the approvals that the change needed.
  const turned = (one: object) => JSON.parse(inverse(JSON.stringify(one)));
  return {
    policy: {
      ...others,
      approvals: [policy.approvals ?? []].flat().filter(isAboutDoing).map(turned),
      ...servedBy({ operator: ['U0BOB00001', bot] }),
    },
    lines,
    merged: merged?.map(inverse),
    options: '',
  };
}

/** The verdict in the words of `can`, which tells the approvers and the reason of a refusal separately. */
const verdictOf = (said: string): string =>
  /^refused (?:role_missing|argument|appliance)$/.test(said)
    ? 'No'
    : /^depends \(argument\)/.test(said)
      ? 'It depends'
      : 'Yes';

/** As somebody is told who may ask. Undefined where they may not either, or where no such place can be named. */
async function toldByCan(house: Conversation, line: string): Promise<string | undefined> {
  const said = await house.type(`/appliance can @alice ${line}`, 'dana');
  return /(Yes|No|It depends)\. @alice can/.exec(said.slice(said.lastIndexOf('(only visible to')))?.[1];
}

/** Whether it went as it was said, or one of the ways that were left open: then no other refusal, and no other approver. */
function isSaid(done: string, said: string): boolean {
  if (kindOf(said) !== 'depends') return done === said;
  const [, refusal = '', approvers = ''] = /^depends \((\w*)\) (.*)$/.exec(said) ?? [];
  if (kindOf(done) === 'refused') return done === `refused ${refusal}`;
  if (done === 'allowed' || approvers === 'may be needed') return true;
  return done
    .replace(/^approval /, '')
    .split(', ')
    .every((need) => approvers.includes(need));
}

const kindOf = (outcome: string): string => outcome.split(' ', 1)[0] ?? '';

type Random = () => number;
const pick = <Item>(random: Random, from: readonly Item[]): Item =>
  from[Math.floor(random() * from.length)] as Item;
const some = <Item>(random: Random, from: readonly Item[], share: number): readonly Item[] =>
  from.filter(() => random() < share);

/** Each is understood, finds what it names, and changes nothing by being typed. */
const lines: readonly string[] = [
  'categorize example.com',
  'category show 252',
  'category show 257',
  'category show shopping',
  'category show news',
  'acl records 3',
  'acl records 6',
  'acl records google_sni',
  'acl records office365_domains',
  'acl objects',
  'rdp sessions',
  'rdp disconnect 12',
  'acl object delete 12',
  'acl object disable 3 --dry-run',
  'acl object disable 6 --dry-run',
  'acl object disable google_sni --dry-run',
  'acl object disable office365_domains --dry-run',
  'audit',
  'audit --on hq',
  'timeline --since 2h',
  'audit everywhere',
  'can @bob rdp sessions',
  'whoami',
];
const wheres = ['', '', '', ' --on hq', ' --on branch-2', ' --on all', ' --on tag:prod', ' --on nowhere'];
const reasons = ['', '', ' --reason INC-7', ' --reason because'];

function lineBy(random: Random): string {
  const line = pick(random, lines);
  const place = pick(random, wheres);
  // An older appliance is left alone where others are asked as well, and its approvals with it.
  const where = line.includes('--on') || (line.startsWith('category') && place === ' --on all') ? '' : place;
  return `${line}${where}${pick(random, reasons)}`;
}

function ruleBy(random: Random): object {
  const place = pick(random, [{}, {}, { appliance: 'hq' }, { appliance: 'branch-2' }, { tag: 'prod' }]);
  const what = pick(random, [
    ...[{ effect: 'read' }, { effect: 'read' }, { effect: 'write' }, { effect: 'destructive' }],
    ...[{ area: 'rdp' }, { area: 'acl' }, { area: 'audit' }, { area: 'category', effect: 'read' }],
    ...[{ phrase: 'audit everywhere' }, { phrase: 'timeline' }, { phrase: 'rdp disconnect' }],
    { phrase: 'acl records', where: { object: [3] } },
    { phrase: 'category show', where: { category: [252] } },
    { phrase: 'acl object disable', where: { object: [3] } },
    { phrase: 'rdp disconnect', where: { session: [12] } },
  ]);
  return { ...what, ...place };
}

const rulesBy = (random: Random, most: number): readonly object[] =>
  Array.from({ length: 1 + Math.floor(random() * most) }, () => ruleBy(random));

function policyBy(random: Random): Readonly<Record<string, unknown>> {
  const own = ['first', 'second'];
  const people = ['U0ALICE001', 'U0BOB00001', 'everyone', 'S0HELPDESK'];
  const approval = () => ({
    commands: rulesBy(random, 2),
    by: pick(random, ['approver', 'first', 'admin']),
    count: pick(random, [1, 1, 2]),
    requester: random() < 0.2,
    reason: pick(random, [false, false, true, { pattern: '^INC-[0-9]+', example: 'INC-4711' }]),
    ...(random() < 0.3 && { requesters: some(random, [...own, 'viewer', 'operator'], 0.5).slice(0, 2) }),
    ...(random() < 0.15 && { not_possible: ['Mon-Sun'] }),
    ...(random() < 0.15 && { not_needed: ['Mon-Sun'] }),
  });
  const isWhole = (one: { readonly requesters?: readonly string[] }) => one.requesters?.length !== 0;
  const roles = [...own, 'viewer', 'operator', 'approver', 'admin'];
  return {
    roles: {
      ...Object.fromEntries(
        own.map((name) => [name, { summary: 'does some of it', commands: rulesBy(random, 4) }]),
      ),
      asker: { summary: 'asks who can', commands: [{ phrase: 'can' }] },
    },
    holders: { asker: ['U0DANA0001'] },
    approvals: Array.from({ length: Math.floor(random() * 4) }, approval).filter(isWhole),
    channels: {
      C0HELPDESK: {
        ...{
          name: 'helpdesk',
          appliance: pick(random, ['hq', 'branch-2']),
          appliances: pick(random, ['all', 'all', []]),
        },
        roles: Object.fromEntries(some(random, roles, 0.6).map((role) => [role, some(random, people, 0.4)])),
        ...(random() < 0.15 && { only: some(random, Object.keys(shippedRoles), 0.7) }),
      },
    },
  };
}

/** The verdict of the bot after the line was typed. */
async function happened(house: Conversation, line: string): Promise<string> {
  await house.type(`/appliance ${line}`);
  const [action] = await house.bot.journal.recent(1);
  if (action === undefined) return 'nothing';
  const { state, outcome, consent } = action;
  if (state === 'waiting') {
    await house.press(consent === undefined ? 'Cancel' : 'Withdraw');
    const needs = consentOf(action)?.needs ?? [];
    if (needs.length > 0)
      return `approval ${needs.map(({ by, count }) => `${count} of ${by.join(' or ')}`).join(', ')}`;
  }
  return state === 'refused' || state === 'failed' ? `refused ${outcome?.code}` : 'allowed';
}

/** The verdict of `policy explain`. */
async function explained(
  house: Conversation,
  line: string,
  { by, now } = { by: { user: 'U0ALICE001', group: 'S0HELPDESK' }, now: Date.now },
): Promise<string> {
  const config = join(dirname(house.data), 'appliance-bot.yml');
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const asked = ['explain', '--user', by.user, '--group', by.group, '--channel', 'C0HELPDESK'];
  await policyTool([...asked, '--config', config, line.replace('@bob', '<@U0BOB00001>')], {
    environment: {},
    write,
    complain: write,
    now,
  });
  const refused = /^Decision {2,}refused \((\w+)\)/m.exec(text)?.[1];
  if (refused !== undefined) return `refused ${refused}`;
  const doubtful = /^Decision {2,}depends on the object: .* or refused \((\w+)\)$/m.exec(text)?.[1];
  const [, isDoubtful, needed] = /^Approval {2,}(may be )?needed from (.*), within/m.exec(text) ?? [];
  const each = [...(needed ?? '').matchAll(/(\d+) of ([a-z-]+(?: or [a-z-]+)*) \(/g)]
    .map(([, count, by]) => `${count} of ${by}`)
    .join(', ');
  if (doubtful !== undefined) {
    const approval = /^Approval {2,}(.*)$/m.exec(text)?.[1] ?? '';
    return `depends (${doubtful}) ${approval === 'may be needed' ? approval : ''}`;
  }
  if (isDoubtful !== undefined) return `depends () ${each}`;
  if (needed !== undefined) return `approval ${each}`;
  if (!/^Decision {2,}allowed/m.test(text)) throw new Error(`Nothing is said of ${line}:\n${text}`);
  return 'allowed';
}

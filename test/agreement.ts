import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { policyTool } from '../cli/policy/policy.ts';
import { consentOf } from '../src/action/base/consent.ts';
import { shippedRoles } from '../src/auth/policy.ts';
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

/** What `can` would say of it: whose approval it takes, and why it cannot be given, it tells beside that. */
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

/** What came of a line, as far as authority goes. */
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

/** What the tool says of it. */
async function explained(house: Conversation, line: string): Promise<string> {
  const config = join(dirname(house.data), 'appliance-bot.yml');
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const asked = ['explain', '--user', 'U0ALICE001', '--group', 'S0HELPDESK', '--channel', 'C0HELPDESK'];
  await policyTool([...asked, '--config', config, line.replace('@bob', '<@U0BOB00001>')], {
    environment: {},
    write,
    complain: write,
    now: Date.now,
  });
  const refused = /^Decision {2}refused \((\w+)\)/m.exec(text)?.[1];
  if (refused !== undefined) return `refused ${refused}`;
  const doubtful = /^Decision {2}depends on what it is: .* or refused \((\w+)\)$/m.exec(text)?.[1];
  const [, isDoubtful, needed] = /^Approval {2}(may be )?needed from (.*), within/m.exec(text) ?? [];
  const each = [...(needed ?? '').matchAll(/(\d+) of ([a-z-]+(?: or [a-z-]+)*) \(/g)]
    .map(([, count, by]) => `${count} of ${by}`)
    .join(', ');
  if (doubtful !== undefined) {
    const approval = /^Approval {2}(.*)$/m.exec(text)?.[1] ?? '';
    return `depends (${doubtful}) ${approval === 'may be needed' ? approval : ''}`;
  }
  if (isDoubtful !== undefined) return `depends () ${each}`;
  if (needed !== undefined) return `approval ${each}`;
  return /^Decision {2}allowed/m.test(text) ? 'allowed' : text;
}

import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { consentOf } from '../src/action/base/consent.ts';
import { shippedRoles } from '../src/auth/policy.ts';
import { policyTool } from '../tools/policy.ts';
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
  for (let number = 0; number < policies; number += 1) {
    const policy = policyBy(random);
    const house = await converse({ branches: 1, policy });
    for (let count = 0; count < linesEach; count += 1) {
      const line = lineBy(random);
      const [done, said] = [await happened(house, line), await explained(house, line)];
      outcomes.set(kindOf(said), (outcomes.get(kindOf(said)) ?? 0) + 1);
      // An older appliance cannot look up all of it, and says so before anybody is asked to agree.
      if (done !== said && done !== 'refused not_available')
        differences.push({ line, done, said, policy: JSON.stringify(policy) });
    }
    await house.stop();
  }
  expect(differences).toEqual([]);
  // Each way that it can end came up.
  expect([...outcomes.keys()].toSorted()).toEqual(['allowed', 'approval', 'refused']);
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
  'acl records 3',
  'acl records 6',
  'acl objects',
  'rdp sessions',
  'rdp disconnect 12',
  'acl object delete 12',
  'acl object disable 3 --dry-run',
  'acl object disable 6 --dry-run',
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
  const where = line.includes('--on') ? '' : pick(random, wheres);
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
    roles: Object.fromEntries(
      own.map((name) => [name, { summary: 'does some of it', commands: rulesBy(random, 4) }]),
    ),
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
    now: Date.now,
  });
  const refused = /^Decision {2}refused \((\w+)\)/m.exec(text)?.[1];
  if (refused !== undefined) return `refused ${refused}`;
  const needed = /^Approval {2}needed from (.*), within/m.exec(text)?.[1];
  if (needed === undefined) return /^Decision {2}allowed/m.test(text) ? 'allowed' : text;
  const each = [...needed.matchAll(/(\d+) of ([a-z-]+(?: or [a-z-]+)*) \(/g)].map(
    ([, count, by]) => `${count} of ${by}`,
  );
  return `approval ${each.join(', ')}`;
}

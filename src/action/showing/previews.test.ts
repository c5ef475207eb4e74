import { expect, test } from 'vitest';
import { renderCard } from '../../bot/rendering/cards.ts';
import type { AnyChange } from '../../handlers/command.ts';
import { type Field, plainText, say, strong, type Text } from '../../handlers/reply.ts';
import type { TargetPreview } from '../target/target.ts';
import { inOneLine, showLooks } from './previews.ts';

// Only these are looked at here.
const command = {
  verb: 'Delete',
  args: {},
  doing: ({ id }: { readonly id: number }) => say`Deleting ACL object ${id}`,
} as unknown as AnyChange;
const looked = (appliance: string, question: Text, fields: readonly Field[], id = 3): TargetPreview =>
  ({
    kind: 'ready',
    resolved: { appliance: { name: appliance }, args: { id } },
    preview: { kind: 'ready', question, fields, fingerprint: {} },
  }) as unknown as TargetPreview;
const ready = (name: string, index: number): TargetPreview =>
  looked(name, say`Delete ACL object google_sni?`, [
    { name: 'Rules that use it', value: say`${index}${', Staff'.repeat(20)}` },
  ]);
const leftAlone = (appliance: string): TargetPreview => ({
  kind: 'fault',
  appliance,
  fault: { code: 'nothing_to_act_on', why: say`It is not there.` },
});
const branches = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `branch-office-${from + index}`);
const textOf = (looks: readonly TargetPreview[]): string =>
  (showLooks(command, looks)?.fields ?? [])
    .map(({ name, value }) => `${name}: ${plainText(value)}`)
    .join('\n');

test('a change on a few appliances shows each with what it hits there', () => {
  const text = textOf([...branches(0, 3).map(ready), leftAlone('branch-office-3')]);
  expect(text.match(/Rules that use it: \d, Staff/g)).toHaveLength(3);
  expect(text).toMatch(/^branch-office-3: skipped: It is not there/m);
  expect(text).not.toContain('more');
});

test('a change on 250 appliances names every one on the card, and which of them are left alone', () => {
  const looks = [...branches(0, 200).map(ready), ...branches(200, 250).map(leftAlone)];
  const text = textOf(looks);
  expect(text).toMatch(/^On 1\d\d more: branch-office-\d+, .*branch-office-199$/m);
  expect(text).toMatch(/^Left alone: 50 more: branch-office-200, .*branch-office-249$/m);
  const card = renderCard({
    kind: 'change',
    action: 'a1',
    channel: 'C1',
    card: undefined,
    at: 0,
    state: 'waiting',
    asker: 'U1',
    line: 'acl object delete google_sni --on all',
    appliances: branches(0, 250),
    headline: say`Delete on 200 appliances?`,
    parts: [{ kind: 'fields', fields: showLooks(command, looks)?.fields ?? [] }],
  });
  const shown = JSON.stringify(card.blocks);
  expect(shown).not.toContain('not shown');
  for (const name of branches(0, 250)) expect(shown).toContain(name);
});

const shown = (...looks: readonly TargetPreview[]): string => {
  const { question = [], fields = [] } = showLooks(command, looks) ?? {};
  return [plainText(question), ...fields.map(({ name, value }) => `${name}: ${plainText(value)}`)].join('\n');
};
const audit = { name: 'Audit trail', value: say`noted` };

test('what is the same on every appliance stands once, and the question says what is changed', () => {
  const opened = (appliance: string) =>
    looked(appliance, say`Open ${strong(appliance)} for ${strong('30 min')}?`, [audit]);
  expect(shown(opened('hq'), opened('branch-2'))).toBe(
    'Open 2 appliances for 30 min?\nOn: hq, branch-2\nAudit trail: noted',
  );
  const same = (appliance: string) => looked(appliance, say`Delete ACL object google_sni?`, [audit]);
  expect(shown(same('hq'), same('branch-2'), leftAlone('branch-3'))).toBe(
    'On 2 appliances: Delete ACL object google_sni? 1 other is skipped.\nOn: hq, branch-2\nbranch-3: skipped: It is not there. No changes were made.\nAudit trail: noted',
  );
});

test('where only one is left, it is named in the question', () => {
  expect(shown(looked('hq', say`Delete ACL object google_sni?`, [audit]), leftAlone('branch-3'))).toBe(
    'On hq: Delete ACL object google_sni? 1 other is skipped.\nbranch-3: skipped: It is not there. No changes were made.\nAudit trail: noted',
  );
});

test('where the questions differ the command says what it does, and only what no field tells is repeated', () => {
  const of = (appliance: string, owner: string, records: string) =>
    looked(appliance, say`Delete object 3 of ${strong(owner)}?`, [
      { name: 'Owner', value: say`${owner}` },
      { name: 'Records', value: say`${records}` },
      audit,
    ]);
  expect(shown(of('hq', 'bob', '4'), of('branch-2', 'eve', '4'))).toBe(
    'Deleting ACL object 3 on 2 appliances: go ahead?\nhq: Owner: bob\nbranch-2: Owner: eve\nRecords: 4\nAudit trail: noted',
  );
  const counted = (appliance: string, count: number) =>
    looked(appliance, say`Delete object 3 with ${strong(`${count} records`)}?`, [audit]);
  expect(shown(counted('hq', 4), counted('branch-2', 5))).toContain(
    'hq: Delete object 3 with 4 records?\nbranch-2: Delete object 3 with 5 records?\nAudit trail',
  );
});

test('what the question says word for word is left out; a bare number, and whatever says more, stays', () => {
  const question = say`Disconnect session ${strong('12')} of ${strong('bob.miller')} on ${strong('srv-files-01')}?`;
  const fields = [
    { name: 'Person', value: say`bob.miller` },
    { name: 'Target', value: say`srv-files-01` },
    { name: 'Sessions', value: say`12` },
    { name: 'Login', value: say`bob` },
    { name: 'Target', value: say`srv-files-01 (10.20.0.4)` },
    { name: 'From', value: say`10.20.6.71` },
  ];
  expect(plainText(inOneLine(question, fields))).toBe(
    'Disconnect session 12 of bob.miller on srv-files-01? Sessions: 12; Login: bob; Target: srv-files-01 (10.20.0.4); From: 10.20.6.71',
  );
});

test('where even what is hit differs, each appliance says its own', () => {
  expect(
    shown(
      looked('hq', say`Delete ${strong('a')}?`, [{ name: 'Name', value: say`a` }], 3),
      looked('branch-2', say`Delete ${strong('b')}?`, [{ name: 'Name', value: say`b` }], 4),
    ),
  ).toBe('Delete on 2 appliances?\nhq: Delete a?\nbranch-2: Delete b?');
});

test('every name stands there, however many appliances are asked the same', () => {
  const names = branches(0, 600);
  const text = shown(...names.map((name) => looked(name, say`Delete ACL object google_sni?`, [audit])));
  expect(text).not.toContain('Left alone');
  for (const name of names) expect(text).toContain(name);
});

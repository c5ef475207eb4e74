import { describe, expect, test } from 'vitest';
import { subjectOf } from '../../test/policy.ts';
import { anyValue, type RequestedCommand } from './request.ts';
import { covers, isCertain, type Rule, touches } from './rule.ts';

const add = subjectOf({ name: 'category add', area: 'category', effect: 'write', open: false });
const adding = (args: Readonly<Record<string, unknown>>): RequestedCommand => ({ ...add, args });

describe('a rule covers', () => {
  test.each<readonly [string, Rule, boolean]>([
    ['its area', { area: 'category' }, true],
    ['no other area', { area: 'cat' }, false],
    ['its effect', { effect: 'write' }, true],
    ['no other effect', { effect: 'read' }, false],
    ['its exact phrase', { phrase: 'category add' }, true],
    ['no phrase that begins like it', { phrase: 'category' }, false],
    ['no phrase that it begins like', { phrase: 'category add now' }, false],
    ['what meets both conditions', { area: 'category', effect: 'write' }, true],
    ['nothing that meets one of two', { area: 'category', effect: 'destructive' }, false],
    ['nothing without a condition', {}, false],
    ['nothing by an argument alone', { where: { category: [252] } }, false],
  ])('%s', (_, rule, expected) => {
    expect(covers(rule, add)).toBe(expected);
    expect(touches(rule, add)).toBe(expected);
  });

  test('a command whose effect the document leaves open only by that effect', () => {
    const unknown = subjectOf({ ...add, effect: 'unknown' });
    expect(covers({ effect: 'destructive' }, unknown)).toBe(false);
    expect(covers({ effect: 'unknown' }, unknown)).toBe(true);
  });
});

describe('a rule of some appliances', () => {
  const hq = { name: 'hq', tags: ['prod', 'europe'] };
  const branch = { name: 'branch', tags: ['europe'] };

  test.each<readonly [string, Rule, RequestedCommand['appliance'], boolean, boolean]>([
    ['the one it names', { appliance: 'hq' }, hq, true, true],
    ['no other', { appliance: 'hq' }, branch, false, false],
    ['those with its tag', { tag: 'europe' }, branch, true, true],
    ['none without it', { tag: 'prod' }, branch, false, false],
    ['one that meets both', { appliance: 'hq', tag: 'prod' }, hq, true, true],
    ['none that meets one of two', { appliance: 'branch', tag: 'prod' }, branch, false, false],
    ['what is not known yet', { appliance: 'hq' }, 'any', true, true],
    // A role for one appliance must not read of all; a rule that guards one must guard answers about all.
    ['what tells of all, for care alone', { appliance: 'hq' }, 'every', false, true],
    ['nothing that asks none', { tag: 'prod' }, 'none', false, false],
    ['all, where it names none', {}, branch, true, true],
  ])('holds for %s', (_, place, appliance, given, guarded) => {
    const rule = { phrase: 'category add', ...place };
    const subject = { ...add, appliance };
    expect([covers(rule, subject), touches(rule, subject)]).toEqual([given, guarded]);
  });
});

describe('a limit on an argument', () => {
  const limited: Rule = { phrase: 'category add', where: { category: [252, '7'] } };

  test.each<readonly [string, unknown]>([
    ['a number', 252],
    ['the number as a word', '252'],
    ['a number that the file has as a word', 7],
    ['what the appliance lists, by its ID', { id: 252, name: 'News' }],
    ['several that are all among them', [252, { id: '7', name: 'Sport' }]],
  ])('lets %s pass', (_, category) => {
    expect(covers(limited, adding({ category }))).toBe(true);
  });

  test.each<readonly [string, unknown]>([
    ['another number', 25],
    ['a number with zeros before it', '0252'],
    ['a name that looks like the ID', { id: 3, name: '252' }],
    ['a thing without an ID', { name: '252' }],
    ['several of which one is not among them', [252, 253]],
    ['several of which one cannot be compared', [252, {}]],
    ['none', []],
    ['null', null],
    ['what is left out', undefined],
    ['what has no value to compare', () => 252],
  ])('stops %s', (_, category) => {
    expect(covers(limited, adding({ category }))).toBe(false);
  });

  test('stops when the command has no such argument, also under the name of something inherited', () => {
    expect(covers(limited, adding({ site: 'example.com' }))).toBe(false);
    for (const name of ['constructor', '__proto__', 'toString'])
      expect(covers({ ...limited, where: { [name]: ['x'] } }, adding({ category: 252 }))).toBe(false);
  });

  test('tells capitals apart: they may be two databases', () => {
    const rule: Rule = { area: 'category', where: { database: ['Reports'] } };
    expect(covers(rule, adding({ database: 'Reports' }))).toBe(true);
    expect(covers(rule, adding({ database: 'reports' }))).toBe(false);
  });

  test('must hold for every argument that it names', () => {
    const both: Rule = { ...limited, where: { category: [252], site: ['example.com'] } };
    expect(covers(both, adding({ category: 252, site: 'example.com' }))).toBe(true);
    expect(covers(both, adding({ category: 252, site: 'example.org' }))).toBe(false);
  });

  test('comes after the other conditions', () => {
    expect(covers({ ...limited, phrase: 'category delete' }, adding({ category: 252 }))).toBe(false);
  });

  test('passes while the arguments are not known', () => {
    expect(covers(limited, add)).toBe(true);
    expect(touches(limited, add)).toBe(true);
  });

  test('passes values that are not known, and values beside unknown ones', () => {
    for (const [category, expected] of [
      [anyValue, true],
      [[anyValue], true],
      [[252, anyValue], true],
      [[anyValue, 253], false],
    ] as const) {
      expect([category, covers(limited, adding({ category }))]).toEqual([category, expected]);
      expect(touches(limited, adding({ category }))).toBe(true);
    }
  });

  test('is certain when every value that it compares is known', () => {
    const certain = (category: unknown) =>
      isCertain(limited, { ...add, ...adding({ category, site: anyValue }), appliance: 'none' });
    expect([certain(252), certain([252, 3]), certain(undefined)]).toEqual([true, true, true]);
    expect([certain(anyValue), certain([252, anyValue])]).toEqual([false, false]);
    expect(isCertain(limited, { ...add, appliance: 'none' })).toBe(false);
  });
});

describe('a rule that requires care applies', () => {
  const careful: Rule = { phrase: 'category add', where: { category: [252], note: ['Reports'] } };
  const noted = (category: unknown) => touches(careful, adding({ category, note: 'reports' }));

  test('to one of several values, in capitals or not', () => {
    expect(noted([1, 252, 3])).toBe(true);
    expect(noted([1, 3])).toBe(false);
  });

  test('to values that cannot be compared', () => {
    expect(noted({ name: 'News' })).toBe(true);
    expect(noted([1, {}])).toBe(true);
  });

  test('not to an argument that is left out', () => {
    for (const nothing of [undefined, null, []]) expect(noted(nothing)).toBe(false);
    for (const name of ['constructor', '__proto__', 'toString'])
      expect(touches({ ...careful, where: { [name]: ['x'] } }, adding({ category: 252 }))).toBe(false);
  });
});

test('a rule for timed changes covers them up to its duration, and never a permanent one', () => {
  const link = subjectOf({ name: 'rdp policy link', area: 'rdp', effect: 'write' });
  const covered = (lasts: number | 'forGood' | 'any', temporary: { longest?: number }) =>
    covers({ phrase: 'rdp policy link', temporary }, { ...link, lasts });
  expect([60, 61, 'forGood', 'any'].map((lasts) => covered(lasts as 60, { longest: 60 }))).toEqual([
    ...[true, false, false, true],
  ]);
  expect([61, 'forGood'].map((lasts) => covered(lasts as 61, {}))).toEqual([true, false]);
});

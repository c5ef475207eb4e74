import { describe, expect, test } from 'vitest';
import type { ChannelPolicy } from './policy.ts';
import { type Fleet, targetsOf } from './targets.ts';

const fleet: Fleet = new Map([
  ['branch', { tags: ['branch', 'europe'] }],
  ['hq', { tags: ['prod', 'europe'] }],
  ['branch-2', { tags: ['branch'] }],
  ['vault', { tags: ['prod', 'secret'] }],
]);
const channel = (appliances: ChannelPolicy['appliances']): ChannelPolicy => ({
  appliance: 'hq',
  appliances,
  roles: {},
  sharedWrites: false,
});
/** A channel that may name all appliances but the vault. */
const branches = channel(['branch-2', 'branch']);

const on = (typed: string | undefined, where = branches) => {
  const found = targetsOf(typed, where, fleet);
  return found.ok ? found.names : found.problem;
};

describe('a command works', () => {
  test("on the channel's own appliance when nothing is said", () => {
    expect(on(undefined)).toEqual(['hq']);
    expect(on(undefined, channel('all'))).toEqual(['hq']);
  });

  test('on the appliance that is named, and then no longer on the own one', () => {
    expect(on('branch-2')).toEqual(['branch-2']);
    expect(on('hq')).toEqual(['hq']);
  });

  test('on all that the channel may name, and its own', () => {
    expect(on('all')).toEqual(['branch', 'hq', 'branch-2']);
    expect(on('all', channel('all'))).toEqual([...fleet.keys()]);
    expect(on('all', channel([]))).toEqual(['hq']);
  });

  test('on those with a tag, among the ones that the channel may name', () => {
    expect(on('tag:europe')).toEqual(['branch', 'hq']);
    expect(on('tag:prod')).toEqual(['hq']);
    expect(on('tag:prod', channel('all'))).toEqual(['hq', 'vault']);
    expect(on('tag:europe', channel([]))).toEqual(['hq']);
  });

  test('on a list of names and tags, each once and in the order of the configuration', () => {
    expect(on('hq,branch-2')).toEqual(['hq', 'branch-2']);
    expect(on('branch-2, hq,branch-2,')).toEqual(['hq', 'branch-2']);
    expect(on('tag:branch hq branch')).toEqual(['branch', 'hq', 'branch-2']);
  });

  test('on the same appliances in any casing', () => {
    expect(on('HQ,Tag:Branch')).toEqual(on('hq,tag:branch'));
    expect(on('ALL')).toEqual(on('all'));
  });
});

describe('a command works on nothing', () => {
  const allowed = ['branch', 'hq', 'branch-2'];

  test('when an appliance does not exist, and suggests the nearest ones', () => {
    expect(on('brnach-2')).toEqual({
      code: 'appliance_unknown',
      name: 'brnach-2',
      nearest: ['branch-2'],
      allowed,
    });
    expect(on('branch-1')).toMatchObject({ nearest: ['branch-2', 'branch'] });
    expect(on('paris')).toMatchObject({ code: 'appliance_unknown', nearest: [], allowed });
  });

  test('when a tag is taken for a name, and shows how to type it', () => {
    expect(on('europe')).toMatchObject({ code: 'appliance_unknown', nearest: ['tag:europe'] });
  });

  test('when the channel may not name the appliance', () => {
    expect(on('vault')).toEqual({ code: 'appliance_not_allowed', name: 'vault', allowed });
    expect(on('branch', channel([]))).toEqual({
      code: 'appliance_not_allowed',
      name: 'branch',
      allowed: ['hq'],
    });
  });

  test('when none of those that may be named has the tag, and lists the tags they have', () => {
    expect(on('tag:production')).toEqual({
      code: 'tag_unknown',
      tag: 'production',
      tags: ['branch', 'europe', 'prod'],
    });
    expect(on('tag:branch', channel([]))).toMatchObject({ code: 'tag_unknown', tags: ['prod', 'europe'] });
  });

  test.each(['', ' ', ',', 'tag:', 'hq,tag:'])('when %j names none', (typed) => {
    expect(on(typed)).toEqual({ code: 'none_named', allowed });
  });

  test.each(['hq,vault', 'all,vault', 'hq,nowhere', 'hq,tag:nothing'])(
    'when one of the list is refused, as in %s',
    (typed) => {
      expect(on(typed)).toHaveProperty('code');
    },
  );

  test('and suggests no appliance that the channel may not name', () => {
    expect(JSON.stringify([on('valut'), on('secret'), on('tag:secret'), on('')])).not.toMatch(
      /"vault"|tag:s/,
    );
  });

  test('and resolves a removed appliance only in the channel that still has something active there', () => {
    const left: Fleet = new Map([...fleet, ['branch-9', { tags: [], onlyIn: 'C1' }]]);
    const named = (typed: string, id: string) => targetsOf(typed, channel('all'), left, id);
    expect(named('branch-9', 'C1')).toEqual({ ok: true, names: ['branch-9'] });
    expect(named('branch-9', 'C2').ok).toBe(false);
    expect(targetsOf('branch-9', branches, left, 'C1').ok).toBe(true);
    expect(named('all', 'C1')).toEqual({ ok: true, names: [...fleet.keys()] });
  });

  test('when kilobytes of junk are typed, at once', () => {
    expect(on('x'.repeat(100_000))).toMatchObject({ code: 'appliance_unknown', nearest: [] });
  });
});

import { isDeepStrictEqual } from 'node:util';
import type { SimulatedAclObject } from './company/acl.ts';
import type { Pending } from './protocol.ts';
import type { State } from './state.ts';

/** A kind of change that counts only after a further order: its name, and its waiting changes. */
interface Stage {
  readonly one: string;
  readonly many: string;
  /** The operation that makes it live, as faults name it. */
  readonly until: string;
  readonly waiting: (state: State) => readonly string[];
}

/** A forgotten compile shows here: everything that is configured on the appliance, and not in force yet. */
const stages: Readonly<Record<string, Stage>> = {
  acl: {
    one: 'ACL change',
    many: 'ACL changes',
    until: '- /proxy/acls/compile',
    waiting: aclChanges,
  },
  ssl: { one: 'SSL rule', many: 'SSL rules', until: 'GET /proxy/ssl/build', waiting: sslRules },
  sites: {
    one: 'site',
    many: 'sites',
    until: 'GET /categories/{id}/compile',
    waiting: ({ categories }) =>
      [...categories.all.values()].flatMap(({ name, sites, compiled }) => setChanges(name, sites, compiled)),
  },
  compiledSites: {
    one: 'compiled site',
    many: 'compiled sites',
    until: 'GET /webfilter/rules/compile',
    waiting: ({ categories }) =>
      [...categories.all.values()].flatMap(({ name, compiled, live }) => setChanges(name, compiled, live)),
  },
  resolver: {
    one: 'resolver setting',
    many: 'resolver settings',
    until: 'GET /system/network/resolvapply',
    waiting: resolverSettings,
  },
};

const shown = 5;

/** Every stage, also those at which nothing waits. */
export function pendingIn(state: State): Pending[] {
  return Object.entries(stages).map(([name, { one, many, until, waiting }]) => {
    const all = waiting(state);
    return {
      name,
      words: `${all.length.toLocaleString('en')} ${all.length === 1 ? one : many}`,
      count: all.length,
      first: all.slice(0, shown),
      until,
    };
  });
}

/** An object that is new or gone is one change, whatever it holds. */
function aclChanges({ acl: { objects, live } }: State): string[] {
  return [...new Set([...objects.keys(), ...live.keys()])].flatMap((id) => {
    const [now, then] = [objects.get(id), live.get(id)];
    if (!now || !then) return now ? [`${now.name}: new`] : [`${then?.name}: deleted`];
    const records = [...recordChanges(now, then)];
    return now.enabled === then.enabled
      ? records
      : [`${now.name}: ${now.enabled ? 'enabled' : 'disabled'}`, ...records];
  });
}

function* recordChanges(now: SimulatedAclObject, then: SimulatedAclObject): Generator<string> {
  for (const [id, record] of now.records) {
    const before = then.records.get(id);
    if (!before) yield `${now.name}: ${record.pattern} added`;
    else if (!isDeepStrictEqual(record, before))
      yield `${now.name}: ${record.pattern} ${
        record.enabled === before.enabled ? 'changed' : record.enabled ? 'enabled' : 'disabled'
      }`;
  }
  for (const [id, record] of then.records)
    if (!now.records.has(id)) yield `${now.name}: ${record.pattern} deleted`;
}

/** A build takes the enabled rules, without the objects that have been deleted since. */
function sslRules({ ssl, acl }: State): string[] {
  const live = new Map(ssl.live.map((rule) => [rule.id, rule]));
  const wanted = new Map(
    ssl.configured
      .filter(({ enabled }) => enabled)
      .map((rule) => ({ ...rule, objects: rule.objects.filter(({ objectId }) => acl.objects.has(objectId)) }))
      .map((rule) => [rule.id, rule]),
  );
  return [...new Set([...wanted.keys(), ...live.keys()])].flatMap((id) => {
    const [now, then] = [wanted.get(id), live.get(id)];
    if (isDeepStrictEqual(now, then)) return [];
    return [`${(now ?? then)?.description}: ${!then ? 'new' : now ? 'changed' : 'gone'}`];
  });
}

function setChanges(name: string, now: ReadonlySet<string>, then: ReadonlySet<string>): string[] {
  if (now === then) return [];
  return [
    ...[...now].filter((site) => !then.has(site)).map((site) => `${name}: ${site} added`),
    ...[...then].filter((site) => !now.has(site)).map((site) => `${name}: ${site} removed`),
  ];
}

function resolverSettings({ resolver: { configured, applied } }: State): string[] {
  const before = new Map<string, unknown>(Object.entries(applied));
  return Object.entries(configured)
    .filter(([setting, value]) => before.get(setting) !== value)
    .map(([setting, value]) => `${setting}: ${value}`);
}

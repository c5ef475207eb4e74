import type { Report } from '../../api/index.ts';

/**
 * Reads reports whose shape is undocumented (appliance-api.md §4.12). Everything is found under likely names; a
 * missing value is undefined and never guessed. All text is hostile.
 */

export interface ReportEntry {
  /** Its part of the path, such as `APP_PROXY` in `services.APP_PROXY`; '' for fields beside the entries. */
  readonly key: string;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Groups a report into entries: `ports.0.port` and `ports.0.name` belong to one. Deeper fields stay in their
 * entry: `cpu.user`.
 */
export function entriesIn({ fields }: Pick<Report, 'fields'>): readonly ReportEntry[] {
  const names = Object.keys(fields);
  const paths = new Set(names.map(parentOf));
  const tops = new Map([...paths].map((path) => [path, highest(path, paths)]));
  // Maps, because a key may be `__proto__`.
  const entries = new Map<string, Map<string, string>>();
  for (const name of names) {
    const path = tops.get(parentOf(name)) ?? '';
    const own = entries.get(path) ?? new Map<string, string>();
    own.set(path === '' ? name : name.slice(path.length + 1), fields[name] ?? '');
    entries.set(path, own);
  }
  return [...entries].map(([path, own]) => ({ key: lastPart(path), fields: Object.fromEntries(own) }));
}

/** The entry of a path: the highest level with fields of its own. */
function highest(path: string, paths: ReadonlySet<string>): string {
  for (let at = path.indexOf('.'); at !== -1; at = path.indexOf('.', at + 1)) {
    const above = path.slice(0, at);
    if (paths.has(above)) return above;
  }
  return path;
}

const parentOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('.')));
const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/**
 * The first non-empty value under one of these names, which are in lower case without punctuation. A cheaper
 * `reportedUnder` for one entry, because a fleet has thousands of entries.
 */
export function valueUnder(fields: ReportEntry['fields'], ...names: readonly string[]): string | undefined {
  for (const name of names) {
    // Own keys only: `constructor` is no field.
    if (Object.hasOwn(fields, name) && fields[name] !== '') return fields[name];
  }
  const written = Object.entries(fields).filter(([name, value]) => /[^a-z0-9]/.test(name) && value !== '');
  if (written.length === 0) return undefined;
  const plain = new Map(
    written.toReversed().map(([name, value]) => [name.toLowerCase().replace(/[^a-z0-9]/g, ''), value]),
  );
  return names.map((name) => plain.get(name)).find((value) => value !== undefined);
}

const up = /^(?:1|true|yes|y|on|up|ok|running|active|started|alive|listening|enabled|healthy|connected)$/i;
const down =
  /^(?:0|false|no|n|off|down|stopped|inactive|dead|failed|error|disabled|closed|unhealthy|disconnected|not (?:running|listening|active))$/i;

/** Whether a word means that something is up; undefined if it means neither. */
export function isUp(word: string | undefined): boolean | undefined {
  const said = word?.trim() ?? '';
  if (up.test(said)) return true;
  if (down.test(said)) return false;
  // All flags of a network interface (field notes).
  const flags = said.toLowerCase().split('|');
  return flags.every((flag) => interfaceFlags.has(flag)) ? flags.includes('up') : undefined;
}

const interfaceFlags: ReadonlySet<string> = new Set(
  'up broadcast loopback pointtopoint multicast running'.split(' '),
);

/** Whether an entry is up, by the first conclusive field. */
export function stateOf({ fields }: ReportEntry): boolean | undefined {
  const word = valueUnder(fields, ...likelyStates);
  const state = isUp(word);
  if (state !== undefined || word === undefined) return state;
  // The first existing field may be about something else.
  return likelyStates.map((name) => isUp(valueUnder(fields, name))).find((found) => found !== undefined);
}

const likelyStates = [
  'running',
  'isrunning',
  'listening',
  'islistening',
  'listen',
  'active',
  'isactive',
  'alive',
  'up',
  'isup',
  'open',
  'status',
  'state',
];

export const nameOf = ({ key, fields }: ReportEntry): string =>
  valueUnder(fields, 'name', 'title', 'description', 'servicename', 'service') ?? key;

import { knownCategories } from './categories/known.ts';
import { smallSites } from './categories/small-sites.ts';

/**
 * A category. A new site is first in `sites`, after the category's compile in `compiled`, and after the rules' compile in
 * `live` (appliance-api.md §3, §4.3). A removed site leaves them in the same order.
 */
export interface SimulatedCategory {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly table: string;
  readonly rpz: { readonly enabled: boolean; readonly action: number; readonly redirect: string };
  /** As configured, which is what queries are answered from: domain names and IP addresses. */
  readonly sites: Set<string>;
  /** As of the category's last compile. */
  compiled: ReadonlySet<string>;
  /** The sites in force in the filter: `compiled` as of the last compile of the filtering rules. */
  live: ReadonlySet<string>;
}

export interface CategoriesState {
  /** By ID. */
  readonly all: Map<number, SimulatedCategory>;
  /** Which of the two shapes `/categories/list` answers in (appliance-api.md §2.5). */
  shape: 'A' | 'B';
  /** The oldest first. */
  readonly backups: CategoriesBackup[];
  /** Compiles that were started and are not done: when each will be. As documented a compile is done when it is answered. */
  readonly background: { readonly compiles: Map<number, Date>; rules: Date | undefined };
}

interface CategoriesBackup {
  readonly at: Date;
  readonly folder: string;
  readonly categories: number;
  readonly sites: number;
}

/** Everything is compiled and applied. */
export function categoriesOfTheCompany(_now: Date): CategoriesState {
  return {
    all: new Map(known().map((one) => [one.id, categoryOf(one)])),
    shape: 'A',
    backups: [],
    background: { compiles: new Map(), rules: undefined },
  };
}

/** The categories that the name service redirects and the proxy blocks. */
const blocked = new Set(['malware', 'phishing', 'personal_blocked']);

/** They hang on no moment: made for the first appliance, they do for all. */
let all: readonly Known[] | undefined;

type Known = Pick<SimulatedCategory, 'id' | 'name' | 'description' | 'compiled'>;

function known(): readonly Known[] {
  all ??= knownCategories().map((one) => ({ ...one, compiled: new Set([...one.sites, ...smallSites(one)]) }));
  return all;
}

function categoryOf({ id, name, description, compiled }: Known): SimulatedCategory {
  const enabled = blocked.has(name);
  return {
    id,
    name,
    description,
    table: tableNameOf(name),
    rpz: { enabled, action: enabled ? 1 : 0, redirect: enabled ? 'blocked.northwind.example' : '' },
    sites: new Set(compiled),
    compiled,
    live: compiled,
  };
}

/** The database table of a category with this name. */
export function tableNameOf(name: string): string {
  return `category_${name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '_')}`;
}

import { extentOf, type UnnamedFields, withExtent } from '../../api/index.ts';
import { type Look, lookIn } from '../listing.ts';

/** The gateway's report on its cipher suites, whose shape is undocumented (appliance-api.md §4.6). */
export interface Ciphers {
  /** Best first; empty if no list was found. */
  readonly offered: readonly string[];
  /** Including suites that are not offered; empty if the gateway does not distinguish. */
  readonly supported: readonly string[];
  /** The offered suites, with a note if the list is incomplete. */
  readonly look: Look<string>;
  /** The field's name in an order: the answer's own name for offered suites, in lower case. */
  readonly field: string;
}

/**
 * @param fields a report: a list is `Ciphers.0`, `Ciphers.1`, …; a text separates suites by colons, commas or
 * spaces
 */
export function ciphersIn(fields: UnnamedFields): Ciphers {
  const groups = new Map<string, readonly string[]>();
  for (const [key, value] of Object.entries(fields)) {
    const name = key.replace(/\.\d+$/, '');
    // Numbers beside the list are no suites.
    const suites = value
      .split(/[\s,:]+/)
      .filter((word) => /^[A-Z0-9][A-Za-z0-9_+-]*[0-9A-Z]$/.test(word) && /[A-Z]/.test(word));
    groups.set(name, [...new Set([...(groups.get(name) ?? []), ...suites])]);
  }
  const lists = [...groups].filter(([, suites]) => suites.length > 0);
  const isPossible = (name: string) => /support|avail|possible|known|all/i.test(name);
  const [name = 'ciphers', offered = []] = lists.find(([one]) => !isPossible(one)) ?? [];
  const supported = lists.find(([one]) => isPossible(one))?.[1] ?? [];
  const look = lookIn('cipher suites', withExtent(offered, extentOf(fields)), (suite) => suite);
  return { offered, supported, look, field: name.slice(name.lastIndexOf('.') + 1).toLowerCase() };
}

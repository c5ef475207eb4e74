import type { UnnamedFields } from '../../api/index.ts';

/** What the gateway reports about its cipher suites, whose shape is not documented (appliance-api.md §4.6). */
export interface Ciphers {
  /** The best first; none when no list of suites was found. */
  readonly offered: readonly string[];
  /** With those that are not offered; none when the gateway does not tell them apart. */
  readonly supported: readonly string[];
  /** The field's name in an order; the answer's own name for what is offered, in lower case. */
  readonly field: string;
}

/** @param fields a report: a list is `Ciphers.0`, `Ciphers.1`, …; a text has colons, commas or spaces between the suites */
export function ciphersIn(fields: UnnamedFields): Ciphers {
  const groups = new Map<string, readonly string[]>();
  for (const [key, value] of Object.entries(fields)) {
    const name = key.replace(/\.\d+$/, '');
    const suites = value.split(/[\s,:]+/).filter((word) => /^[A-Z0-9][A-Za-z0-9_+-]*[0-9A-Z]$/.test(word));
    groups.set(name, [...new Set([...(groups.get(name) ?? []), ...suites])]);
  }
  const lists = [...groups].filter(([, suites]) => suites.length > 0);
  const isPossible = (name: string) => /support|avail|possible|known|all/i.test(name);
  const [name = 'ciphers', offered = []] = lists.find(([one]) => !isPossible(one)) ?? [];
  const supported = lists.find(([one]) => isPossible(one))?.[1] ?? [];
  return { offered, supported, field: name.slice(name.lastIndexOf('.') + 1).toLowerCase() };
}

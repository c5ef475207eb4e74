import { distance } from 'fastest-levenshtein';
import type { RdpPolicy } from '../../../api/index.ts';
import type { Argument } from '../../argument.ts';
import { code, enumerate, say, type Text } from '../../reply.ts';
import type { Preview } from '../../results.ts';
import type { SetFields } from './fields.ts';

/** What a policy allows in a session: its fields that are named `allow_*` (appliance-api.md §2.14). */

/** The words of `--allow` and `--forbid`, without "allow_": `clipboard, file_transfer`. */
export const rightsList: Argument<readonly string[]> = {
  what: 'rights, such as clipboard, printers',
  example: 'clipboard, printers',
  input: 'text',
  read: (typed) => {
    const rights = typed
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter((word) => word !== '' && word !== 'and')
      .map((word) => word.replaceAll('-', '_').replace(/^allow_/, ''));
    return rights.length > 0 &&
      rights.length <= 40 &&
      rights.every((right) => /^[a-z0-9_]{1,60}$/.test(right))
      ? { ok: true, value: [...new Set(rights)] }
      : { ok: false, problem: { code: 'malformed', wanted: 'names of rights with commas between them' } };
  },
};

/**
 * The fields of the wanted rights, under the appliance's own names, as 1 and 0 (§3); or why not: a right that none of
 * its policies has is a slip. An appliance without policies shows none, and then the names are taken as they are.
 */
export function rightsOf(
  policies: readonly RdpPolicy[],
  wanted: {
    readonly allow?: readonly string[] | undefined;
    readonly forbid?: readonly string[] | undefined;
  },
): { readonly fields: SetFields } | Extract<Preview, { kind: 'nothing' }> {
  const known = [...new Set(policies.flatMap(namesIn))];
  const { allow, forbid } = { allow: wanted.allow ?? [], forbid: wanted.forbid ?? [] };
  const both = allow.find((right) => forbid.includes(right));
  if (both !== undefined)
    return { kind: 'nothing', why: say`${code(both)} cannot be both allowed and forbidden.` };
  const unknown = [...allow, ...forbid].find(
    (right) => known.length > 0 && fieldFor(known, right) === undefined,
  );
  if (unknown !== undefined) {
    const rights = known
      .map(bare)
      .toSorted((one, other) => distance(one, unknown) - distance(other, unknown));
    return {
      kind: 'nothing',
      why: say`Unknown right ${code(unknown)}. Available rights: ${enumerate(rights.map((right) => code(right)))}.`,
    };
  }
  const field = (right: string) => fieldFor(known, right) ?? `allow_${right}`;
  return {
    fields: Object.fromEntries([
      ...allow.map((right) => [field(right), '1'] as const),
      ...forbid.map((right) => [field(right), '0'] as const),
    ]),
  };
}

/** "clipboard, printers", or that it allows nothing. */
export function rightsText({ rights, ...policy }: RdpPolicy): Text {
  const allowed = Object.entries(rights).flatMap(([name, given]) => (given ? [bare(name)] : []));
  if (allowed.length > 0) return say`${allowed.map((right) => right.replaceAll('_', ' ')).join(', ')}`;
  return say`${namesIn({ rights, ...policy }).length === 0 ? 'not reported' : 'nothing'}`;
}

const namesIn = ({ fields }: RdpPolicy): readonly string[] =>
  Object.keys(fields).filter((name) => /^allow_/i.test(name));
const bare = (name: string): string => name.toLowerCase().replace(/^allow_/, '');
const fieldFor = (known: readonly string[], right: string): string | undefined =>
  known.find((name) => bare(name) === right);

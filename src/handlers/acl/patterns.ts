import { quotedAmongOthers } from '../language/asked.ts';
import { readSite } from '../language/domain.ts';
import { cleanLine, splitValues } from '../language/line.ts';

/** What people may write as patterns, and what a typed line does to them. */

/** What goes in at once comes out at once, and the other way round. */
export const mostRecords = 5_000;

/**
 * A typed list is split at its commas, unless they stand in quotes, and a regular expression may have some of its own:
 * `[a-z]{2,12}`. Its parts then have brackets that nothing closes, or that nothing opens. Undefined when all are whole.
 */
export function tornIn(patterns: readonly string[]): string | undefined {
  return patterns.find((pattern) => depthOf(pattern, '{', '}') !== 0 || depthOf(pattern, '[', ']') !== 0);
}

function depthOf(pattern: string, open: string, close: string): number {
  // What stands after a backslash is no bracket.
  const bare = pattern.replaceAll(/\\./g, '');
  return bare.split(open).length - bare.split(close).length;
}

/**
 * Whether a pattern is the address of a site, as people copy it, and so means its host: `https://example.com/`, `example.com/`, and
 * what stands for another address. An address with a page is a pattern of its own, and a regular expression is none.
 */
export function isHostAddress(pattern: string): boolean {
  if (/^(?:h[tx]{2}ps?:\/\/)?[^/?#\\^$*+|(){}\s]+\/$|^h[tx]{2}ps?:\/\/[^/?#\\^$*+|(){}\s]+$/i.test(pattern))
    return readSite(pattern) !== undefined;
  if (/[\\^|(){}]/.test(pattern) || !/^[\w.-]+\/|^h[tx]{2}ps?:\/\//i.test(pattern)) return false;
  const read = readSite(pattern);
  return read !== undefined && (read.kind !== 'site' || read.from !== undefined);
}

/** The line that adds patterns (again); undefined where it would not be read as just these. */
export function addingLine(object: number, patterns: readonly string[]): string | undefined {
  const words = ['acl', 'record', 'add', String(object), ...patterns];
  const line = words.map(quotedAmongOthers).join(' ');
  const read = splitValues(cleanLine(line));
  const isSame = read.length === words.length && read.every((word, at) => word === words[at]);
  return isSame && tornIn(patterns) === undefined ? line : undefined;
}

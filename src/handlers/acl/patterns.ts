import { quotedAmongOthers } from '../language/asked.ts';
import { readSite } from '../language/domain.ts';
import { cleanLine, splitValues } from '../language/line.ts';

/** The patterns that people may write, and the effects of typing them in a line. */

/** The same limit for adding and deleting, so that every addition can be undone. */
export const mostRecords = 5_000;

/**
 * Finds a pattern that was split at its own comma. A typed list is split at commas outside quotes, and a
 * regular expression may contain some: `[a-z]{2,12}`. Its parts then have unbalanced brackets. Undefined if all
 * are whole.
 */
export function tornIn(patterns: readonly string[]): string | undefined {
  return patterns.find((pattern) => depthOf(pattern, '{', '}') !== 0 || depthOf(pattern, '[', ']') !== 0);
}

function depthOf(pattern: string, open: string, close: string): number {
  // A bracket after a backslash does not count.
  const bare = pattern.replaceAll(/\\./g, '');
  return bare.split(open).length - bare.split(close).length;
}

/**
 * Whether a pattern is a copied address of a site, and so means its host: `https://example.com/`,
 * `example.com/`, or an address that stands for another. Excludes addresses with a path, and regular
 * expressions.
 */
export function isHostAddress(pattern: string): boolean {
  if (/^(?:h[tx]{2}ps?:\/\/)?[^/?#\\^$*+|(){}\s]+\/$|^h[tx]{2}ps?:\/\/[^/?#\\^$*+|(){}\s]+$/i.test(pattern))
    return readSite(pattern) !== undefined;
  if (/[\\^|(){}]/.test(pattern) || !/^[\w.-]+\/|^h[tx]{2}ps?:\/\//i.test(pattern)) return false;
  const read = readSite(pattern);
  return read !== undefined && (read.kind !== 'site' || read.from !== undefined);
}

/** The line that adds patterns again; undefined if it would read as different patterns. */
export function addingLine(object: number, patterns: readonly string[]): string | undefined {
  const words = ['acl', 'record', 'add', String(object), ...patterns];
  const line = words.map(quotedAmongOthers).join(' ');
  const read = splitValues(cleanLine(line));
  const isSame = read.length === words.length && read.every((word, at) => word === words[at]);
  return isSame && tornIn(patterns) === undefined ? line : undefined;
}

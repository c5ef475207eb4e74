import { RE2JS } from 're2js';
import type { ApprovalRule } from './policy.ts';

/**
 * What a policy wants of a reason, or a ticket. Its patterns are compiled here and nowhere else, by an engine whose time grows with
 * the length of the text alone: whoever writes a reason chooses the text, and JavaScript's own engine takes seconds for
 * 28 letters by `^(\w+[ -]?)+$`.
 */
type Wanted = NonNullable<ApprovalRule['reason']>;

/** In characters. More is a report, and belongs into the thread. */
export const longestReason = 500;

/** In characters: compiling takes its time, too. */
const longestPattern = 200;

/** Of the engine's. So many steps may be taken for every character of a text: with 300, a quarter of a second in all. */
const mostInstructions = 300;

/** So many are at hand: those of the policies that were in force. */
const mostPatterns = 20;

/** Compiled once, and gone with its policy. */
const compiled = new WeakMap<Wanted, RE2JS>();

export function fits(text: string, wanted: Wanted): boolean {
  if (text === '' || text.length > longestReason) return false;
  if (wanted.pattern === undefined) return true;
  const known = compiled.get(wanted);
  const pattern = known ?? compile(wanted.pattern);
  if (known === undefined) compiled.set(wanted, pattern);
  return pattern.test(text);
}

/** By their patterns, of which a policy has few. */
const compiledWhole = new Map<string, RE2JS>();

/** Whether a pattern is that of the whole of a text, in just these letters. */
export function isWhole(text: string, pattern: string): boolean {
  const known = compiledWhole.get(pattern) ?? RE2JS.compile(pattern);
  if (compiledWhole.size > mostPatterns) compiledWhole.clear();
  compiledWhole.set(pattern, known);
  return text.length <= longestReason && known.matches(text);
}

/** @throws RE2JSException when it is none, or one that the engine does not take */
function compile(pattern: string): RE2JS {
  return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
}

/** Why a pattern cannot be used, as it follows its name: *uses a backreference …*. Undefined when it can. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > longestPattern) {
    return `has ${pattern.length} characters, but at most ${longestPattern} are allowed`;
  }
  try {
    const size = compile(pattern).programSize();
    return size <= mostInstructions
      ? undefined
      : `is too complex: up to ${size} steps per character, and at most ${mostInstructions} are allowed. Use smaller repetitions: a reason has at most ${longestReason} characters, so {10,} means the same as {10,500}`;
  } catch {
    const foreign = notTaken.find(({ written }) => written.test(pattern));
    return foreign === undefined
      ? 'is not a valid regular expression (RE2 syntax)'
      : `uses ${foreign.uses}, which is not supported because it could run forever. Write the pattern without it`;
  }
}

/** What JavaScript and Perl have and no engine can do in linear time. */
const notTaken = [
  { written: /\(\?<?[=!]/, uses: 'lookahead or lookbehind, (?=…), (?!…), (?<=…) or (?<!…)' },
  { written: /\\[1-9k]/, uses: 'a backreference, \\1 or \\k<…>' },
  { written: /\(\?>|[*+?}]\+/, uses: 'an atomic group or a possessive quantifier, (?>…) or a++' },
];

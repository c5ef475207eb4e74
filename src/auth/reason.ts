import { RE2JS } from 're2js';
import type { ApprovalRule } from './policy.ts';

/**
 * The policy's requirement for a reason or a ticket. Its patterns are compiled only here, by an engine whose
 * time is linear in the length of the text. The author of a reason chooses the text, and JavaScript's own
 * engine takes seconds for 28 letters with `^(\w+[ -]?)+$`.
 */
type Wanted = NonNullable<ApprovalRule['reason']>;

/** In characters. A longer text is a report and belongs into the thread. */
export const longestReason = 500;

/** In characters, because compiling takes time too. */
const longestPattern = 200;

/**
 * Instructions of the compiled pattern. The engine takes at most this many steps for each character: with 300,
 * a quarter of a second in all.
 */
const mostInstructions = 300;

/** Cache size: patterns of the current and earlier policies. */
const mostPatterns = 20;

/** Compiled once, and dropped with its policy. */
const compiled = new WeakMap<Wanted, RE2JS>();

export function fits(text: string, wanted: Wanted): boolean {
  if (text === '' || text.length > longestReason) return false;
  if (wanted.pattern === undefined) return true;
  const known = compiled.get(wanted);
  const pattern = known ?? compile(wanted.pattern);
  if (known === undefined) compiled.set(wanted, pattern);
  return pattern.test(text);
}

/** By pattern. A policy has few. */
const compiledWhole = new Map<string, RE2JS>();

/** Whether a pattern matches the whole of a text, case-sensitively. */
export function isWhole(text: string, pattern: string): boolean {
  const known = compiledWhole.get(pattern) ?? RE2JS.compile(pattern);
  if (compiledWhole.size > mostPatterns) compiledWhole.clear();
  compiledWhole.set(pattern, known);
  return text.length <= longestReason && known.matches(text);
}

/** @throws RE2JSException for an invalid pattern, or one that the engine does not support */
function compile(pattern: string): RE2JS {
  return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
}

/** Why a pattern cannot be used, as words that follow its name: *uses a backreference …*. Undefined if it can. */
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

/** Features of JavaScript and Perl that no linear-time engine supports. */
const notTaken = [
  { written: /\(\?<?[=!]/, uses: 'lookahead or lookbehind, (?=…), (?!…), (?<=…) or (?<!…)' },
  { written: /\\[1-9k]/, uses: 'a backreference, \\1 or \\k<…>' },
  { written: /\(\?>|[*+?}]\+/, uses: 'an atomic group or a possessive quantifier, (?>…) or a++' },
];

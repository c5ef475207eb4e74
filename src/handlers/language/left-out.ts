import { isParticle } from '../command-name.ts';
import { spelled, type Word, wordsIn } from './line.ts';
import type { Match, Suggestion } from './match.ts';
import type { CommandName } from './names.ts';
import type { TypedSlots } from './pattern.ts';

type Words = readonly Word[];

/** As many are a choice; more are a list to read. */
const most = 4;
/** What is longer is nothing to put on a button. */
const longest = 100;

/**
 * What was meant by a line that begins with a verb or a thing, and leaves out where it belongs: "disconnect bob.miller",
 * "enable target srv-print-01", "remove example.com from category shopping". The commands of which most words are there;
 * none when too many are alike. What was typed must fit as it stands.
 * @param canonical the form in which literal words are compared
 */
export function withoutArea(
  words: Words,
  names: readonly CommandName[],
  canonical: (word: string) => string,
  find: (words: Words) => Match,
): readonly Suggestion[] {
  const typed = words.map(({ text, isQuoted }) => (isQuoted ? '' : canonical(text)));
  const [first = ''] = typed;
  const said = new Set(typed);
  const found = new Map<string, { readonly suggestion: Suggestion; readonly there: number }>();
  for (const name of names) {
    if (!name.keys.includes(first)) continue;
    const { area, verb, command } = name;
    const others = name.keys.filter((_, index) => name.words[index] !== area);
    const there = others.filter((word) => said.has(word));
    if (!there.includes(first) || !there.includes(canonical(verb))) continue;
    // With the verb alone anything else may be missing; with more of it, all of it must be there.
    if (there.length > 1 && there.length < others.length) continue;
    if (there.length <= (found.get(command.phrase)?.there ?? 0)) continue;
    const suggestion = completed(name, words, typed, canonical, find);
    if (suggestion !== undefined) found.set(command.phrase, { suggestion, there: there.length });
  }
  const best = Math.max(0, ...[...found.values()].map(({ there }) => there));
  const fitting = [...found.values()].filter(({ there }) => there === best);
  return fitting.length > most ? [] : fitting.map(({ suggestion }) => suggestion);
}

/** The declared words, and what was typed besides them. */
function completed(
  { command, words: name, declared }: CommandName,
  words: Words,
  typed: readonly string[],
  canonical: (word: string) => string,
  find: (words: Words) => Match,
): Suggestion | undefined {
  // Each word takes a letter and a space at least: of a line that is far too long nothing is put together.
  if (words.length - name.length > longest / 2) return undefined;
  const left = new Set(name.map(canonical));
  const others = words.filter((_, index) => !left.delete(typed[index] ?? ''));
  const ways = [others, ...(isParticle(others[0]?.text ?? '') ? [others.slice(1)] : [])];
  for (const rest of ways) {
    const line = [...declared, ...rest.map(spelled)].join(' ');
    if (line.length > longest) continue;
    const found = find(wordsIn(line));
    // "create database": the form asks for what is missing.
    if (found.kind === 'missing' && found.command === command && rest.length === 0)
      return { command, line: command.example, isExample: true };
    if (found.kind === 'command' && found.command === command && !swallowsParticle(found.typed))
      return { command, line };
  }
  return undefined;
}

/** "add example.com to shopping" puts no pattern "to" into an object "example.com". */
const swallowsParticle = (typed: TypedSlots): boolean => Object.values(typed).flat().some(isParticle);

import type { Problem } from '../handlers/argument.ts';
import type { AnyCommand } from '../handlers/command.ts';
import type { Match } from '../handlers/phrase.ts';
import { code, type Part, type Reply, say, type Text } from '../handlers/reply.ts';
import type { Suggestion } from '../handlers/suggest.ts';

/** The words for a line that is no command, or not a whole one: what is wrong with it, and lines that would do. */
export function notUnderstood(match: Exclude<Match, { kind: 'command' }>, line: string): Reply {
  switch (match.kind) {
    case 'unknown': {
      const headline = say`I do not know ${code(shorten(line))}. Nothing was done.`;
      return match.nearest.length === 0
        ? { headline, details: [{ kind: 'text', text: say`${help()} shows what you can do here.` }] }
        : {
            headline,
            details: [
              { kind: 'text', text: say`Did you mean:` },
              { kind: 'list', items: match.nearest.map(usage) },
            ],
          };
    }
    case 'astray':
      return {
        headline: say`I do not know ${code(shorten(line))}. Nothing was done. After ${code(match.known)} it can go on in these ways:`,
        details: [examplesOf(match.continuations, match.known)],
      };
    case 'incomplete':
      return {
        headline: line === '' ? say`What shall I do?` : say`${code(shorten(line))} can go on in these ways:`,
        details: [examplesOf(match.continuations, line)],
      };
    case 'missing':
      return {
        headline: say`${code(match.command.phrase)} needs ${argumentOf(match.command, match.argument)}. Nothing was done.`,
        details: [examplesOf([match.command])],
      };
    case 'invalid':
      return {
        headline: say`${code(shorten(match.word))} is not ${argumentOf(match.command, match.argument)}${problem(match.problem)}. Nothing was done.`,
        details: [examplesOf([match.command])],
      };
    case 'too_many':
      return {
        headline: say`${code(match.command.phrase)} takes at most ${match.most} at once, and these are ${match.given}. Nothing was done. Ask for them in several lines.`,
      };
    case 'surplus':
      return {
        headline: say`I do not know what to do with ${code(shorten(match.words.join(' ')))} after ${code(match.command.phrase)}. Nothing was done.`,
        details: [examplesOf([match.command])],
      };
  }
}

/** More would be a wall of text; the help has them all. */
const mostExamples = 15;

/** @param topic what the help calls them */
function examplesOf(commands: readonly AnyCommand[], topic = ''): Part {
  const shown = commands.length > mostExamples ? commands.slice(0, mostExamples - 1) : commands;
  const more = commands.length - shown.length;
  return {
    kind: 'list',
    items: [
      ...shown.map((command) => usage({ command, line: command.example })),
      ...(more === 0 ? [] : [say`… and ${more} more: ${help(topic)} lists them.`]),
    ],
  };
}

/** A line to type, and what it does. */
export const usage = ({ command, line }: Suggestion): Text =>
  say`${code(`/appliance ${line}`)} – ${command.summary}`;

const help = (topic = '') => code(`/appliance help ${topic}`.trim());

const argumentOf = (command: AnyCommand, name: string): string => command.args[name]?.what ?? name;

function problem(found: Problem): string {
  switch (found.code) {
    case 'not_a_domain':
    case 'not_a_number':
      return '';
    case 'out_of_range':
      return ` (from ${found.min} to ${found.max})`;
  }
}

/** Echoes at most a line's worth of what was typed, and says so when it was more. */
const shorten = (typed: string): string =>
  typed.length <= 60 ? typed : `${typed.slice(0, 60)}… (${typed.length} characters)`;

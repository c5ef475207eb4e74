import { type ArgumentProblem, largestId } from '../../../handlers/argument.ts';
import type { AnyCommand } from '../../../handlers/command.ts';
import { type Asked, lineOf } from '../../../handlers/language/asked.ts';
import type { Match, WrongWord } from '../../../handlers/language/match.ts';
import {
  code,
  enumerate,
  type Field,
  type Offer,
  type Part,
  plural,
  say,
  strong,
  type Text,
} from '../../../handlers/reply.ts';
import { number } from '../../../handlers/wording/quantities.ts';
import { shorten } from '../../../handlers/wording/shorten.ts';
import { carriesSecret } from '../../../secrets.ts';
import { noChanges, words } from '../sentences.ts';

type Invalid = Extract<Match, { kind: 'invalid' }>;

/** What is wrong with a word, as one sentence, and how many others are wrong. A password is not repeated. */
export function notFitting({ command, argument, word, problem: why, misfits }: Invalid): Text {
  const others = misfits.length - 1;
  if (others > 0)
    return say`${number(misfits.length)} of these are not ${wantedFor(command, argument)}: ${enumerate([
      ...misfits.slice(0, few).map((one) => code(shorten(one.word))),
      ...(misfits.length > few ? [`${number(misfits.length - few)} more`] : []),
    ])}.`;
  return command.args[argument]?.input === 'secret'
    ? say`This does not fit${problem(why)}.`
    : say`${code(shorten(word))} is not ${wantedFor(command, argument)}${problem(why)}.`;
}

/** More stand in a table. */
const few = 5;

/** Every one of several that do not fit, and a button that goes on with the others. */
export function misfitsOf(found: Invalid): readonly Part[] {
  const { command, argument, misfits, fitting, typed } = found;
  if (misfits.length + fitting.length < 2) return sitesIn(found);
  return [
    ...(misfits.length === 1 ? sitesIn(found) : []),
    ...(misfits.length > 1
      ? [
          {
            kind: 'table',
            columns: ['Word', 'Problem'],
            rows: misfits.map((one) => [say`${shorten(one.word)}`, whyNot(command, argument, one)]),
          } as const,
        ]
      : []),
    ...goOnWith(fitting.length, { ...found, typed: { ...typed, [argument]: fitting } }),
  ];
}

/** Which site an address stands for is for whoever typed it to say: a button for each that may be meant. */
function sitesIn({ kind: _, argument, word, problem: why, typed, ...asked }: Invalid): readonly Part[] {
  if (why.code !== 'target_unknown' && why.code !== 'which_site') return [];
  const labels = [
    ...(why.code === 'which_site' ? why.inner.map((site) => [site, site] as const) : []),
    [why.outer, why.code === 'which_site' ? why.outer : `${why.outer} itself`] as const,
  ];
  const offers = labels.slice(0, few).map(([site, label]): Offer => {
    const words = typed[argument]?.map((one) => (one === word ? site : one)) ?? [site];
    return { label, line: lineOf({ ...asked, typed: { ...typed, [argument]: words } }) };
  });
  const ask =
    why.code === 'which_site'
      ? say`Which site do you mean?`
      : say`Type the site that it leads to, or use the site of the address itself:`;
  return [
    { kind: 'text', text: ask },
    { kind: 'offers', offers },
  ];
}

/** What stands in a file and cannot be taken. */
export interface LinesRefused {
  readonly asked: Asked;
  readonly argument: string;
  readonly lines: readonly (WrongWord & { readonly file: string; readonly line: number })[];
}

/** What of files was left out, for a card that is about the rest: how many lines of how many, and which. */
export function leftOut(
  { command }: Pick<Asked, 'command'>,
  argument: string,
  lines: LinesRefused['lines'],
  of: number,
): Field {
  const names = new Set(lines.map(({ file }) => file));
  const shown = lines.slice(0, mostLeftOut).map((one) => {
    const where = names.size > 1 ? `${one.file}, line ${number(one.line)}` : `line ${number(one.line)}`;
    return say`${where} ${code(shorten(one.word))}, ${whyNot(command, argument, one)}`;
  });
  const more = lines.length - shown.length;
  const count = plural(of, 'line').replace(/^\d+/, number(of));
  const what = wantedFor(command, argument).replace(/^an? /, '');
  return {
    name: 'Left out',
    value: [
      `${number(lines.length)} of ${count} ${lines.length === 1 ? `is no ${what}` : `are no ${what}s`}: `,
      ...shown.flatMap((one, at) => (at === 0 ? one : ['; ', ...one])),
      ...(more > 0 ? [`; and ${number(more)} more`] : []),
    ],
  };
}

/** More are a wall of text. */
const mostLeftOut = 10;

/** All of them with the number of their line, where none is left. */
export const linesRefused = words<LinesRefused>({
  happened: ({ lines }) => {
    const names = [...new Set(lines.map(({ file }) => file))];
    const these = plural(lines.length, 'line').replace(/^\d+/, number(lines.length));
    return say`${these} in ${enumerate(names.map((name) => strong(name)))} ${lines.length === 1 ? 'is' : 'are'} refused.`;
  },
  not: noChanges,
  todo: say`Correct the file, and send it again.`,
  details: ({ asked: { command }, argument, lines }) => {
    const several = lines.some(({ file }) => file !== lines[0]?.file);
    return [
      {
        kind: 'table',
        columns: [...(several ? ['File'] : []), 'Line', 'Text', 'Problem'],
        rows: lines.map(({ file, line, ...one }) => [
          ...(several ? [say`${file}`] : []),
          say`${number(line)}`,
          say`${shorten(one.word)}`,
          whyNot(command, argument, one),
        ]),
      },
    ];
  },
});

/** A click is the yes to leave the others out, and to nothing else. */
function goOnWith(count: number, asked: Asked): readonly Part[] {
  const { command } = asked;
  if (count === 0) return [];
  const verb = command.kind === 'change' ? command.verb : 'Go on with';
  const label = `${verb} the other ${number(count)}`;
  return [{ kind: 'offers', offers: [{ label, line: lineOf(asked), guess: true }] }];
}

function whyNot(command: AnyCommand, argument: string, { word, problem: why }: WrongWord): Text {
  if (why.code === 'nothing_in_column') return say`nothing stands in column ${why.column}`;
  // What a spreadsheet would run is named as such.
  return /^(?:=|[+@-].*\()/.test(word)
    ? say`not ${wantedFor(command, argument)}; it may be a formula`
    : say`not ${wantedFor(command, argument)}${problem(why)}`;
}

/** What is wanted, for people. */
export const wantedFor = (command: AnyCommand, name: string): string => command.args[name]?.what ?? name;

function problem(found: ArgumentProblem): string {
  switch (found.code) {
    case 'not_among':
      return `: it must be ${found.among.slice(0, -1).join(', ')}${found.among.length > 1 ? ' or ' : ''}${found.among.at(-1)}`;
    case 'not_a_duration':
      return ': write it like 30m, 2h or 1h30m';
    case 'too_long':
      return `: it has ${found.given} characters, and at most ${found.most} fit`;
    case 'malformed':
      return `: it must be ${found.wanted}`;
    case 'target_unknown':
      return `: it is ${found.by}, which hides the website that it leads to`;
    case 'which_site':
      return `: it is an address of ${found.outer} that holds ${found.inner.join(', ')}`;
    case 'other_rule':
      return `: it is ${found.is}`;
    case 'not_a_domain':
    case 'not_a_number':
    case 'nothing_in_column':
      return '';
    case 'out_of_range':
      return found.max === largestId
        ? `: IDs are whole numbers from 1 to ${number(largestId)}`
        : ` (from ${number(found.min)} to ${number(found.max)})`;
  }
}

export const passwordInText = say`This looks like a password. Leave it out: it would be stored and shown.`;

/** What is wrong with words from a form that others read, or the journal keeps, and that no command reads first. */
export const textProblem = (text: string): Text | undefined =>
  carriesSecret(text) ? passwordInText : undefined;

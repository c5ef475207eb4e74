import MiniSearch from 'minisearch';
import { decide } from '../src/auth/decide.ts';
import type { AnyCommand } from '../src/handlers/command.ts';
import { areaOf, isLiteral, nameOf } from '../src/handlers/command-name.ts';
import { createMatcher, type Matcher } from '../src/handlers/language/phrase.ts';
import { commands, impossibilities } from '../src/handlers/registry.ts';
import { createUnderstanding } from '../src/handlers/understanding/understand.ts';
import { asSlackSends } from '../test/commands.ts';
import { policyOf, servedTo, subjectOf, toRun } from '../test/policy.ts';
import { alternate } from './duel.ts';
import { median } from './figures.ts';
import { type Measurement, type Row, row } from './measurement.ts';

export interface MatchingPlan {
  readonly rounds: number;
  readonly warmUp: number;
}

const plan: MatchingPlan = { rounds: 40, warmUp: 10 };

/**
 * Measures the bot's work between a typed line and its answer: finding the command, and deciding whether this person may
 * run it.
 */
export const matching: Measurement = {
  name: 'matching',
  method: `the example of every command, matched among all of them and decided; median of ${plan.rounds} rounds; against a list of regular expressions that is gone through one after the other, against itself with ten times the commands; and lines that are no command, understood by their meaning, against MiniSearch alone`,
  measure: () => measureMatching(plan),
};

export async function measureMatching({ rounds, warmUp }: MatchingPlan): Promise<readonly Row[]> {
  const lines = commands.map(({ example }) => asSlackSends(example));
  const match = createMatcher(commands);
  const expressions = commands.flatMap(({ phrase, also = [] }) => [phrase, ...also].map(expressionOf));
  const many = createMatcher(tenfold(commands));

  const ours = () => timed(lines, (line) => decided(match, line));
  const tenTimes = () => timed(lines, (line) => decided(many, line));
  const listed = () => timed(lines, (line) => expressions.find((expression) => expression.test(line)));
  await alternate(warmUp, ours, listed);
  const first = await alternate(rounds, ours, listed);
  await alternate(warmUp, tenTimes, ours);
  const second = await alternate(rounds, tenTimes, ours);
  const regular = { whom: `${expressions.length} regular expressions in a row`, value: median(first.other) };
  const itself = { whom: `itself with ${commands.length}`, value: median(second.other) };
  return [
    row(`Matching and deciding a line, ${commands.length} commands`, 'µs', median(first.one), regular, {
      most: 20,
    }),
    row(`The same, ${commands.length * 10} commands`, 'µs', median(second.one), itself, { ratio: 1.3 }),
    ...(await measureUnknown(rounds)),
  ];
}

/** A line that is no command by its own words, against MiniSearch alone, which knows names and summaries and fills nothing in. */
async function measureUnknown(rounds: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [all, most] of [
    [commands, 2],
    [tenfold(commands), 10],
  ] as const) {
    const understand = createUnderstanding(all, impossibilities);
    const index = new MiniSearch<{ id: number; name: string; summary: string }>({
      fields: ['name', 'summary'],
    });
    index.addAll(all.map((command, id) => ({ id, name: nameOf(command), summary: command.summary })));
    const ours = () => timed(unknown, (line) => understand(line));
    const searched = () => timed(unknown, (line) => index.search(line, { fuzzy: 0.2, prefix: true }));
    await alternate(2, ours, searched);
    const { one, other } = await alternate(rounds, ours, searched);
    const alone = { whom: 'MiniSearch alone, names and summaries', value: median(other) / 1_000 };
    rows.push(
      row(`Understanding an unknown line, ${all.length} commands`, 'ms', median(one) / 1_000, alone, {
        most,
      }),
    );
  }
  return rows;
}

const unknown = [
  'throw bob.miller off the remote desktop',
  'how many people use the remote desktop at the moment',
  'please block tiktok.com for everybody',
  'turn off google_sni for half an hour',
  'who changed something since yesterday',
  'is the mirror still in sync with upstream',
  'restart the appliance',
  'zxcv qwer uiop',
];

/** Microseconds a line. */
async function timed(lines: readonly string[], work: (line: string) => unknown): Promise<number> {
  const began = performance.now();
  for (const line of lines) work(line);
  return ((performance.now() - began) * 1_000) / lines.length;
}

const policy = policyOf({ C0: servedTo({ admin: ['U0'] }) });
const person = { kind: 'member', id: 'U0', human: 'U0', groups: new Set<string>() } as const;

/** Throws when a line is not understood or not allowed: then something else would be measured. */
function decided(match: Matcher, line: string): void {
  const found = match(line);
  if (found.kind !== 'command' && found.kind !== 'missing') throw new Error(`"${line}" is ${found.kind}`);
  const { command } = found;
  const what = subjectOf({ name: nameOf(command), area: areaOf(command), effect: command.effect });
  if (!decide(toRun(what, person, { channel: 'C0', place: 'own' }), policy).allow)
    throw new Error(`"${line}" is not allowed`);
}

/** The usual way of chat bots: the literal words, then anything. */
const expressionOf = (phrase: string): RegExp =>
  new RegExp(
    `^${phrase
      .split(' ')
      .map((word) => (isLiteral(word) ? word.replaceAll(/\W/g, '\\$&') : '\\S+'))
      .join('\\s+')}`,
    'i',
  );

/** The same commands under the names of nine more areas each. */
function tenfold(all: readonly AnyCommand[]): readonly AnyCommand[] {
  const copies = Array.from({ length: 9 }, (_, index) =>
    all.map((command) => ({ ...command, phrase: `area${index} ${command.phrase}`, also: [] })),
  );
  return [...all, ...copies.flat()];
}

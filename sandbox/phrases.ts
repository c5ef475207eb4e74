import { readFileSync } from 'node:fs';
import { nameOf } from '../src/handlers/command-name.ts';
import { commands } from '../src/handlers/registry.ts';
import { endWithParent } from '../src/process/parent.ts';
import { type LineReader, startReading, type Understood } from './understand.ts';

/** A typed line, and its right readings. */
interface Wanted {
  readonly line: string;
  /** Names of commands, any of which is right; `impossible`, and all that must be among the choices. */
  readonly accepted: readonly string[];
  readonly isImpossible: boolean;
  readonly allOffered: boolean;
  readonly keep: readonly string[];
  readonly kind: string;
}

/** The outcomes of a line, the best first. */
const outcomes = [
  'understood',
  'first',
  'first, without arguments',
  'among three',
  'else',
  'nothing',
] as const;
type Outcome = (typeof outcomes)[number];

/** Tab-separated, with a header: line, accept, keep, kind. */
function readPhrases(text: string): readonly Wanted[] {
  return text
    .split(/\r?\n/)
    .slice(1)
    .filter((row) => row.trim() !== '' && !row.startsWith('#'))
    .map((row) => {
      const [line = '', accept = '', keep = '', kind = ''] = row.split('\t');
      const given = accept.replace(/^ASK:/, '').split('|').filter(Boolean);
      return {
        ...{
          line,
          kind,
          keep: keep
            .split(',')
            .map((word) => word.trim())
            .filter(Boolean),
        },
        accepted: given
          .filter((one) => one !== 'NONE')
          .map((one) => (one === 'UNDO' ? 'undo' : nameOf({ phrase: one }))),
        isImpossible: given.includes('NONE'),
        allOffered: accept.startsWith('ASK:'),
      };
    });
}

function outcomeOf(wanted: Wanted, found: Understood): Outcome {
  const offered = [
    ...(found.phrase === undefined ? [] : [{ phrase: found.phrase, line: found.runs ?? '' }]),
    ...found.choices,
  ];
  const isAccepted = ({ phrase }: { readonly phrase: string }) =>
    wanted.accepted.includes(nameOf({ phrase }));
  const keeps = ({ line }: { readonly line: string }) =>
    wanted.keep.every((word) => line.toLowerCase().includes(word.toLowerCase()));
  if (found.kind === 'impossible' && wanted.isImpossible) return 'understood';
  if (found.cannot !== undefined && wanted.isImpossible) return 'first';
  if (wanted.allOffered) {
    const names = offered.map(({ phrase }) => nameOf({ phrase }));
    const areThere = found.kind !== 'runs' && wanted.accepted.every((name) => names.includes(name));
    return areThere
      ? 'first'
      : offered.some(isAccepted)
        ? 'among three'
        : offered.length > 0
          ? 'else'
          : 'nothing';
  }
  const [first] = offered;
  if (first === undefined) return 'nothing';
  if (isAccepted(first)) {
    if (!keeps(first)) return 'first, without arguments';
    return found.kind === 'runs' || found.kind === 'form' ? 'understood' : 'first';
  }
  return offered.slice(0, 3).some(isAccepted) ? 'among three' : 'else';
}

/** A line of figures: how many of each outcome, and the three that must not be. */
export interface Figures {
  readonly name: string;
  readonly count: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly wrongRuns: number;
  readonly changesFirst: number;
  readonly falseRefusals: number;
}

export interface Tried {
  readonly wanted: Wanted;
  readonly found: Understood;
  readonly outcome: Outcome;
}

const isWrongRun = ({ wanted, found, outcome }: Tried): boolean =>
  found.kind === 'runs' &&
  (outcome === 'else' || wanted.allOffered || (wanted.isImpossible && wanted.accepted.length === 0));
const isChangeFirst = ({ wanted, found }: Tried): boolean =>
  wanted.kind === 'question' &&
  found.kind === 'choices' &&
  found.choices[0] !== undefined &&
  found.choices[0].effect !== 'read';
/** "The appliance can’t do that", of what a command does. */
const isFalseRefusal = ({ wanted, found }: Tried): boolean =>
  found.kind === 'impossible' && !wanted.isImpossible;

export function figuresOf(name: string, tried: readonly Tried[]): Figures {
  const count = (outcome: Outcome) => tried.filter((one) => one.outcome === outcome).length;
  return {
    ...{ name, count: tried.length },
    outcomes: Object.fromEntries(outcomes.map((one) => [one, count(one)])) as Record<Outcome, number>,
    wrongRuns: tried.filter(isWrongRun).length,
    changesFirst: tried.filter(isChangeFirst).length,
    falseRefusals: tried.filter(isFalseRefusal).length,
  };
}

function rowOf({ name, count, outcomes: counts, wrongRuns, changesFirst, falseRefusals }: Figures): string {
  const share = (some: number) => `${((100 * some) / Math.max(count, 1)).toFixed(0)} %`;
  const right = counts.understood + counts.first;
  return `| ${[name, count, share(right), ...outcomes.map((one) => counts[one]), wrongRuns, changesFirst, falseRefusals].join(' | ')} |`;
}

/** The area of the right answer for a line: that of the first accepted command. */
const areaOf = ({ accepted, isImpossible }: Wanted): string => {
  const command = commands.find((one) => accepted.includes(nameOf(one)));
  return command?.phrase.split(' ', 1)[0] ?? (isImpossible ? 'impossible' : (accepted[0] ?? ''));
};

/** Has every line of such a file read. */
export async function tryPhrases(
  file: string,
  { read }: Pick<LineReader, 'read'>,
): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  for (const wanted of readPhrases(readFileSync(file, 'utf8'))) {
    const found = await read(wanted.line);
    tried.push({ wanted, found, outcome: outcomeOf(wanted, found) });
  }
  return tried;
}

/** @returns the exit code */
async function main([file, ...rest]: readonly string[]): Promise<number> {
  if (file === undefined || rest.length > 0) {
    process.stderr.write(
      'Usage:\n\nnpm run phrases -- FILE\n    Reports how well the bot understands the lines in FILE, which is tab-separated with the columns line, accept, keep\n    and kind, and a header. Nothing is run.\n',
    );
    return 2;
  }
  const reader = await startReading('dana', 'helpdesk');
  try {
    const tried = await tryPhrases(file, reader);
    const by = (nameFor: (one: Tried) => string) =>
      [...Map.groupBy(tried, nameFor)]
        .toSorted(([one], [other]) => one.localeCompare(other))
        .map(([name, some]) => figuresOf(name, some));
    const head = [
      '',
      'lines',
      'right',
      ...outcomes,
      'wrong command run',
      'question answered with a change first',
      'possible, answered with “can’t”',
    ];
    const rows = [
      ...by(({ wanted }) => areaOf(wanted)),
      ...by(({ wanted }) => wanted.kind),
      figuresOf('all', tried),
    ];
    process.stdout.write(
      `| ${head.join(' | ')} |\n|${head.map(() => ' --- ').join('|')}|\n${rows.map(rowOf).join('\n')}\n`,
    );
    const missed = tried.filter(({ outcome }) => outcome !== 'understood' && outcome !== 'first');
    const forbidden = [
      ['wrong command run', isWrongRun],
      ['change first', isChangeFirst],
      ['“can’t”', isFalseRefusal],
    ] as const;
    for (const [name, isSo] of forbidden) {
      for (const { wanted } of tried.filter(isSo)) process.stdout.write(`${name}: ${wanted.line}\n`);
    }
    for (const { wanted, found, outcome } of missed) {
      const got = [found.runs, ...found.choices.map(({ line }) => line)].filter((one) => one !== undefined);
      process.stdout.write(
        `${outcome}: ${wanted.line} (${wanted.accepted.join(' or ')}; ${found.kind}: ${got.join(', ')})\n`,
      );
    }
    return 0;
  } finally {
    await reader.stop();
  }
}

if (import.meta.main) {
  endWithParent(process.env);
  process.exitCode = await main(process.argv.slice(2));
}

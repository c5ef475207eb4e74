import { columns } from '../columns.ts';
import { blowNames } from './blows.ts';
import type { Finding, Findings } from './checker.ts';
import { meaningOf } from './orders.ts';
import type { Round } from './round.ts';

/** The results of all rounds on one kind of store. */
export interface Tally {
  readonly store: string;
  readonly rounds: readonly Round[];
}

const kindsOfFinding = [
  'lost',
  'doubled',
  'impossible',
  'untrue',
  'twice',
  'untold',
  'dead',
  'endless',
] as const satisfies readonly (keyof Findings)[];

const heads = [
  ...['store', 'kills', 'freezes', 'disk full', 'database away', 'clock jumps'],
  ...['typed', 'acknowledged', 'told', 'lost', 'orders', 'doubled', 'impossible', 'false'],
  ...['twice', 'untold', 'dead buttons', 'without an end'],
];

/** As Markdown. */
export function randomTable(tallies: readonly Tally[]): string {
  return columns([heads, ...tallies.map(cellsOf)]);
}

function cellsOf({ store, rounds }: Tally): readonly string[] {
  const count = (of: (round: Round) => number) => rounds.reduce((sum, round) => sum + of(round), 0);
  const typed = count(({ testimony }) => testimony.typed.length);
  const acknowledged = count(
    ({ testimony }) => testimony.typed.filter(({ isAcknowledged }) => isAcknowledged).length,
  );
  const found = (kind: keyof Findings) => count(({ findings }) => findings[kind].length);
  const lost = found('lost');
  const numbers = [
    ...blowNames.map((name) => count(({ blows }) => blows.filter((blow) => blow.name === name).length)),
    ...[typed, acknowledged, acknowledged - lost, lost, count(({ testimony }) => testimony.orders.length)],
    ...kindsOfFinding.filter((kind) => kind !== 'lost').map(found),
  ];
  return [store, ...numbers.map(String)];
}

export const isFine = ({ findings }: Pick<Round, 'findings'>): boolean =>
  kindsOfFinding.every((kind) => findings[kind].length === 0);

/** Everything that was found in a round, each with what every witness says, and how to see it again. */
export function complaints(round: Round): readonly string[] {
  const { kills, store, seed, only } = round;
  const named = only.length < blowNames.length ? only.map((name) => ` --only "${name}"`).join('') : '';
  const again = `npm run kills -- --random ${kills} --store ${store} --seed ${seed}${named}`;
  return kindsOfFinding.flatMap((kind) =>
    round.findings[kind].map((finding) =>
      [`✗ ${names[kind]}: ${finding.words}`, ...witnesses(round, finding), `  again: ${again}`].join('\n'),
    ),
  );
}

const names: Readonly<Record<keyof Findings, string>> = {
  lost: 'lost',
  doubled: 'doubled',
  impossible: 'impossible',
  untrue: 'false',
  twice: 'twice',
  untold: 'untold',
  dead: 'dead button',
  endless: 'without an end',
};

/** How much of each is shown. */
const most = 12;

function witnesses({ testimony, blows }: Round, { number }: Finding): readonly string[] {
  if (number === undefined || Number.isNaN(number)) return [];
  const { typed, clicks, read, orders, journal, told: events } = testimony;
  const mentions = (text: string) => text.includes(String(number));
  const said = read.filter(({ text }) => mentions(text));
  const about = new Set(said.map(({ channel, id }) => `${channel} ${id}`));
  const inThread = read.filter(({ channel, thread }) => about.has(`${channel} ${thread}`));
  const asked = typed.filter((one) => one.number === number);
  const from = asked[0]?.at ?? 0;
  const told = asked[0] === undefined ? [] : generic(testimony, asked[0]);
  const story: readonly (readonly [number, string])[] = [
    ...asked.map(
      ({ at, person, line, isAcknowledged }) =>
        [at, `${person} types “${line}”, ${isAcknowledged ? 'acknowledged' : 'not acknowledged'}`] as const,
    ),
    ...clicks.flatMap(({ at, person, label, number: other }) =>
      other === number ? [[at, `${person} presses ${label}`] as const] : [],
    ),
    ...[...new Set([...said, ...inThread, ...told])].map(
      ({ at, to, text }) =>
        [
          at,
          `workspace${to === undefined ? '' : `, to ${to} alone`}: ${text.split('\n')[0]?.slice(0, 140)}`,
        ] as const,
    ),
    ...orders.flatMap(({ at, method, path, intents }) =>
      meaningOf(method, path)?.number === number
        ? [
            [
              at,
              `appliance: ${method} ${path}; meant: ${intents?.join(', ') ?? 'could not be asked'}`,
            ] as const,
          ]
        : [],
    ),
    ...events.flatMap(({ at, type, action, id }) =>
      journal.some((row) => row.id === action && mentions(row.line))
        ? [[at, `told another system: ${type} of ${action} (${id})`] as const]
        : [],
    ),
  ];
  const rows = journal.filter(({ line }) => mentions(line));
  const last = story.reduce((latest, [at]) => Math.max(latest, at), from);
  const around = blows
    .filter(({ at }) => at > from - 5_000 && at < last + 5_000)
    .map(({ at, name, words }) => [at, `— ${name}: ${words}`] as const);
  return [
    ...[...story, ...around]
      .toSorted(([one], [other]) => one - other)
      .slice(0, 4 * most)
      .map(([at, words]) => `  ${at - from} ms: ${words}`),
    `  journal: ${rows.map(({ line, state, id }) => `${line} is ${state} (${id})`).join('; ') || 'nothing'}`,
  ];
}

/** Messages without a line that this person got after typing this one. */
const generic = ({ read }: Testimony, { person, at }: { person: string; at: number }) =>
  read.filter(({ to, text, at: said }) => to === person && said >= at && !/1\d{6}/.test(text)).slice(0, 3);

type Testimony = Round['testimony'];

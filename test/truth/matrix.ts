import type { GenerationName } from '../../sandbox/appliance/generations/names.ts';
import { type Fault, fieldFaults } from '../../sandbox/appliance/kinds.ts';
import { operations } from '../../src/api/index.ts';
import type { AnyCommand } from '../../src/handlers/command.ts';
import type { Action } from '../../src/journal/journal.ts';
import { type Examples, startExamples } from '../example-runner.ts';
import { claimOf, headlineOf, type Look } from './judge.ts';
import { changedPlaces, snapshot } from './state.ts';
import { type Way, waysOfChanges, waysOfCompiles, waysOfLookups } from './ways.ts';

/** One command on one generation, answered in one way. */
export interface Case {
  readonly command: string;
  readonly generation: GenerationName;
  /** Undefined where nothing goes wrong. */
  readonly way: Way | undefined;
  readonly isChange: boolean;
  /** Some of them may not be there, or be so already. */
  readonly takesSeveral: boolean;
  /** When it was answered, and when so much time has passed that nothing is to come any more. */
  readonly looks: readonly Look[];
  /** The same command where nothing goes wrong. */
  readonly clean: Look;
}

const operationOf = new Map(
  [...operations].map(([name, { method, methodShown, path, effect }]) => [
    `${methodShown ? method : '-'} ${path}`,
    { name, effect },
  ]),
);
const isOrder = (name: string) => operationOf.get(name)?.effect !== 'read';

/** Operations that bring changes into force, beside the order itself. */
const compiles: ReadonlySet<string> = new Set([
  '- /proxy/acls/compile',
  'GET /categories/{id}/compile',
  'GET /webfilter/rules/compile',
]);

/** Operations that report the identity of an appliance. */
const naming = ['- /appliance_version', '- /status'];

/** Something else brings it into force. */
const isApplied = (command: AnyCommand): boolean =>
  command.kind === 'change' && (command.requires !== undefined || command.gathers !== undefined);

/** Milliseconds: late answers are not awaited for long. */
const timeouts = { read: 0.4, whole: 0.6, long: 0.8 };
const late = 1_200;

export interface Matrix {
  readonly examples: Examples;
  /** The requests of a command's line without faults, and the changes that they make. */
  readonly clean: (command: AnyCommand, given?: Partial<Typed>) => Promise<Clean>;
  readonly play: (command: AnyCommand, clean: Clean, way: Way) => Promise<Case>;
}

/** The line for a command: its example unless told otherwise. */
interface Typed {
  readonly before: readonly string[];
  readonly line: string;
}

/** Lines for a command that takes several things: with one more that there is not, and the same where the others are done already. */
export function linesForSeveral(command: AnyCommand): readonly Typed[] {
  if (command.kind !== 'change' || command.each === undefined) return [];
  const { example } = command;
  const line = example.replace(/(?<= )\.?[\w-]+(?:\.[\w-]+)+/, '$& nothere.example');
  return [
    { before: [], line },
    { before: [example], line },
  ];
}

interface Clean {
  readonly result: Case;
  /** In which ways it can be answered. */
  readonly ways: readonly Way[];
  readonly orders: readonly string[];
  readonly questions: readonly string[];
  readonly compiles: readonly string[];
}

/** Some commands have nothing to show where everything is compiled. */
const needsPending: ReadonlySet<string> = new Set(['apply', 'pending']);

export async function startMatrix(generation: GenerationName): Promise<Matrix> {
  const examples = await startExamples({ generation, timeouts });
  const { bot, appliance } = examples.sandbox;
  if (appliance === undefined) throw new Error('The appliance is simulated');

  interface Before {
    readonly state: unknown;
    readonly waiting: number;
  }

  /** How many changes are configured and not in force. */
  const waiting = () =>
    (appliance?.pending() ?? [])
      .filter(({ until }) => compiles.has(until))
      .reduce((sum, { count }) => sum + count, 0);

  interface Given {
    /** Before anything is done, also what the example needs. */
    readonly atStart?: () => void;
    /** Before anything is typed. */
    readonly atFirst?: () => void;
    /** At the first request of one of these operations, before it is answered. */
    readonly orders?: readonly string[];
    readonly atOrder?: () => void;
    readonly atYes?: () => void;
    /** So long is looked on, in milliseconds, where it is not over before. */
    readonly lasts?: number;
  }

  async function run(
    command: AnyCommand,
    { before: earlier = [], line = command.example }: Partial<Typed>,
    { atStart, atFirst, orders, atOrder, atYes, lasts = 0 }: Given = {},
  ) {
    const isHeld = needsPending.has(command.phrase);
    await examples.prepare(command, !isHeld, earlier, atStart);
    // In Global Emergency an appliance of the field names nothing, so nobody can tell it from another one.
    const isNamed = generation === 'document' || appliance?.state.directory.globalEmergency !== true;
    const asked = appliance?.requests.length ?? 0;
    const before = { state: snapshot(appliance?.state ?? {}), waiting: waiting() };
    const looks: Look[] = [];
    atFirst?.();
    let waits = atOrder !== undefined;
    const watching = appliance?.onChange(() => {
      const { operation } = appliance?.requests.at(-1) ?? {};
      if (!waits || operation === undefined || !orders?.includes(operation)) return;
      waits = false;
      atOrder?.();
    });
    let isAsked = false;
    const action = await examples.run(line, () => {
      isAsked = true;
      atYes?.();
    });
    await bot.answered();
    const requests = () => (appliance?.requests ?? []).slice(asked);
    await settled(requests());
    if (!isHeld) {
      await examples.compiled();
      await settled(requests());
    }
    looks.push(await look(command, action, before));
    const isOpen = looks.at(-1)?.claim === 'unknown';
    if (!isHeld && (lasts > 0 || isOpen)) {
      for (let passed = 0; passed < (isOpen ? longest : lasts); passed += step) await examples.pass(step);
      looks.push(await look(command, action, before));
    }
    if (isHeld) await examples.compiled();
    watching?.();
    appliance?.faults.clear();
    return { looks, isAsked, isNamed, requests: requests() };
  }

  async function look(command: AnyCommand, given: Action | undefined, before: Before): Promise<Look> {
    const action = given && (await bot.journal.byId(given.id));
    // First, because whatever is due by now is done where somebody looks.
    const state = appliance?.state ?? {};
    const all = [...changedPlaces(before.state, state)];
    const isConfigured = (place: string) => !isApplied(command) || !inForce.test(place);
    return {
      claim: claimOf(action),
      headline: headlineOf(action),
      text: examples.said(),
      places: new Set(all.filter(isConfigured)),
      isLive: waiting() <= before.waiting,
    };
  }

  const setAll = (names: readonly string[], fault: Fault) => {
    for (const name of names) appliance.faults.set(name, fault);
  };

  return {
    examples,
    clean: async (command, given = {}) => {
      const { looks, isAsked, isNamed, requests } = await run(command, given);
      const names = [...new Set(requests.flatMap(({ operation }) => (operation ? [operation] : [])))];
      const isChange = command.kind === 'change';
      const isCompile = (name: string) => isApplied(command) && compiles.has(name);
      const orders = names.filter((name) => isOrder(name) && !isCompile(name));
      // The release is asked for by the client itself, whatever the command.
      const questions = names.filter((name) => !isOrder(name) && name !== '- /appliance_version');
      const [clean] = looks;
      if (clean === undefined) throw new Error('There is always a first look');
      return {
        orders,
        questions,
        compiles: names.filter(isCompile),
        // A command of the bot's own state asks no appliance.
        ways: isChange
          ? [
              ...(orders.length > 0 ? waysOfChanges : []).filter(
                (way) => (isAsked && isNamed) || way.hits !== 'questions after the yes',
              ),
              ...(names.some(isCompile) ? waysOfCompiles : []),
            ]
          : questions.length > 0
            ? waysOfLookups
            : [],
        result: {
          ...{ command: command.phrase, generation, way: undefined, isChange, looks, clean },
          takesSeveral: isChange && command.each !== undefined,
        },
      };
    },
    play: async (command, { orders, questions, compiles, result }, way) => {
      const given = fieldFaults[way.fault];
      const fault: Fault = given.kind === 'slow' ? { ...given, ms: late } : given;
      // A question may be asked again and again.
      const { times: _, ...always } = fault;
      const lasts = fault.kind === 'stale' || fault.kind === 'later' ? longest : 0;
      const { looks } = await run(command, {}, { ...givenIn(), lasts });
      return { ...result, way, looks };

      function givenIn(): Given {
        switch (way.hits) {
          case 'order':
            return { atFirst: () => setAll(orders, fault) };
          case 'compile':
            return { atFirst: () => setAll(compiles, fault) };
          case 'idle compile':
            return { atFirst: () => setAll([...compiles], { ...fault, happens: false } as Fault) };
          case 'questions':
            return { atFirst: () => setAll(questions, always) };
          case 'questions after the order':
            return { orders, atOrder: () => setAll(questions, always) };
          case 'questions after a lost order':
            return {
              orders,
              atFirst: () => setAll(orders, { kind: 'status', status: 502 }),
              atOrder: () => setAll(questions, always),
            };
          case 'questions after the yes':
            return {
              // As long as it is the same, it always tells the same of itself.
              atStart: () => setAll(naming, itself),
              atYes: () => setAll(naming, otherThan(itself, fault)),
            };
        }
      }
    },
  };
}

/** As it calls itself before somebody puts another one in its place. */
const itself = {
  kind: 'identity',
  hostname: 'gw-1.corp.example',
  serial: 'SN-4711-01',
  service_pack: '5',
} as const;

const otherThan = (one: Fault, other: Fault): Fault => ({
  ...one,
  ...Object.fromEntries(Object.entries(other).filter(([, value]) => value !== '')),
});

/** As the proxy goes by it, or will when it is compiled. */
const inForce =
  /^(?:(?:acl|ssl)[/]live|categories[/](?:background|all[/][^/]+[/](?:compiled|live)))(?:[/]|$)/;

/** Milliseconds for which the bot looks for an unseen effect, and between two looks. */
const longest = 12 * 60_000;
const step = 30_000;

/** The simulator may still work on an abandoned request, whose effect would appear in the next case. */
async function settled(requests: readonly { readonly isDone?: boolean }[]): Promise<void> {
  for (let waited = 0; waited < 3_000 && requests.some(({ isDone }) => !isDone); waited += 50)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

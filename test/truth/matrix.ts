import type { GenerationName } from '../../sandbox/appliance/generations/names.ts';
import { fieldFaults } from '../../sandbox/appliance/kinds.ts';
import { operations } from '../../src/api/index.ts';
import type { AnyCommand } from '../../src/handlers/command.ts';
import type { Action } from '../../src/journal/journal.ts';
import { type Examples, startExamples } from '../example-runner.ts';
import { changedPlaces, snapshot } from './state.ts';

/** How an appliance answers the order of a command, or its questions. */
export type Way = 'yes' | keyof typeof fieldFaults;

/** One command on one generation, answered in one way: what the bot said, and what the appliance's own state shows. */
export interface Case {
  readonly command: string;
  readonly generation: GenerationName;
  readonly way: Way;
  /** Whether the order or the questions were answered so. */
  readonly of: 'order' | 'questions';
  readonly claim: Claim;
  readonly shows: Shows;
  /** What the bot said, in a line. */
  readonly said: string;
}

/** What the bot holds to be so, by how the action ended in the journal. */
type Claim = 'done' | 'in part' | 'accepted' | 'not done' | 'unknown' | 'answered' | 'could not be asked';
/** Whether the state has become what the same order makes of it where nothing goes wrong. */
type Shows = 'changed' | 'in part' | 'unchanged';

export type Falsehood = 'false success' | 'false failure' | 'false answer';

/** What is false in a case; undefined where nothing is. A word such as *unknown* says nothing, and is true of everything. */
export function falsehoodIn({ claim, shows, of, way }: Case): Falsehood | undefined {
  if (claim === 'done' && shows === 'unchanged') return 'false success';
  if (claim === 'not done' && shows !== 'unchanged') return 'false failure';
  return of === 'questions' && way !== 'yes' && claim === 'answered' ? 'false answer' : undefined;
}

const operationOf = new Map(
  [...operations].map(([name, { method, methodShown, path, effect }]) => [
    `${methodShown ? method : '-'} ${path}`,
    { name, effect },
  ]),
);

/** Milliseconds: nobody waits long for what comes late. */
const timeouts = { read: 0.4, whole: 0.6, long: 0.8 };
const late = 1_200;

export interface Matrix {
  readonly examples: Examples;
  /** What the example of a command asks and orders, and what that changes, where nothing goes wrong. */
  readonly clean: (command: AnyCommand) => Promise<Clean>;
  readonly play: (
    command: AnyCommand,
    clean: Clean,
    way: Exclude<Way, 'yes'>,
    of: Case['of'],
  ) => Promise<Case>;
}

interface Clean {
  readonly result: Case;
  readonly orders: readonly string[];
  readonly questions: readonly string[];
  readonly places: ReadonlySet<string>;
}

export async function startMatrix(generation: GenerationName): Promise<Matrix> {
  const examples = await startExamples({ generation, timeouts });
  const { appliance } = examples.sandbox;
  if (appliance === undefined) throw new Error('The appliance is simulated');

  /** Resolves to the places that have changed. */
  async function run(command: AnyCommand, prepare: () => void) {
    await examples.prepare(command);
    const asked = appliance?.requests.length ?? 0;
    const before = snapshot(appliance?.state ?? {});
    prepare();
    const action = await examples.run(command.example);
    await examples.sandbox.bot.answered();
    // What came late is carried out, too.
    appliance?.faults.clear();
    const requests = (appliance?.requests ?? []).slice(asked);
    await settled(requests);
    const ended = action && (await examples.sandbox.bot.journal.byId(action.id));
    const places = changedPlaces(before, snapshot(appliance?.state ?? {}));
    return { ended, places, requests };
  }

  return {
    examples,
    clean: async (command) => {
      const { ended, places, requests } = await run(command, () => undefined);
      const names = [...new Set(requests.flatMap(({ operation }) => (operation ? [operation] : [])))];
      const isOrder = (name: string) => operationOf.get(name)?.effect !== 'read';
      return {
        orders: names.filter(isOrder),
        // The release is asked for by the client itself, whatever the command.
        questions: names.filter((name) => !isOrder(name) && name !== '- /appliance_version'),
        places,
        result: {
          ...{ command: command.phrase, generation, way: 'yes', of: 'order' },
          ...{ claim: claimOf(ended), shows: places.size > 0 ? 'changed' : 'unchanged', said: saidIn(ended) },
        },
      };
    },
    play: async (command, clean, way, of) => {
      const fault = fieldFaults[way];
      const { ended, places } = await run(command, () => {
        for (const name of of === 'order' ? clean.orders : clean.questions) {
          // A question may be asked again and again.
          const { times: _, ...always } = fault;
          appliance.faults.set(name, {
            ...(of === 'order' ? fault : always),
            ...(fault.kind === 'slow' && { ms: late }),
          });
        }
      });
      const as = [...clean.places].filter((place) => places.has(place)).length;
      const shows = as === 0 ? 'unchanged' : as === clean.places.size ? 'changed' : 'in part';
      return {
        ...{ command: command.phrase, generation, way, of },
        ...{ claim: claimOf(ended), shows, said: saidIn(ended) },
      };
    },
  };
}

function claimOf(action: Action | undefined): Claim {
  switch (action?.state) {
    case 'done':
      // One of several questions was not answered, and the headline says so.
      if (action.effect === 'read')
        return /could not be asked/i.test(saidIn(action)) ? 'could not be asked' : 'answered';
      return action.outcome?.code === 'accepted' ? 'accepted' : 'done';
    case 'failed':
    case 'refused':
      if (action.outcome?.code === 'in_part' || hasDoneLines(action)) return 'in part';
      return action.effect === 'read' || action.effect === undefined ? 'could not be asked' : 'not done';
    default:
      return 'unknown';
  }
}

/** A plan that stopped says how many of its lines were done before. */
const hasDoneLines = ({ outcome }: Action): boolean =>
  outcome?.code === 'plan_stopped' && /\. \d+ lines? done/.test(outcome.says);

const saidIn = (action: Action | undefined): string => action?.outcome?.says ?? action?.state ?? 'nothing';

/** The simulator may be at a request that the bot has given up: what came of it then would be found in the next case. */
async function settled(requests: readonly { readonly isDone?: boolean }[]): Promise<void> {
  for (let waited = 0; waited < 3_000 && requests.some(({ isDone }) => !isDone); waited += 50)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

import { randomBytes } from 'node:crypto';
import type { Changes } from '../changes.ts';
import type { Step, StepRun } from './step.ts';

type Values = Readonly<Record<string, unknown>>;

/** A step of the app in a workflow that somebody started. */
export interface Execution {
  readonly id: string;
  readonly workflow: string;
  /** The token that the app uses in place of its bot token while the step runs (`bot_access_token`). */
  readonly token: string;
  readonly step: Step;
  readonly by: string;
  /** The channel in which the workflow was started. */
  readonly channel: string | undefined;
  readonly inputs: Values;
  ended:
    | { readonly state: 'completed'; readonly outputs: Values }
    | { readonly state: 'failed'; readonly error: string }
    | undefined;
}

const remembered = 1000;
/** How many runs a person is shown. */
const shown = 50;

/** All steps that ran and run. */
export class Executions {
  readonly #changes: Changes;
  readonly #all = new Map<string, Execution>();
  readonly #byToken = new Map<string, Execution>();

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  start(begun: Pick<Execution, 'step' | 'by' | 'channel' | 'inputs'>): Execution {
    const execution = {
      ...begun,
      id: id('Fx'),
      workflow: id('Wx'),
      token: `xwfp-sandbox-${randomBytes(12).toString('hex')}`,
      ended: undefined,
    };
    this.#all.set(execution.id, execution);
    this.#byToken.set(execution.token, execution);
    const oldest = this.#all.values().next().value;
    if (this.#all.size > remembered && oldest !== undefined) {
      this.#all.delete(oldest.id);
      this.#byToken.delete(oldest.token);
    }
    this.#changes.tell({ type: 'step', user: begun.by });
    return execution;
  }

  end(execution: Execution, ended: NonNullable<Execution['ended']>): void {
    execution.ended = ended;
    this.#changes.tell({ type: 'step', user: execution.by });
  }

  find(wanted: string): Execution | undefined {
    return this.#all.get(wanted);
  }

  withToken(token: string): Execution | undefined {
    return this.#byToken.get(token);
  }

  /** The runs that a person started, oldest first. */
  startedBy(person: string): readonly StepRun[] {
    const own = [...this.#all.values()].filter(({ by }) => by === person).slice(-shown);
    return own.map(({ id: execution, step, inputs, ended }) => ({
      function_execution_id: execution,
      callback_id: step.callback_id,
      inputs,
      ...(ended ?? { state: 'running' }),
    }));
  }
}

const id = (prefix: string): string => prefix + randomBytes(5).toString('hex').toUpperCase();

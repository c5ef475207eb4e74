import { z } from 'zod';
import type { DeliveryFault, DownloadFault, Fault } from '../../../sandbox/workspace/faults.ts';
import type { Workspace as Inside } from '../../../sandbox/workspace/workspace.ts';
import { mustBeAmong } from './names.ts';

/** How often, and to whom, something goes wrong. */
export interface Times {
  /** For so many of them, 1 when absent; `Infinity` until `clear`. */
  readonly times?: number;
}

/**
 * Faults on purpose. All but downloads can also be triggered on the page. Several faults of one call happen in
 * the order of their requests.
 */
export interface BadDays {
  /**
   * The next calls of the app of this method of the Web API suffer this: `'chat.postMessage'`, also `'response_url'`, `'upload'` for
   * the bytes of a file, and `'*'` for whatever it calls. `person`: only calls that are about them.
   * @throws RangeError for a call or a fault that there is not
   */
  call(method: string, fault: Fault, options?: Times & { readonly person?: string }): void;
  /** The next commands, interactions and events on their way to the app suffer this. @throws RangeError for a fault that there is not */
  delivery(fault: DeliveryFault, options?: Times): void;
  /** The next downloads of files suffer this. @throws RangeError for a fault that there is not */
  download(fault: DownloadFault, options?: Times): void;
  /** Takes a scope of the manifest away from the app's token. @throws RangeError for any other */
  withhold(scope: string): void;
  grant(scope: string): void;
  /**
   * The state of the app for Slack: its plan, the validity of its tokens, and the blocks that the workspace
   * knows.
   */
  turn(switches: {
    /** On the free plan there are no user groups: Slack refuses `usergroups.*`. */
    readonly plan?: 'paid' | 'free';
    /** `revoked`: Slack answers `token_revoked`; `removed`: `account_inactive`. */
    readonly botToken?: 'valid' | 'revoked' | 'removed';
    /** `revoked`: the app can open no connection. Those that are open stay open. */
    readonly appToken?: 'valid' | 'revoked';
    /** `classic`: a workspace that does not know charts and tables yet, and refuses what holds them. */
    readonly blocks?: 'all' | 'classic';
  }): void;
  /**
   * Disturbs the app's Socket Mode connections: they break (`cut`), Slack asks to reconnect (`refresh`) or
   * announces that (`warn`), or nothing passes any more while both ends consider them open (`freeze`).
   */
  connections(how: 'cut' | 'refresh' | 'warn' | 'freeze'): void;
  /**
   * Hands the app once more what it was handed last, or what has this ID among `deliveries()`, as after a lost acknowledgement.
   * @throws Error when there is none
   */
  redeliver(id?: string): Promise<void>;
  /**
   * A person does once more the last thing that anybody did (a command, a click, a form, a shortcut), or what has this ID among
   * `deliveries()`, as from a screen that has not caught up: to the app it is no repetition, for its trigger is new.
   * @throws Error when there is none
   */
  repeat(id?: string): Promise<void>;
  /** Ends all faults. Closed connections stay closed. */
  clear(): void;
}

const seconds = z.int().min(1);
const milliseconds = z.int().min(1);

const downloadFault = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rate_limited'), retryAfter: seconds }),
  z.strictObject({ kind: z.literal('http'), status: z.int().min(400).max(599) }),
  z.strictObject({ kind: z.literal('hang') }),
  z.strictObject({ kind: z.literal('close'), when: z.enum(['before', 'after']) }),
  z.strictObject({ kind: z.literal('delay'), ms: milliseconds }),
  z.strictObject({ kind: z.literal('login_page') }),
  z.strictObject({
    kind: z.literal('cut_short'),
    bytes: z.int().min(0),
    ends: z.enum(['broken', 'cleanly']),
  }),
  z.strictObject({ kind: z.literal('slow'), ms: milliseconds }),
  z.strictObject({ kind: z.literal('redirect'), to: z.url() }),
]);

export function badDaysOf(inside: Inside): BadDays {
  return {
    call(method, fault, options = {}) {
      const { times, person } = timesIn(options, ['times', 'person']);
      inside.steer({
        ...{ act: 'misbehave', call: method, fault },
        ...(Number.isFinite(times) && { times }),
        ...(person !== undefined && { person }),
      });
    },
    delivery(fault, options = {}) {
      const { times } = timesIn(options, ['times']);
      inside.steer({ act: 'deliver', fault, ...(Number.isFinite(times) && { times }) });
    },
    download(fault, options = {}) {
      inside.faults.next('download', read(downloadFault, fault), timesIn(options, ['times']).times);
    },
    withhold: (scope) => inside.steer({ act: 'grant', scope, granted: false }),
    grant: (scope) => inside.steer({ act: 'grant', scope, granted: true }),
    turn: (switches) => inside.steer({ act: 'turn', switches: { ...switches } }),
    connections(how) {
      mustBeAmong('Connections cannot', how, ['cut', 'refresh', 'warn', 'freeze']);
      inside.steer({ act: 'connections', how });
    },
    redeliver: async (id) => void (await inside.redeliver(id)),
    async repeat(id = lastAct(inside)) {
      if (id === undefined) throw new Error('Nobody has done anything that could be done again.');
      await inside.repeat(id);
    },
    clear: () => inside.steer({ act: 'reset' }),
  };
}

const lastAct = (inside: Inside): string | undefined =>
  inside.log.envelopes().findLast(({ kind }) => kind !== 'events_api')?.id;

function timesIn<Given extends Times>(given: Given, known: readonly string[]): Given & { times: number } {
  for (const name of Object.keys(given)) mustBeAmong('There is no option', name, known);
  const { times = 1 } = given;
  if (times !== Number.POSITIVE_INFINITY && !(Number.isInteger(times) && times > 0))
    throw new RangeError(`times is a whole number from 1 on, or Infinity, and not ${times}.`);
  return { ...given, times };
}

function read<Given>(shape: z.ZodType, given: Given): Given {
  const { error } = shape.safeParse(given);
  if (error === undefined) return given;
  throw new RangeError(`${JSON.stringify(given)} is no fault: ${z.prettifyError(error)}`);
}

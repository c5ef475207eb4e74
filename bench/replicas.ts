import pg from 'pg';
import type { BotProcess } from '../sandbox/process.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import type { ChannelOption, PersonOption } from '../sandbox/workspace/people.ts';
import { startPostgres } from '../test/postgres.ts';

/** Three bots, each a process of its own, on one workspace and one PostgreSQL that waits for the disk. */
export interface ReplicasOptions {
  /** Somebody who may do everything, and those who may approve it. */
  readonly people: { readonly operators: number; readonly approvers: number };
  readonly channels: number;
  /** Beside the headquarters. */
  readonly branches: number;
  /** The `approvals` of the policy. */
  readonly approvals?: readonly unknown[];
}

export interface Replicas {
  readonly sandbox: Sandbox;
  readonly operators: readonly string[];
  readonly approvers: readonly string[];
  readonly channels: readonly string[];
  /** Kills the one with this number at once, and starts it again, as a supervisor does. */
  readonly kill: (number: number) => Promise<void>;
  /** Reads from their journal. */
  readonly rows: (query: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

const count = 3;

/** Starts them, lets something happen to them, and clears everything away. */
export async function withReplicas<Result>(
  options: ReplicasOptions,
  happens: (replicas: Replicas) => Promise<Result>,
): Promise<Result> {
  const operators = people('U0OPS', 'operator', options.people.operators);
  const approvers = people('U0YES', 'approver', options.people.approvers);
  const channels = Array.from(
    { length: options.channels },
    (_, index): ChannelOption => ({ id: `C0BENCH${four(index)}`, name: `bench-${index}`, topic: '' }),
  );
  const groups = {
    S0OPERATOR: operators.map(({ id }) => id),
    S0APPROVER: approvers.map(({ id }) => id),
  };
  const roles = { viewer: 'everyone', operator: ['S0OPERATOR'], approver: ['S0APPROVER'] };
  const postgres = await startPostgres(['fsync=on']);
  try {
    const url = postgres.urlOf('postgres');
    const sandbox = await startSandbox({
      replicas: 0,
      branches: options.branches,
      workspace: {
        people: [...operators, ...approvers],
        channels,
        userGroups: Object.entries(groups).map(([id, users]) => ({ id, handle: id.toLowerCase(), users })),
      },
      policy: {
        channels: Object.fromEntries(
          channels.map(({ id, name }) => [id, { name, appliance: 'hq', appliances: 'all', roles }]),
        ),
        ...(options.approvals && { approvals: options.approvals }),
      },
      environment: { DATABASE_URL: url, LOG_LEVEL: 'fatal' },
    });
    const reader = new pg.Client(url);
    const bots: BotProcess[] = [];
    try {
      await reader.connect();
      for (let number = 0; number < count; number += 1) bots.push(await sandbox.spawnBot(number));
      return await happens({
        sandbox,
        operators: groups.S0OPERATOR,
        approvers: groups.S0APPROVER,
        channels: channels.map(({ id }) => id),
        kill: async (number) => {
          await bots[number]?.kill();
          bots[number] = await sandbox.spawnBot(number);
        },
        rows: async (query) => (await reader.query<Readonly<Record<string, unknown>>>(query)).rows,
      });
    } finally {
      await sandbox.stop();
      await reader.end();
    }
  } finally {
    await postgres.remove();
  }
}

const people = (prefix: string, name: string, length: number): readonly PersonOption[] =>
  Array.from({ length }, (_, index) => ({ id: `${prefix}${four(index)}`, name: `${name}-${index}` }));

const four = (index: number): string => String(index).padStart(4, '0');

import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import type { NumberOption, TextOption } from '../appliance/kinds.ts';
import { done, refused } from './acted.ts';
import type { DeliveryFault, Fault } from './faults.ts';
import { methods } from './methods.ts';
import type { Acted, ConnectionTrouble, SlackNow } from './protocol.ts';
import { type TroubleKind, troubleKinds } from './trouble-kinds.ts';
import type { World } from './world.ts';

/** The requested act; its faults and names are not checked yet. */
export type GivenAct = z.infer<typeof actSchema>;

/** Faults of Slack, and the requests for them from outside. */

const calls: readonly string[] = ['*', 'response_url', 'upload', ...Object.keys(methods)];

/** How it stands. */
export function slackNow({ faults, conditions, sockets }: World): SlackNow {
  return {
    calls,
    troubles: faults.active(),
    deliveries: faults.deliveries(),
    switches: conditions.switches(),
    scopes: conditions.allScopes(),
    connections: sockets.all(),
  };
}

function optionSchema(option: NumberOption | TextOption): z.ZodType {
  if (option.type === 'number') return z.int().min(option.from).max(option.to);
  return option.isClosed ? z.enum(option.offered ?? []) : z.string().min(1).max(1000);
}

const faultSchema = z.union(
  Object.entries(troubleKinds).map(([kind, { options }]: [string, TroubleKind]) =>
    z.strictObject({
      kind: z.literal(kind),
      ...(kind === 'error' && { details: z.record(z.string(), z.unknown()).optional() }),
      ...Object.fromEntries(Object.entries(options).map(([name, option]) => [name, optionSchema(option)])),
    }),
  ),
);

const deliveryFaultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('twice') }),
  z.strictObject({ kind: z.literal('lost') }),
  z.strictObject({ kind: z.literal('late'), ms: z.int().min(1).max(600_000) }),
]);

/** `SlackAct` of protocol.ts as it must look when it comes from outside. */
const actSchema = z.discriminatedUnion('act', [
  z.object({
    act: z.literal('misbehave'),
    call: z.string(),
    fault: z.unknown(),
    times: z.int().min(1).max(1_000_000).optional(),
    person: z.string().optional(),
  }),
  z.object({
    act: z.literal('deliver'),
    fault: z.unknown(),
    times: z.int().min(1).max(1_000_000).optional(),
  }),
  z.object({ act: z.literal('behave'), call: z.string().optional() }),
  z.object({ act: z.literal('turn'), switches: z.record(z.string(), z.string()) }),
  z.object({ act: z.literal('grant'), scope: z.string(), granted: z.boolean() }),
  z.object({
    act: z.literal('connections'),
    how: z.enum(['cut', 'refresh', 'warn', 'freeze']),
    id: z.string().optional(),
  }),
  z.object({ act: z.literal('reset') }),
]);

/** Carries out an act on Slack; undefined when the JSON text is no act at all. */
export function actOnSlack(world: World, json: string): Acted | undefined {
  const given = read(json);
  if (given === undefined) return undefined;
  try {
    steerSlack(world, given);
    return done;
  } catch (error) {
    if (error instanceof RangeError) return refused(error.message);
    throw error;
  }
}

/** @throws RangeError for a call, a fault, a switch, a scope, a connection or a person that there is not */
export function steerSlack(world: World, given: GivenAct): void {
  const { faults, conditions } = world;
  switch (given.act) {
    case 'misbehave': {
      const { call, fault, times = Number.POSITIVE_INFINITY, person } = given;
      mustKnow(call);
      faults.next(call, readFault(fault), times, person && personCalled(world, person));
      break;
    }
    case 'deliver':
      faults.next('delivery', readDeliveryFault(given.fault), given.times ?? Number.POSITIVE_INFINITY);
      break;
    case 'behave':
      if (given.call !== undefined && given.call !== 'delivery') mustKnow(given.call);
      faults.clear(given.call);
      break;
    case 'turn':
      conditions.turn(given.switches);
      break;
    case 'grant':
      conditions.grant(given.scope, given.granted);
      break;
    case 'connections':
      disturb(world, given.how, given.id);
      break;
    case 'reset':
      faults.clear();
      conditions.reset();
  }
}

function disturb({ sockets }: World, how: ConnectionTrouble, id: string | undefined): void {
  if (id !== undefined && !sockets.ids.includes(id)) throw new RangeError(`There is no connection ${id}.`);
  if (how === 'cut') sockets.drop(id);
  else if (how === 'freeze') sockets.freeze(id);
  else sockets.disconnect(how === 'warn' ? 'warning' : 'refresh_requested', id);
}

function mustKnow(call: string): void {
  if (!calls.includes(call))
    throw new RangeError(`Slack has no call ${call} here; did you mean ${closest(call, [...calls])}?`);
}

function readFault(given: unknown): Fault {
  const read = faultSchema.safeParse(given);
  // The table holds the kinds of the type, which a test compares.
  if (read.success) return read.data as Fault;
  const kinds = Object.entries(troubleKinds).map(([kind, { options }]) =>
    [kind, ...Object.keys(options)].join(' with '),
  );
  throw new RangeError(`${JSON.stringify(given)} is no fault; there are ${kinds.join(', ')}.`);
}

function readDeliveryFault(given: unknown): DeliveryFault {
  const read = deliveryFaultSchema.safeParse(given);
  if (read.success) return read.data;
  throw new RangeError(`${JSON.stringify(given)} is no fault; there are twice, lost, late with ms.`);
}

function personCalled({ roster }: World, called: string): string {
  const person = roster.people.find(({ id, name }) => id === called || name === called);
  if (person === undefined) throw new RangeError(`Nobody here is called ${called}.`);
  return person.id;
}

function read(json: string): z.infer<typeof actSchema> | undefined {
  try {
    return actSchema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

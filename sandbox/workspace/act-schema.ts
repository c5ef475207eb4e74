import { z } from 'zod';
import type { Act } from './protocol.ts';

const id = z.string().max(255);
const message = z.object({ kind: z.literal('message'), channel: id, ts: id });
const view = z.object({ kind: z.literal('view'), id });
const state = z.record(z.string(), z.record(z.string(), z.unknown()));

/** `Act` of protocol.ts as it must look when it comes from outside. */
const actSchema = z.discriminatedUnion('act', [
  z.object({
    act: z.literal('type'),
    as: id,
    channel: id,
    text: z.string().max(40_000),
    thread_ts: id.optional(),
    files: z.array(id).max(10).optional(),
  }),
  z.object({
    act: z.literal('forward'),
    as: id,
    messages: z
      .array(z.object({ channel: id, ts: id }))
      .min(1)
      .max(10),
    channel: id,
    text: z.string().max(40_000),
    thread_ts: id.optional(),
  }),
  z.object({
    act: z.literal('use'),
    as: id,
    container: z.discriminatedUnion('kind', [message, view, z.object({ kind: z.literal('home') })]),
    block_id: id,
    action_id: id,
    value: z.record(z.string(), z.unknown()),
    state: state.optional(),
  }),
  z.object({ act: z.literal('enter'), as: id, view: id, state }),
  z.object({ act: z.literal('submit'), as: id, view: id, state }),
  z.object({ act: z.literal('close'), as: id, view: id }),
  z.object({
    act: z.literal('suggest'),
    as: id,
    container: z.discriminatedUnion('kind', [message, view]),
    block_id: id,
    action_id: id,
    query: z.string().max(3000),
  }),
  z.object({ act: z.literal('shortcut'), as: id, callback_id: id, channel: id, ts: id }),
  z.object({ act: z.literal('global_shortcut'), as: id, callback_id: id }),
  z.object({ act: z.literal('open_home'), as: id }),
  z.object({
    act: z.literal('run_step'),
    as: id,
    function: id,
    inputs: z.record(z.string(), z.unknown()),
    channel: id.optional(),
  }),
  z.object({
    act: z.literal('open_entity'),
    as: id,
    channel: id,
    ts: id,
    entity: z.string(),
    press: id.optional(),
  }),
  z.object({ act: z.literal('edit'), as: id, channel: id, ts: id, text: z.string().max(40_000) }),
  z.object({ act: z.literal('react'), as: id, channel: id, ts: id, emoji: id }),
  z.object({ act: z.literal('invite'), as: id, channel: id, user: id }),
  z.object({ act: z.literal('remove'), as: id, channel: id, user: id }),
]);

/** Reads an act from JSON text; undefined when it is none. */
export function readAct(json: string): Act | undefined {
  try {
    const read = actSchema.safeParse(JSON.parse(json));
    // zod types an absent field as `undefined`, which JSON cannot hold: the shapes are the same.
    return read.success ? (read.data as Act) : undefined;
  } catch {
    return undefined;
  }
}

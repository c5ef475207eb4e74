/** The row of an action: how it is made of one that is new, what a change writes into it, and how it is read. */

import type { Selectable, Updateable } from 'kysely';
import { z } from 'zod';
import { codec, optional } from '../codec.ts';
import { newId } from '../id.ts';
import { parsed } from '../json.ts';
import type { ActionsTable } from '../tables.ts';
import type { Action, Changes, NewAction, Outcome } from './action.ts';
import type { Interaction } from './interaction.ts';
import { busy } from './states.ts';

/** `dedupeKey`: by which another line like it is known; null where it may come twice. */
export function newRow(
  action: NewAction,
  dedupeKey: string | null,
  replica: string,
  at: number,
): Selectable<ActionsTable> {
  return {
    id: action.id ?? newId(),
    state: action.state,
    token: null,
    created_at: at,
    changed_at: at,
    expires_at: null,
    team: action.team,
    channel: action.channel,
    person: action.person,
    line: action.line,
    phrase: action.phrase ?? null,
    effect: action.effect ?? null,
    appliance: action.appliance ?? null,
    args_json: JSON.stringify(action.args ?? {}),
    preview_json: null,
    card: null,
    outcome_json: action.outcome === undefined ? null : JSON.stringify(action.outcome),
    decided_by: null,
    consent_json: null,
    replica,
    held_by: busy.has(action.state) ? replica : null,
    dedupe_key: dedupeKey,
    policy: action.policy ?? null,
    allowed_by: action.allowedBy === undefined ? null : action.allowedBy.join(','),
    delivery: action.delivery ?? null,
    interaction_json: action.interaction === undefined ? null : JSON.stringify(action.interaction),
    recorded: null,
  };
}

export function changedColumns(changes: Changes): Updateable<ActionsTable> {
  const { token, expiresAt, preview, card, outcome, decidedBy, consent } = changes;
  return {
    ...(token === undefined ? {} : { token }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    ...(preview === undefined ? {} : { preview_json: JSON.stringify(preview) }),
    ...(card === undefined ? {} : { card }),
    ...(outcome === undefined ? {} : { outcome_json: JSON.stringify(outcome) }),
    ...(decidedBy === undefined ? {} : { decided_by: decidedBy }),
    ...(consent === undefined ? {} : { consent_json: JSON.stringify(consent) }),
  };
}

/** Those that an action is read from, by name: which others there are does not matter then (`nameFor` in `postgres-pool.ts`). */
export const actionColumns = [
  ...(['id', 'state', 'token', 'created_at', 'changed_at', 'expires_at'] as const),
  ...(['team', 'channel', 'person', 'line', 'phrase', 'effect', 'appliance', 'args_json'] as const),
  ...(['preview_json', 'card', 'outcome_json', 'decided_by', 'consent_json', 'replica'] as const),
  'interaction_json',
] as const satisfies readonly (keyof ActionsTable)[];

type ActionRow = Pick<Selectable<ActionsTable>, (typeof actionColumns)[number]>;

export const readOne = (row: ActionRow | undefined): Action | undefined =>
  row === undefined ? undefined : readAction(row);

const outcomes = codec<Outcome>(
  z.object({ code: z.string(), says: z.string(), headline: optional(z.string()) }),
);
const unreadable: Outcome = { code: 'unreadable', says: 'How it ended can no longer be read.' };

const interactions = codec<Interaction>(
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('export'),
      format: z.enum(['csv', 'json', 'jsonl']),
      rows: z.number(),
      filter: z.string().nullable(),
      of: z.string().nullable(),
    }),
    z.object({ kind: z.literal('refused_click'), button: z.string(), of: z.string().nullable() }),
    z.object({
      kind: z.literal('form'),
      form: z.enum(['command', 'filter', 'reason']),
      of: z.string().nullable(),
    }),
  ]),
);

export function readAction(row: ActionRow): Action {
  return {
    id: row.id,
    state: row.state,
    token: row.token ?? undefined,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    expiresAt: row.expires_at ?? undefined,
    team: row.team,
    channel: row.channel,
    person: row.person,
    line: row.line,
    phrase: row.phrase ?? undefined,
    effect: row.effect ?? undefined,
    appliance: row.appliance ?? undefined,
    args: parsed(row.args_json),
    preview: row.preview_json === null ? undefined : parsed(row.preview_json),
    card: row.card ?? undefined,
    outcome: row.outcome_json === null ? undefined : (outcomes.read(parsed(row.outcome_json)) ?? unreadable),
    decidedBy: row.decided_by ?? undefined,
    consent: row.consent_json === null ? undefined : parsed(row.consent_json),
    replica: row.replica,
    interaction: row.interaction_json === null ? undefined : interactions.read(parsed(row.interaction_json)),
  };
}

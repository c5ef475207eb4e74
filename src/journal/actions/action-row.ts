/** The row of an action: how it is made of one that is new, what a change writes into it, and how it is read. */

import type { Selectable, Updateable } from 'kysely';
import { freed } from '../claims.ts';
import { newId } from '../id.ts';
import type { ActionsTable } from '../tables.ts';
import {
  type Action,
  type ActionOrigin,
  actionFields,
  type ChangedFields,
  countedFields,
  type NewAction,
  originFields,
} from './action.ts';
import { columnsAmong, columnsOf, valuesOf } from './field.ts';
import { referenceOf } from './reference.ts';
import { busy } from './states.ts';

/** By which the very same is known, typed again; `distinct` is what tells it from another one with the same line. */
export const dedupeKeyOf = (
  { team, channel, person, line, only }: NewAction,
  distinct: string | undefined,
): string =>
  only ?? JSON.stringify([team, channel, person, line, ...(distinct === undefined ? [] : [distinct])]);

/** `dedupeKey`: by which another line like it is known; null where it may come twice. */
export const newRow = (
  action: NewAction,
  dedupeKey: string | null,
  replica: string,
  at: number,
): Omit<Selectable<ActionsTable>, Counted> => {
  const id = action.id ?? newId();
  return {
    ...columnsOf(actionFields, { args: {}, ...action, ...{ id, createdAt: at, changedAt: at, replica } }),
    reference: referenceOf(id),
    ...columnsOf(originFields, action),
    ...(busy.has(action.state) ? { held_by: replica, held_since: at } : freed),
    dedupe_key: dedupeKey,
    recorded: null,
  };
};

/** Of one that is known already: what it has become. */
export const rowOf = (action: Action) => columnsOf(actionFields, action);

export const changedColumns = (changes: ChangedFields): Updateable<ActionsTable> =>
  columnsAmong(actionFields, changes);

/** Those that an action is read from, by name: which others there are does not matter then (`nameFor` in `postgres-connection.ts`). */
export const actionColumns = Object.values({ ...actionFields, ...countedFields }).map(({ column }) => column);

/** The columns that the database itself fills. */
type Counted = (typeof countedFields)[keyof typeof countedFields]['column'];

type ActionRow = Omit<Pick<Selectable<ActionsTable>, (typeof actionColumns)[number]>, Counted> &
  Partial<Pick<Selectable<ActionsTable>, Counted>>;

export const readAction = (row: ActionRow): Action => ({
  ...valuesOf(actionFields, row),
  ...(row.asked_seq != null &&
    valuesOf(countedFields, { asked_seq: row.asked_seq, ran_seq: row.ran_seq ?? null })),
});

export const readOne = (row: ActionRow | undefined): Action | undefined =>
  row === undefined ? undefined : readAction(row);

export const readOrigin = (
  row: Pick<Selectable<ActionsTable>, 'policy' | 'allowed_by' | 'delivery'>,
): ActionOrigin => valuesOf(originFields, row);

import { withId } from '../../ids.ts';
import type { Order, Route } from '../../route.ts';
import type { State } from '../../state.ts';
import { timestamp } from '../../times.ts';
import { type Fields, fieldsOf } from './fields.ts';
import { Refusal } from './refusal.ts';

interface Change extends Order {
  readonly fields: Fields;
}

interface Done {
  /** For the audit trail, such as `member 7 (bob.miller) deleted`. No secrets. */
  readonly what: string;
  /** The ID of a new record (appliance-api.md §4.6). */
  readonly ID?: number;
}

/** An operation that only answers. */
export function read(path: string, answer: (order: Order) => object): Route {
  return { method: 'GET', path, answer: (order) => unlessRefused(() => answer(order)) };
}

/**
 * An operation that changes something, and is therefore written to the audit trail (appliance-api.md §6.1). The actor is
 * always the Web API: the gateway accepts a network or one key, and knows no person.
 * @param carryOut throws a Refusal before it has changed anything
 */
export function change(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  carryOut: (change: Change) => Done,
): Route {
  return {
    method,
    path,
    answer: (order) =>
      unlessRefused(() => {
        const { what, ...more } = carryOut({ ...order, fields: fieldsOf(order.json) });
        order.state.rdp.audit.push({ who: 'Web API', when: timestamp(order.now), what });
        return more;
      }),
  };
}

function unlessRefused(act: () => object): object {
  try {
    return { Status: true, Error: '', ...act() };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { Status: false, Error: error.message };
  }
}

/** @throws Refusal when there is no such record, or the ID is not a number */
export function recordOf<Kept>(records: ReadonlyMap<number, Kept>, id: string, name: string): Kept {
  const record = withId(records, id);
  if (record === undefined) throw new Refusal(`${name} not found`);
  return record;
}

/** An ID that was never given before. */
export function newId(state: State, kind: keyof State['rdp']['lastIds']): number {
  state.rdp.lastIds[kind] += 1;
  return state.rdp.lastIds[kind];
}

import type { Order, Route } from '../../route.ts';
import { type Fields, oneOf, optionalText, requiredText } from './fields.ts';
import { change, newId, read, recordOf } from './order.ts';

/** Detection patterns: appliance-api.md §4.6. Their fields are not documented. */
export const patterns: readonly Route[] = [
  // In a policy all patterns act that are its own or those of all policies, so they are listed together.
  read('/rdpproxy/patterns', (order) => {
    const policy = policyOf(order);
    const all = [...order.state.rdp.patterns.values()];
    return { Patterns: policy === 0 ? all : all.filter((one) => one.policy === 0 || one.policy === policy) };
  }),

  change('POST', '/rdpproxy/patterns', (order) => {
    const { state, fields } = order;
    const sent = { policy: policyOf(order), ...described(fields) };
    const id = newId(state, 'patterns');
    state.rdp.patterns.set(id, { id, ...sent });
    return {
      what: `pattern ${id} created in ${sent.policy === 0 ? 'all policies' : `policy ${sent.policy}`}`,
      ID: id,
    };
  }),

  // The pattern stays in its policy: the path of the replacement names none.
  change('PUT', '/rdpproxy/patterns/{id}', ({ state, slots, fields }) => {
    const { id, policy } = recordOf(state.rdp.patterns, slots.get('id'), 'pattern');
    state.rdp.patterns.set(id, { id, policy, ...described(fields) });
    return { what: `pattern ${id} replaced` };
  }),

  change('DELETE', '/rdpproxy/patterns/{id}', ({ state, slots }) => {
    const { id } = recordOf(state.rdp.patterns, slots.get('id'), 'pattern');
    state.rdp.patterns.delete(id);
    return { what: `pattern ${id} deleted` };
  }),
];

/**
 * 0 for all policies, which is also what a query without a policy means.
 * @throws Refusal when there is no such policy
 */
function policyOf({ state, query }: Order): number {
  const policy = query.get('policy') || '0';
  return policy === '0' ? 0 : recordOf(state.rdp.policies, policy, 'policy').id;
}

function described(fields: Fields) {
  return {
    pattern: requiredText(fields, 'pattern'),
    action: oneOf(fields, 'action', ['notify', 'disconnect'], 'notify'),
    description: optionalText(fields, 'description'),
  };
}

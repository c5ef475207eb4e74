import { usualPorts } from '../../company/rdp/targets.ts';
import type { SimulatedTarget } from '../../company/rdp.ts';
import type { Route } from '../../route.ts';
import type { State } from '../../state.ts';
import { type Fields, numberText, oneOf, optionalText, requiredText } from './fields.ts';
import { change, newId, read, recordOf } from './order.ts';
import { unlinkEverywhere } from './policies.ts';
import { Refusal } from './refusal.ts';
import { endSessions } from './sessions.ts';

/** Targets: appliance-api.md §4.6. Their fields are not documented. */
export const targets: readonly Route[] = [
  read('/rdpproxy/targets', ({ state }) => ({ Targets: [...state.rdp.targets.values()].map(shown) })),

  read('/rdpproxy/targets/{id}', ({ state, slots }) => ({
    Target: shown(recordOf(state.rdp.targets, slots.get('id'), 'target')),
  })),

  change('POST', '/rdpproxy/targets', ({ state, fields }) => {
    const sent = described(state, fields);
    const id = newId(state, 'targets');
    state.rdp.targets.set(id, { id, ...sent });
    return { what: `target ${id} (${sent.name}) created`, ID: id };
  }),

  change('PUT', '/rdpproxy/targets/{id}', ({ state, slots, fields }) => {
    const target = recordOf(state.rdp.targets, slots.get('id'), 'target');
    const sent = described(state, fields, target);
    state.rdp.targets.set(target.id, { id: target.id, ...sent });
    return { what: `target ${target.id} (${sent.name}) replaced` };
  }),

  // The document does not say what happens to open sessions on the target: here they end with it.
  change('DELETE', '/rdpproxy/targets/{id}', ({ state, now, slots }) => {
    const { id, name } = recordOf(state.rdp.targets, slots.get('id'), 'target');
    state.rdp.targets.delete(id);
    unlinkEverywhere(state, 'targets', id);
    endSessions(state, now, (session) => session.target === name, 'target_deleted', 'target deleted');
    return { what: `target ${id} (${name}) deleted` };
  }),

  switched('enable', 1),
  // Only new sessions are refused; §3 names nothing else that a disabled target would cause.
  switched('disable', 0),
];

function switched(verb: 'enable' | 'disable', enabled: number): Route {
  return change('POST', `/rdpproxy/targets/{id}/${verb}`, ({ state, slots }) => {
    const target = recordOf(state.rdp.targets, slots.get('id'), 'target');
    state.rdp.targets.set(target.id, { ...target, enabled });
    return { what: `target ${target.id} (${target.name}) ${verb}d` };
  });
}

/** Everything but the password. */
function shown({ password: _, ...target }: SimulatedTarget) {
  return target;
}

/**
 * A missing field takes its usual value. A replaced target keeps its password, which cannot be read, and its switch,
 * which has its own operations.
 * @throws Refusal when a field is missing or malformed, or another target has that name
 */
function described(state: State, fields: Fields, replaced?: SimulatedTarget): Omit<SimulatedTarget, 'id'> {
  const name = requiredText(fields, 'name');
  for (const target of state.rdp.targets.values()) {
    if (target.name === name && target.id !== replaced?.id)
      throw new Refusal('a target with this name exists already');
  }
  const protocol = oneOf(fields, 'protocol', ['rdp', 'ssh', 'vnc'], 'rdp');
  return {
    name,
    address: requiredText(fields, 'address'),
    port: numberText(fields, 'port', { least: 1, most: 65_535 }, usualPorts[protocol]),
    protocol,
    username: optionalText(fields, 'username'),
    password: optionalText(fields, 'password', replaced?.password),
    description: optionalText(fields, 'description'),
    enabled: Number(oneOf(fields, 'enabled', ['0', '1'], replaced?.enabled === 0 ? '0' : '1')),
  };
}

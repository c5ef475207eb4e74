import { grantedRights, type LinkKind, linkKinds, rights } from '../../company/rdp/policies.ts';
import type { SimulatedPolicy } from '../../company/rdp.ts';
import type { Route } from '../../route.ts';
import type { State } from '../../state.ts';
import { type Fields, oneOf, optionalText, requiredText } from './fields.ts';
import { change, newId, read, recordOf } from './order.ts';
import { Refusal } from './refusal.ts';

/** Policies: appliance-api.md §4.6. Beside the session rights their fields are not documented. */
export const policies: readonly Route[] = [
  read('/rdpproxy/policies', ({ state }) => ({
    Policies: [...state.rdp.policies.values()].map((policy) => shown(state, policy)),
  })),

  read('/rdpproxy/policies/{id}', ({ state, slots }) => ({
    Policy: shown(state, recordOf(state.rdp.policies, slots.get('id'), 'policy')),
  })),

  change('POST', '/rdpproxy/policies', ({ state, fields }) => {
    const sent = described(state, fields);
    const id = newId(state, 'policies');
    state.rdp.policies.set(id, { id, ...sent, links: noLinks() });
    return { what: `policy ${id} (${sent.name}) created`, ID: id };
  }),

  // The links are no part of the body: they stay.
  change('PUT', '/rdpproxy/policies/{id}', ({ state, slots, fields }) => {
    const policy = recordOf(state.rdp.policies, slots.get('id'), 'policy');
    const sent = described(state, fields, policy);
    state.rdp.policies.set(policy.id, { ...policy, ...sent });
    return { what: `policy ${policy.id} (${sent.name}) replaced` };
  }),

  change('DELETE', '/rdpproxy/policies/{id}', ({ state, slots }) => {
    const { id, name } = recordOf(state.rdp.policies, slots.get('id'), 'policy');
    state.rdp.policies.delete(id);
    for (const pattern of state.rdp.patterns.values()) {
      if (pattern.policy === id) state.rdp.patterns.delete(pattern.id);
    }
    return { what: `policy ${id} (${name}) deleted with its patterns` };
  }),

  switched('enable', 1),
  switched('disable', 0),
];

function switched(verb: 'enable' | 'disable', enabled: number): Route {
  return change('POST', `/rdpproxy/policies/{id}/${verb}`, ({ state, slots }) => {
    const policy = recordOf(state.rdp.policies, slots.get('id'), 'policy');
    state.rdp.policies.set(policy.id, { ...policy, enabled });
    return { what: `policy ${policy.id} (${policy.name}) ${verb}d` };
  });
}

/** Answers links with their names, since networks and schedules have no list of their own. */
function shown(state: State, { id, name, description, enabled, rights: granted, links }: SimulatedPolicy) {
  const linked = linkKinds.map((kind) => [
    kind,
    [...links[kind]].map((sub) => ({ id: sub, name: nameOfLinked(state, kind, sub) ?? '' })),
  ]);
  return { id, name, description, enabled, ...granted, ...Object.fromEntries(linked) };
}

/** The name of what can be linked to a policy; undefined when there is no such thing. */
export function nameOfLinked(state: State, kind: LinkKind, id: number): string | undefined {
  return kind === 'members' ? state.rdp.members.get(id)?.username : state.rdp[kind].get(id)?.name;
}

function noLinks(): SimulatedPolicy['links'] {
  return { networks: new Set(), schedules: new Set(), members: new Set(), targets: new Set() };
}

/** Removes a deleted object from every policy. */
export function unlinkEverywhere(state: State, kind: LinkKind, id: number): void {
  for (const { links } of state.rdp.policies.values()) links[kind].delete(id);
}

/**
 * A right that is not sent is not granted, also when a policy is replaced; only its switch stays.
 * @throws Refusal when a field is missing or malformed, or another policy has that name
 */
function described(state: State, fields: Fields, replaced?: SimulatedPolicy) {
  const name = requiredText(fields, 'name');
  for (const policy of state.rdp.policies.values()) {
    if (policy.name === name && policy.id !== replaced?.id)
      throw new Refusal('a policy with this name exists already');
  }
  const granted = rights.filter((right) => oneOf(fields, right, ['0', '1'], '0') === '1');
  return {
    name,
    description: optionalText(fields, 'description'),
    enabled: Number(oneOf(fields, 'enabled', ['0', '1'], replaced?.enabled === 0 ? '0' : '1')),
    rights: grantedRights((right) => granted.includes(right)),
  };
}

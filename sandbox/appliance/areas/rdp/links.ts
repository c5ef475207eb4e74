import { type LinkKind, linkKinds } from '../../company/rdp/policies.ts';
import { idOf } from '../../ids.ts';
import type { Route } from '../../route.ts';
import { requiredText } from './fields.ts';
import { change, recordOf } from './order.ts';
import { nameOfLinked } from './policies.ts';
import { Refusal } from './refusal.ts';

const singular = {
  networks: 'network',
  schedules: 'schedule',
  members: 'member',
  targets: 'target',
} as const;

/** Operations on a policy's links: appliance-api.md §3 and §4.6. */
export const links: readonly Route[] = linkKinds.flatMap((kind) => [link(kind), unlink(kind)]);

/** The body is `{"id": "<id>"}`. Linking twice changes nothing. */
function link(kind: LinkKind): Route {
  return change('POST', `/rdpproxy/policies/{id}/${kind}`, ({ state, slots, fields }) => {
    const policy = recordOf(state.rdp.policies, slots.get('id'), 'policy');
    const sub = idOf(requiredText(fields, 'id'));
    const name = sub === undefined ? undefined : nameOfLinked(state, kind, sub);
    if (sub === undefined || name === undefined) throw new Refusal(`${singular[kind]} not found`);
    policy.links[kind].add(sub);
    return { what: `${singular[kind]} ${sub} (${name}) linked to policy ${policy.id} (${policy.name})` };
  });
}

function unlink(kind: LinkKind): Route {
  return change('DELETE', `/rdpproxy/policies/{id}/${kind}/{sub}`, ({ state, slots }) => {
    const policy = recordOf(state.rdp.policies, slots.get('id'), 'policy');
    const sub = idOf(slots.get('sub'));
    if (sub === undefined || !policy.links[kind].delete(sub))
      throw new Refusal(`${singular[kind]} is not linked to this policy`);
    return { what: `${singular[kind]} ${sub} unlinked from policy ${policy.id} (${policy.name})` };
  });
}

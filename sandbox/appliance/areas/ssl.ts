import type { SimulatedSslRule } from '../company/ssl.ts';
import { counted } from '../counted.ts';
import { done } from '../envelope.ts';
import type { Area } from '../route.ts';
import type { State } from '../state.ts';

/** SSL-inspection rules: appliance-api.md §4.2. */
export const ssl: Area = {
  routes: [
    {
      method: 'GET',
      path: '/proxy/ssl/build',
      answer({ state }) {
        state.ssl.live = rulesIn(state).filter(({ enabled }) => enabled);
        // The shape is not documented.
        return done(`${counted(state.ssl.live.length, 'SSL rule')} compiled`);
      },
    },
    {
      method: 'GET',
      path: '/proxy/acls/ssl/rules',
      // A JSON array without an envelope.
      answer: ({ state }) => rulesIn(state).map((rule) => listed(rule, state)),
    },
  ],
};

/** The configured rules in their order, without the objects that have been deleted since. */
function rulesIn({ ssl, acl }: State): SimulatedSslRule[] {
  return ssl.configured
    .toSorted((one, other) => one.order - other.order)
    .map((rule) => ({ ...rule, objects: rule.objects.filter(({ objectId }) => acl.objects.has(objectId)) }));
}

/** §2.4. */
function listed(rule: SimulatedSslRule, { acl }: State) {
  return {
    Description: rule.description,
    Id: rule.id,
    Crypt: rule.decode ? 1 : 0,
    Order: rule.order,
    Enabled: rule.enabled ? 1 : 0,
    Objects: rule.objects.map(({ objectId, negated, params }, index) => ({
      Gpid: objectId,
      ID: objectId,
      Negation: negated ? 1 : 0,
      ZOrder: index,
      GroupType: acl.objects.get(objectId)?.type ?? '',
      GroupName: acl.objects.get(objectId)?.name ?? '',
      Params: params,
    })),
  };
}

import type { SimulatedAclRule } from '../../company/acl/rules.ts';
import { compiled, type SimulatedAclObject } from '../../company/acl.ts';
import { counted } from '../../counted.ts';
import { done } from '../../envelope.ts';
import type { Route } from '../../route.ts';
import { items, ofAnObject } from './order.ts';

const prefix = '/proxy/acls';

/** Objects, and the compile that brings them and their records into the proxy. */
export const objects: readonly Route[] = [
  {
    method: '-',
    path: `${prefix}/compile`,
    answer({ state }) {
      state.acl.live = compiled(state.acl.objects);
      return done(`${counted(state.acl.live.size, 'object')} compiled, the proxy is reloaded`);
    },
  },
  {
    method: 'GET',
    path: `${prefix}/objects`,
    answer: ({ state: { acl } }) => ({
      Status: true,
      Error: '',
      Objects: [...acl.objects.values()].map((object) => listed(object, acl.rules)),
    }),
  },
  ofAnObject('GET', `${prefix}/object/disable/{objectId}`, (object) => {
    object.enabled = false;
    return done(`${object.name} is disabled`);
  }),
  ofAnObject('GET', `${prefix}/object/enable/{objectId}`, (object) => {
    object.enabled = true;
    return done(`${object.name} is enabled`);
  }),
  ofAnObject('GET', `${prefix}/object/delete/{objectId}`, (object, { state }) => {
    state.acl.objects.delete(object.id);
    return done(`${object.name} is deleted with ${counted(object.records.size, 'record')}`);
  }),
];

/** §2.1. */
function listed(object: SimulatedAclObject, rules: readonly SimulatedAclRule[]) {
  return {
    ID: object.id,
    GroupName: object.name,
    Type: object.type,
    Enabled: object.enabled ? 1 : 0,
    Items: items(object),
    Rules: rules.filter((rule) => rule.objects.includes(object.id)).map(reference),
  };
}

/** §2.3. */
function reference(rule: SimulatedAclRule) {
  return {
    ID: rule.id,
    Name: rule.name,
    PortDirection: rule.portDirection,
    AclPort: rule.aclPort,
    AclGroup: rule.aclGroup,
    AclGpid: rule.aclGpid,
    Enabled: rule.enabled ? 1 : 0,
  };
}

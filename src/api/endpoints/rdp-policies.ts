import { recordId } from '../endpoint.ts';
import { created, type ReplyReader } from '../reading/reply-reader.ts';
import { truthOf } from '../reading/said.ts';
import { entries, entry, type IdentifiedEntry, undocumented } from '../reading/unnamed.ts';
import { json } from '../wire/body.ts';
import { byId, endpoint, someFields } from './rdp-endpoint.ts';

/** Links people to targets, and says what a session allows. The document names the fields `allow_*` (§2.14). */
export interface RdpPolicy extends IdentifiedEntry {
  /**
   * The session rights, under the appliance's own names: `{ allow_clipboard: false }`. A right without yes or
   * no stays as text among the fields.
   */
  readonly rights: Readonly<Record<string, boolean>>;
}

function policyOf(read: IdentifiedEntry): RdpPolicy {
  const rights = Object.entries(read.fields).flatMap(([name, value]): [string, boolean][] => {
    const allowed = /^allow_/i.test(name) ? truthOf(value) : undefined;
    return allowed === undefined ? [] : [[name, allowed]];
  });
  return { ...read, rights: Object.fromEntries(rights) };
}

const wire = undocumented('RdpPolicy', 'Who may reach which targets, and what is allowed in the session.', {
  patternProperties: {
    '^allow_': {
      type: ['string', 'integer', 'boolean'],
      description: 'A right in the session: 1 or 0, also as text.',
    },
  },
});
const list = entries('policy', wire);
const alone = entry('policy', wire);

const listOfPolicies: ReplyReader<RdpPolicy[]> = {
  read: (answer) => list.read(answer).map(policyOf),
  wire: list.wire,
};

const onePolicy: ReplyReader<RdpPolicy> = {
  read: (answer) => policyOf(alone.read(answer)),
  wire: alone.wire,
};

/**
 * Links and unlinks take the same arguments: `id` is the policy's, `sub` the linked thing's. In a link's body
 * `sub` is called id, as in the one documented body, `{"id": "<member_id>"}`.
 */
const sub = recordId.describe(
  'The ID of the network, schedule, member or target that the policy is linked to.',
);
const slots = byId('policy', 'listPolicies');
const link = {
  effect: 'write',
  slots,
  body: json('RdpLink', 'What a policy is linked to.', { sub }, { sub: 'id' }),
} as const;
const unlink = { effect: 'write', slots: { ...slots, sub } } as const;
const sentPolicy = json('SentRdpPolicy', 'A policy to create, or to replace another.', {
  fields: someFields,
});
const patternSlots = byId('pattern', 'listPatterns');
const sentPattern = json('SentRdpPattern', 'A detection pattern to create, or to replace another.', {
  fields: someFields,
});
const ofPolicy = recordId.describe(
  'The ID of the policy, as `rdp.listPolicies` gives it; 0 is all policies.',
);

export const policies = {
  listPolicies: endpoint('GET /rdpproxy/policies', {
    summary: 'All policies.',
    effect: 'read',
    reply: listOfPolicies,
  }),

  createPolicy: endpoint('POST /rdpproxy/policies', {
    summary: 'Creates a policy.',
    effect: 'write',
    body: sentPolicy,
    reply: created,
  }),

  getPolicy: endpoint('GET /rdpproxy/policies/{id}', {
    summary: 'One policy with its session rights.',
    effect: 'read',
    slots,
    reply: onePolicy,
  }),

  // Not destructive, unlike members and targets: a policy has no hidden fields, so the old one can be restored.
  replacePolicy: endpoint('PUT /rdpproxy/policies/{id}', {
    summary: 'Replaces a policy; whether what is left out stays or goes is not documented.',
    effect: 'write',
    slots,
    body: sentPolicy,
  }),

  deletePolicy: endpoint('DELETE /rdpproxy/policies/{id}', {
    summary: 'Deletes a policy.',
    effect: 'destructive',
    slots,
  }),

  enablePolicy: endpoint('POST /rdpproxy/policies/{id}/enable', {
    summary: 'Enables a policy.',
    effect: 'write',
    slots,
  }),

  disablePolicy: endpoint('POST /rdpproxy/policies/{id}/disable', {
    summary: 'Disables a policy.',
    effect: 'write',
    slots,
  }),

  linkNetwork: endpoint('POST /rdpproxy/policies/{id}/networks', {
    ...link,
    summary: 'Links a network (`sub`) to a policy.',
  }),
  linkSchedule: endpoint('POST /rdpproxy/policies/{id}/schedules', {
    ...link,
    summary: 'Links a schedule (`sub`) to a policy.',
  }),
  linkMember: endpoint('POST /rdpproxy/policies/{id}/members', {
    ...link,
    summary: 'Links a member (`sub`) to a policy.',
  }),
  linkTarget: endpoint('POST /rdpproxy/policies/{id}/targets', {
    ...link,
    summary: 'Links a target (`sub`) to a policy.',
  }),

  // A DELETE, but not destructive: linking the same two again restores it. (`vlan.unlink` differs: it removes
  // the interface itself.)
  unlinkNetwork: endpoint('DELETE /rdpproxy/policies/{id}/networks/{sub}', {
    ...unlink,
    summary: 'Unlinks a network (`sub`) from a policy.',
  }),
  unlinkSchedule: endpoint('DELETE /rdpproxy/policies/{id}/schedules/{sub}', {
    ...unlink,
    summary: 'Unlinks a schedule (`sub`) from a policy.',
  }),
  unlinkMember: endpoint('DELETE /rdpproxy/policies/{id}/members/{sub}', {
    ...unlink,
    summary: 'Unlinks a member (`sub`) from a policy.',
  }),
  unlinkTarget: endpoint('DELETE /rdpproxy/policies/{id}/targets/{sub}', {
    ...unlink,
    summary: 'Unlinks a target (`sub`) from a policy.',
  }),

  listPatterns: endpoint('GET /rdpproxy/patterns', {
    summary: 'The detection patterns of a policy, or of all policies (0).',
    effect: 'read',
    query: { policy: ofPolicy.default(0).describe(ofPolicy.description ?? '') },
    reply: entries(
      'pattern',
      undocumented('RdpPattern', 'A detection pattern of the remote-desktop gateway.'),
      ['name', 'pattern'],
    ),
  }),

  // The document's line has the policy in its path for both methods. An omitted policy must not create a
  // pattern for all policies, so it has no default here.
  createPattern: endpoint('POST /rdpproxy/patterns', {
    summary: 'Creates a detection pattern in a policy, or in all policies (0).',
    effect: 'write',
    query: { policy: ofPolicy },
    body: sentPattern,
    reply: created,
  }),

  // As with policies: the listed pattern can be restored.
  replacePattern: endpoint('PUT /rdpproxy/patterns/{id}', {
    summary: 'Replaces a detection pattern.',
    effect: 'write',
    slots: patternSlots,
    body: sentPattern,
  }),

  deletePattern: endpoint('DELETE /rdpproxy/patterns/{id}', {
    summary: 'Deletes a detection pattern.',
    effect: 'destructive',
    slots: patternSlots,
  }),
};

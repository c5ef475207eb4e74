import type { RdpPolicy } from '../../../api/index.ts';
import type { Named } from '../../argument.ts';
import { change, lookup } from '../../declare.ts';
import { digestOf } from '../../digest.ts';
import { countText, lackPart } from '../../listing.ts';
import { fieldList, say, strong, type Text, tableOf } from '../../reply.ts';
import { type Switchable, switching } from '../../switching.ts';
import { audited, calledBy, namesOf, shownFields, stateOf } from '../shown.ts';
import { thing } from '../thing.ts';
import {
  type LinkKind,
  linkKinds,
  linksOf,
  patternsOf,
  policy,
  policies as rdpPolicies,
  switchable,
} from '../things.ts';
import { rightsText } from './rights.ts';

const aPolicy = thing('policy', rdpPolicies);

export const policies = lookup({
  phrase: 'rdp policies',
  says: `
    list policies / rdp policies / which policies exist / who can reach which servers /
    access rules of remote desktop / who may reach the server / all policies /
    who is allowed where on remote desktop / who may reach which rdp servers / rdp permissions /
    overview of rdp policies / which policies are there / which rdp policies are there / how many policies /
    explain the rdp policies / list of policies / what policies exist / all rdp policies /
    which rules has rdp / who may do what on rdp / policies of remote desktop / which rdp rules exist /
    what rdp rules are there / who may go where by rdp / list the access rules of remote desktop /
    remote desktop policies / rules for remote access
  `,
  summary: 'List remote-desktop policies: members, targets, rights',
  answer: async ({ appliance }) => {
    const look = await rdpPolicies.look(appliance);
    const { all } = look;
    const off = all.filter(({ enabled }) => enabled === false).length;
    return {
      headline: say`${countText(look, 'remote-desktop policy', 'remote-desktop policies')}${off === 0 ? '' : `, ${off} disabled`}`,
      details: [
        ...lackPart(appliance.name, look),
        ...tableOf(all, {
          ID: ({ id }) => id,
          Name: calledBy,
          State: stateOf,
          Allows: rightsText,
          Members: (one) => linkedTo(one, 'member', 'names'),
          Targets: (one) => linkedTo(one, 'target', 'names'),
        }),
      ],
    };
  },
});

export const show = lookup({
  phrase: 'rdp policy <policy>',
  byNameAlone: true,
  says: `
    show policy <policy> / who is in policy <policy> / details of policy <policy> /
    what does policy <policy> allow / members of policy <policy> /
    what rights does rdp policy <policy> give / who is in rdp policy <policy> / what is in policy <policy> /
    what can policy <policy> do / who belongs to policy <policy> / which servers has policy <policy> /
    which targets are in <policy> / which members are in <policy> / is policy <policy> active /
    is policy <policy> enabled / explain policy <policy> / what does <policy> allow / rights of <policy> /
    did somebody disable policy <policy> / who is in <policy> / show me policy <policy> /
    when may policy <policy> be used / who may use policy <policy> / where may policy <policy> connect
  `,
  args: { policy },
  summary: 'Show a remote-desktop policy with its rights and links',
  example: 'rdp policy 5',
  answer: async ({ appliance, args }) => {
    const found = await appliance.rdp.getPolicy({ id: args.policy.id });
    return {
      headline: say`Policy ${strong(calledBy(found))} is ${stateOf(found)}`,
      details: [fieldList(shownFields(found.fields))],
    };
  },
});

const switched: Switchable<{ readonly policy: Named }, RdpPolicy> = {
  ...aPolicy.switched,
  look: async (found) => ({
    fields: {
      State: stateOf(found),
      Members: linkedTo(found, 'member'),
      Targets: linkedTo(found, 'target'),
      ...audited,
    },
    fingerprint: switchable(found),
  }),
};

export const enable = change({
  ...switching('enable', switched),
  phrase: 'rdp policy enable <policy>',
  says: `
    enable policy <policy> / activate policy <policy> / turn policy <policy> on /
    turn on rdp policy <policy> / activate remote desktop policy <policy> again / resume policy <policy> /
    switch on policy <policy> / switch policy <policy> on / reactivate <policy> /
    enable rdp policy <policy> / policy <policy> on / policy <policy> on again /
    let people use policy <policy> again
  `,
  args: { policy },
  summary: 'Enable a remote-desktop policy',
  example: 'rdp policy enable "Legacy access"',
  run: ({ appliance, args }) => appliance.rdp.enablePolicy({ id: args.policy.id }),
});

export const disable = change({
  ...switching('disable', switched),
  phrase: 'rdp policy disable <policy>',
  says: `
    disable policy <policy> / suspend policy <policy> / turn policy <policy> off /
    turn off rdp policy <policy> / deactivate remote desktop policy <policy> / pause rdp policy <policy> /
    switch off policy <policy> / switch policy <policy> off / deactivate <policy> /
    disable rdp policy <policy> / suspend access by <policy> / policy <policy> off / stop policy <policy> /
    nobody should use policy <policy> / block policy <policy> / freeze policy <policy>
  `,
  args: { policy },
  summary: 'Disable a remote-desktop policy',
  example: 'rdp policy disable Contractors',
  run: ({ appliance, args }) => appliance.rdp.disablePolicy({ id: args.policy.id }),
});

export const remove = change({
  ...aPolicy.deleting('name'),
  phrase: 'rdp policy delete <policy>',
  says: `
    delete policy <policy> / remove policy <policy> / erase rdp policy <policy> /
    remove remote desktop policy <policy> / policy <policy> is not needed any more /
    delete rdp policy <policy> / drop policy <policy> / policy <policy> must go /
    get rid of policy <policy> / remove rdp policy <policy> for good
  `,
  args: { policy },
  summary: 'Delete a remote-desktop policy',
  example: 'rdp policy delete "Legacy access"',
  preview: aPolicy.preview(async (found, { appliance }) => {
    const look = await patternsOf().look(appliance);
    const patterns = look.all.filter(({ fields }) => fields.policy === String(found.id));
    const links = (kind: LinkKind) =>
      linksOf(found, kind)
        ?.map(({ id }) => id)
        .join(',') ?? null;
    return audited({
      question: say`Delete the remote-desktop policy ${strong(calledBy(found))}?`,
      fields: {
        State: stateOf(found),
        Allows: rightsText(found),
        ...Object.fromEntries(linkKinds.map((kind) => [headings[kind], linkedTo(found, kind)])),
        'Own patterns':
          patterns.length === 0
            ? say`${look.lack === undefined ? 'none' : 'not reported'}`
            : say`${patterns.map(calledBy).join(', ')}; whether they are deleted too is undocumented`,
      },
      fingerprint: {
        ...switchable(found),
        ...Object.fromEntries(linkKinds.map((kind) => [kind, links(kind)])),
        patterns: digestOf(patterns.map(({ id, name }) => [id, name ?? null])),
      },
    });
  }),
  run: ({ appliance, args }) => appliance.rdp.deletePolicy({ id: args.policy.id }),
});

const headings = {
  network: 'Networks',
  schedule: 'Schedules',
  member: 'Members',
  target: 'Targets',
} as const;

/** "Office hours (2)", or only the names, where there is little room. */
function linkedTo(
  found: RdpPolicy,
  kind: LinkKind,
  manner: 'names and IDs' | 'names' = 'names and IDs',
): Text {
  const linked = linksOf(found, kind);
  if (linked === undefined) return say`not reported`;
  const shown =
    manner === 'names'
      ? linked.map(({ id, name }) => (name === '' ? { id, name } : { id: '', name }))
      : linked;
  return say`${namesOf(shown)}`;
}

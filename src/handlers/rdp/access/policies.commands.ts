import type { RdpPolicy } from '../../../api/index.ts';
import type { Named } from '../../argument.ts';
import { command } from '../../command.ts';
import { digestOf } from '../../digest.ts';
import { type Field, plural, say, strong, type Text } from '../../reply.ts';
import { type Switchable, switching } from '../../switching.ts';
import { auditTrail, calledBy, namesOf, shownFields, stateOf } from '../shown.ts';
import {
  among,
  gone,
  goneFrom,
  goneText,
  type LinkKind,
  linkKinds,
  linksOf,
  policy,
  switchable,
} from '../things.ts';
import { rightsText } from './rights.ts';

export const policies = command({
  kind: 'lookup',
  phrase: 'rdp policies',
  args: {},
  summary: 'List the policies: who may reach which targets, and what is allowed there',
  example: 'rdp policies',
  effect: 'read',
  answer: async ({ appliance }) => {
    const all = await appliance.rdp.listPolicies();
    const off = all.filter(({ enabled }) => enabled === false).length;
    return {
      headline: say`${strong(plural(all.length, 'remote-desktop policy', 'remote-desktop policies'))}${off === 0 ? '' : `, ${off} disabled`}`,
      details:
        all.length === 0
          ? []
          : [
              {
                kind: 'table',
                columns: ['ID', 'Name', 'State', 'Allows', 'Members', 'Targets'],
                rows: all.map((one) => [
                  say`${one.id}`,
                  say`${calledBy(one)}`,
                  stateOf(one),
                  rightsText(one),
                  linkedTo(one, 'member', 'names'),
                  linkedTo(one, 'target', 'names'),
                ]),
              },
            ],
    };
  },
});

export const show = command({
  kind: 'lookup',
  phrase: 'rdp policy <policy>',
  args: { policy },
  summary: 'Show one remote-desktop policy with its rights and links',
  example: 'rdp policy 5',
  effect: 'read',
  answer: async ({ appliance, args }) => {
    const found = await appliance.rdp.getPolicy({ id: args.policy.id });
    return {
      headline: say`Policy ${strong(calledBy(found))} is ${stateOf(found)}`,
      details: [{ kind: 'fields', fields: shownFields(found.fields) }],
    };
  },
});

const switched: Switchable<{ readonly policy: Named }, RdpPolicy> = {
  noun: 'policy',
  phrase: 'rdp policy',
  idOf: (args) => args.policy.id,
  nameOf: (args) => args.policy.name,
  find: async ({ appliance, args }) => among(await appliance.rdp.listPolicies(), args.policy),
  gone: ({ appliance, args }) => goneText(appliance, 'policy', args.policy.id),
  look: async (found) => ({
    fields: [
      { name: 'State', value: stateOf(found) },
      { name: 'Members', value: linkedTo(found, 'member') },
      { name: 'Targets', value: linkedTo(found, 'target') },
      auditTrail,
    ],
    subject: switchable(found),
  }),
};

export const enable = command({
  ...switching('enable', switched),
  phrase: 'rdp policy enable <policy>',
  args: { policy },
  summary: 'Enable a remote-desktop policy',
  example: 'rdp policy enable "Legacy access"',
  run: ({ appliance, args }) => appliance.rdp.enablePolicy({ id: args.policy.id }),
});

export const disable = command({
  ...switching('disable', switched),
  phrase: 'rdp policy disable <policy>',
  args: { policy },
  summary: 'Disable a remote-desktop policy',
  example: 'rdp policy disable Contractors',
  run: ({ appliance, args }) => appliance.rdp.disablePolicy({ id: args.policy.id }),
});

export const remove = command({
  kind: 'change',
  phrase: 'rdp policy delete <policy>',
  args: { policy },
  summary: 'Delete a remote-desktop policy',
  example: 'rdp policy delete "Legacy access"',
  effect: 'destructive',
  verb: 'Delete',
  doing: (args) => say`Deleting policy ${args.policy.name}`,
  done: (args) => say`Policy ${strong(args.policy.name)} is deleted`,
  preview: async ({ appliance, args }) => {
    const found = among(await appliance.rdp.listPolicies(), args.policy);
    if (found === undefined) return gone(appliance, 'policy', args.policy);
    const patterns = (await appliance.rdp.listPatterns()).filter(
      ({ fields }) => fields.policy === String(found.id),
    );
    return {
      kind: 'ready',
      question: say`Delete the remote-desktop policy ${strong(calledBy(found))}?`,
      fields: [
        { name: 'State', value: stateOf(found) },
        { name: 'Allows', value: rightsText(found) },
        ...linkKinds.map((kind): Field => ({ name: headings[kind], value: linkedTo(found, kind) })),
        {
          name: 'Its own patterns',
          value:
            patterns.length === 0
              ? say`none`
              : say`${patterns.map(calledBy).join(', ')}; whether they go with it is not documented`,
        },
        auditTrail,
      ],
      subject: {
        ...switchable(found),
        ...Object.fromEntries(
          linkKinds.map((kind) => [
            kind,
            linksOf(found, kind)
              ?.map(({ id }) => id)
              .join(',') ?? null,
          ]),
        ),
        patterns: digestOf(patterns.map(({ id, name }) => [id, name ?? null])),
      },
    };
  },
  run: ({ appliance, args }) => appliance.rdp.deletePolicy({ id: args.policy.id }),
  verify: async ({ appliance, args }) =>
    goneFrom(await appliance.rdp.listPolicies(), 'policies', args.policy),
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

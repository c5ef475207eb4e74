import type { Entry } from '../../api/index.ts';
import type { Named } from '../argument.ts';
import { type AskingAppliance, command } from '../command.ts';
import { auditTrail, calledBy, shownFields, shownTable, stateOf } from '../rdp/shown.ts';
import {
  among,
  gone,
  goneFrom,
  goneText,
  idsOf,
  policiesWith,
  policyNames,
  sessionNames,
  sessionsOf,
  switchable,
  target,
} from '../rdp/things.ts';
import { type Field, plural, say, strong } from '../reply.ts';
import { type Switchable, switching } from '../switching.ts';

type On = AskingAppliance<{ readonly target: Named }>;

export const targets = command({
  kind: 'lookup',
  phrase: 'rdp targets',
  args: {},
  summary: 'List the machines that remote-desktop sessions lead to',
  example: 'rdp targets',
  effect: 'read',
  answer: async ({ appliance }) => {
    const all = await appliance.rdp.listTargets();
    const off = all.filter(({ enabled }) => enabled === false).length;
    return {
      headline: say`${strong(plural(all.length, 'remote-desktop target'))}${off === 0 ? '' : `, ${off} disabled`}`,
      details:
        all.length === 0
          ? []
          : [await shownTable(fieldsOf(all), ['id', 'name', 'enabled', 'address', 'port'])],
    };
  },
});

export const show = command({
  kind: 'lookup',
  phrase: 'rdp target <target>',
  args: { target },
  summary: 'Show one remote-desktop target, with the policies that lead to it',
  example: 'rdp target srv-files-01',
  effect: 'read',
  answer: async (context) => {
    const found = await context.appliance.rdp.getTarget({ id: context.args.target.id });
    const { fields } = await surroundings(context, found);
    return {
      headline: say`Target ${strong(calledBy(found))} is ${stateOf(found)}`,
      details: [{ kind: 'fields', fields: [...shownFields(found.fields), ...fields] }],
    };
  },
});

const switched: Switchable<{ readonly target: Named }, Entry> = {
  noun: 'target',
  phrase: 'rdp target',
  idOf: (args) => args.target.id,
  nameOf: (args) => args.target.name,
  find: async ({ appliance, args }) => among(await appliance.rdp.listTargets(), args.target),
  gone: ({ appliance, args }) => goneText(appliance, 'target', args.target.id),
  look: async (found, context) => {
    const { fields } = await surroundings(context, found);
    return { fields: [{ name: 'State', value: stateOf(found) }, ...fields], subject: switchable(found) };
  },
  after: async (found, { appliance }, to) => {
    const open = to === 'enable' ? [] : await sessionsOf(appliance, { target: found.name });
    return open.length === 0
      ? []
      : say`${plural(open.length, 'session is', 'sessions are')} still open on it.`;
  },
};

export const enable = command({
  ...switching('enable', switched),
  phrase: 'rdp target enable <target>',
  args: { target },
  summary: 'Enable a remote-desktop target',
  example: 'rdp target enable srv-scada-01',
  run: ({ appliance, args }) => appliance.rdp.enableTarget({ id: args.target.id }),
});

export const disable = command({
  ...switching('disable', switched),
  phrase: 'rdp target disable <target>',
  args: { target },
  summary: 'Disable a remote-desktop target; what becomes of sessions that are open on it is not documented',
  example: 'rdp target disable srv-print-01',
  run: ({ appliance, args }) => appliance.rdp.disableTarget({ id: args.target.id }),
});

export const remove = command({
  kind: 'change',
  phrase: 'rdp target delete <target>',
  args: { target },
  summary: 'Delete a remote-desktop target',
  example: 'rdp target delete srv-legacy-01',
  effect: 'destructive',
  verb: 'Delete',
  doing: (args) => say`Deleting target ${args.target.name}`,
  done: (args) => say`Target ${strong(args.target.name)} is deleted`,
  preview: async (context) => {
    const { appliance, args } = context;
    const found = among(await appliance.rdp.listTargets(), args.target);
    if (found === undefined) return gone(appliance, 'target', args.target);
    const { fields, subject } = await surroundings(context, found);
    return {
      kind: 'ready',
      question: say`Delete the remote-desktop target ${strong(calledBy(found))}?`,
      fields: [
        ...fields,
        { name: 'Password', value: say`goes too, and nobody can read it to put it back` },
        auditTrail,
      ],
      subject: { ...switchable(found), ...subject },
    };
  },
  run: ({ appliance, args }) => appliance.rdp.deleteTarget({ id: args.target.id }),
  verify: async ({ appliance, args }) => goneFrom(await appliance.rdp.listTargets(), 'targets', args.target),
});

/** The policies that lead to a target, and who is on it now. */
async function surroundings({ appliance }: Pick<On, 'appliance'>, found: Entry) {
  const [policies, open] = await Promise.all([
    policiesWith(appliance, 'target', found.id),
    sessionsOf(appliance, { target: found.name }),
  ]);
  const fields: readonly Field[] = [
    { name: 'In policies', value: policyNames(policies) },
    { name: 'Open sessions', value: sessionNames(open) },
  ];
  return { fields, subject: { policies: idsOf(policies), sessions: idsOf(open) } };
}

const fieldsOf = (all: readonly Entry[]) => all.map(({ fields }) => fields);

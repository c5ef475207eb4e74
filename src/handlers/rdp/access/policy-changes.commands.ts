import { word } from '../../argument.ts';
import { change } from '../../declare.ts';
import { quoted } from '../../language/asked.ts';
import { code, say, strong } from '../../reply.ts';
import { notHappened, nothing } from '../../results.ts';
import { audited, calledBy, numbered } from '../shown.ts';
import { createdIn, creating } from '../thing.ts';
import { goneText, policies, policy, switchable } from '../things.ts';
import {
  beforeOf,
  changesIn,
  compare,
  eachField,
  isSo,
  lineBack,
  nameFieldOf,
  replacementOf,
  type SetFields,
  setFields,
} from './fields.ts';
import { rightsList, rightsOf } from './rights.ts';

type Creating = Parameters<typeof rightsOf>[1] & {
  readonly name: string;
  readonly set?: SetFields | undefined;
};

export const create = change({
  phrase: 'rdp policy create <name> [--allow] [--set]',
  says: `
    create policy <name> / new policy <name> / add rdp policy <name> / new rdp policy <name> /
    policy <name> for remote desktop people / set up rdp policy <name> / create an rdp policy <name> /
    make a policy <name> / set up policy <name> / add policy <name> / we need a policy <name> /
    new policy for contractors called <name>
  `,
  also: ['rdp policy add <name> [--allow] [--set]'],
  args: { name: word('a name for the policy', 'Auditors'), allow: rightsList, set: setFields },
  summary: 'Create a remote-desktop policy, without members; rights not allowed are forbidden',
  example: 'rdp policy create Auditors --allow clipboard, printers',
  effect: 'write',
  verb: 'Create',
  doing: ({ name }) => say`Creating policy ${name}`,
  done: ({ name }) => say`Policy ${strong(name)} created`,
  preview: async ({ appliance, args }) => {
    const all = await appliance.rdp.listPolicies();
    const namesake = all.find(({ name }) => name === args.name);
    if (namesake !== undefined)
      return nothing`Policy ${strong(args.name)} already exists on ${strong(appliance.name)}, number ${namesake.id}.`;
    const rights = rightsOf(all, args);
    if ('why' in rights) return rights;
    return audited({
      question: say`Create the remote-desktop policy ${strong(args.name)}?`,
      fields: changesIn({}, { ...args.set, ...rights.fields }),
      fingerprint: { name: args.name, nameField: nameFieldOf(all, 'name') },
    });
  },
  run: async ({ appliance, args }, { nameField }) => {
    const { fields } = rightsOr(await appliance.rdp.listPolicies(), args);
    return creating(
      appliance.rdp.createPolicy({
        fields: { [String(nameField)]: args.name, ...args.set, ...fields },
      }),
    );
  },
  verify: createdIn(
    () => policies,
    ({ name }, args: Creating) => name === args.name,
    ({ name }) => notHappened`Policies read back: ${name} is not among them.`,
    (found, args, _, all) =>
      compare('created', `policy ${numbered(found)}`, found.fields, {
        ...args.set,
        ...rightsOr(all, args).fields,
      }),
  ),
  undo: ({ name }, { id }) => `rdp policy delete ${typeof id === 'number' ? id : quoted(name)}`,
  undoAsks: true,
});

export const changePolicy = change({
  phrase: 'rdp policy change <policy> [--allow] [--forbid] [--set]',
  says: `
    change policy <policy> / allow clipboard in policy <policy> / forbid file transfer in policy <policy> /
    edit policy <policy> / allow printing in policy <policy> / record sessions of policy <policy> /
    allow clipboard in rdp policy <policy> / forbid copy paste in rdp policy <policy> /
    file transfer in remote desktop policy <policy> / allow printing in rdp /
    change rights of policy <policy> / no more printing with policy <policy> /
    forbid clipboard in policy <policy> / no clipboard in policy <policy> / clipboard for policy <policy> /
    let <policy> use the clipboard / let <policy> copy and paste / no copy and paste for <policy> /
    printers for policy <policy> / no file transfer for <policy> / turn on recording for policy <policy> /
    record policy <policy> / policy <policy> without printing / change the rights of <policy> /
    policy <policy> should be recorded / drives in policy <policy>
  `,
  also: ['rdp policy replace <policy> [--allow] [--forbid] [--set]'],
  args: { policy, allow: rightsList, forbid: rightsList, set: setFields },
  summary: 'Change the rights or other fields of a remote-desktop policy',
  example: 'rdp policy change "ERP users" --forbid clipboard',
  effect: 'write',
  verb: 'Change',
  doing: (args) => say`Changing policy ${calledBy(args.policy)}`,
  done: (args) => say`Policy ${strong(calledBy(args.policy))} changed`,
  preview: async ({ appliance, args }) => {
    const { found, all } = await policies.seek(appliance, ({ id }) => id === args.policy.id);
    if (found === undefined) return { kind: 'nothing', why: goneText(appliance, 'policy', args.policy.id) };
    const rights = rightsOf(all, args);
    if ('why' in rights) return rights;
    const changes = { ...args.set, ...rights.fields };
    if (Object.keys(changes).length === 0)
      return nothing`Nothing to change. Add what to change, such as ${code(`/appliance rdp policy change ${found.id} --forbid clipboard`)}.`;
    if (isSo(found.fields, changes))
      return nothing`Policy ${strong(calledBy(found))} already has these values.`;
    return audited({
      question: say`Change policy ${strong(calledBy(found))}?`,
      fields: changesIn(found.fields, changes),
      fingerprint: { ...switchable(found), ...beforeOf(found.fields, changes) },
    });
  },
  run: async ({ appliance, args }) => {
    const found = await appliance.rdp.getPolicy({ id: args.policy.id });
    const changed = replacementOf(found.fields, fieldsIn(args));
    return appliance.rdp.replacePolicy({ id: found.id, fields: changed });
  },
  verify: async ({ appliance, args }) => {
    const found = await appliance.rdp.getPolicy({ id: args.policy.id });
    return compare('changed', `policy ${numbered(found)}`, found.fields, fieldsIn(args));
  },
  beside: ['enabled'],
  ...eachField(fieldsIn),
  undo: (args, shown) => lineBack(`rdp policy change ${args.policy.id}`, shown, fieldsIn(args)),
});

/** All that is changed, when nothing can be wrong with its rights any more. */
function fieldsIn(
  args: Parameters<typeof rightsOf>[1] & { readonly set?: SetFields | undefined },
): SetFields {
  return { ...args.set, ...rightsOr([], args).fields };
}

/** The rights in fields; after the preview nothing can be wrong with them any more. */
function rightsOr(...[all, wanted]: Parameters<typeof rightsOf>) {
  const rights = rightsOf(all, wanted);
  return 'why' in rights ? { fields: {} } : rights;
}

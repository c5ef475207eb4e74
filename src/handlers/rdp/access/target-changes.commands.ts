import { secret, word } from '../../argument.ts';
import { change } from '../../declare.ts';
import { quoted } from '../../language/asked.ts';
import { say, strong } from '../../reply.ts';
import { notHappened, nothing } from '../../results.ts';
import { audited, calledBy, newPasswordNotes, numbered, passwordNote } from '../shown.ts';
import { createdIn, creating, thing } from '../thing.ts';
import { switchable, target, targets } from '../things.ts';
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

const aTarget = thing('target', targets);

export const create = change({
  phrase: 'rdp target create <name> <--password> [--set]',
  says: `
    add server <name> to rdp / new target <name> / create target <name> /
    add machine <name> to remote desktop / register server <name> / publish server <name> /
    publish server <name> on remote desktop / new rdp host <name> / register host <name> in rdp /
    add <name> as a target / add target <name> / new server <name> in rdp / new server <name> /
    make server <name> available by rdp / people need to reach new server <name> /
    register <name> in the gateway / add host <name> to the gateway /
    register host <name> in the remote desktop gateway / create rdp server <name> /
    add a remote desktop target at <host> / new server for remote desktop at <host> /
    publish server <host> over rdp / make <host> reachable over rdp
  `,
  also: ['rdp target add <name> <--password> [--set]'],
  args: {
    name: word('a name for the target', 'srv-new-01'),
    password: secret('the password the gateway logs on with'),
    set: setFields,
  },
  summary: 'Create a remote-desktop target (other fields by their API names)',
  example: 'rdp target create srv-new-01 --set address=10.20.1.44, username=gateway',
  effect: 'write',
  verb: 'Create',
  doing: ({ name }) => say`Creating target ${name}`,
  done: ({ name }) => say`Target ${strong(name)} created`,
  preview: async ({ appliance, args }) => {
    const all = await appliance.rdp.listTargets();
    const namesake = all.find(({ name }) => name === args.name);
    if (namesake !== undefined)
      return nothing`Target ${strong(args.name)} already exists on ${strong(appliance.name)}, number ${namesake.id}.`;
    return audited({
      question: say`Create the remote-desktop target ${strong(args.name)}?`,
      fields: changesIn({}, args.set ?? {}),
      fingerprint: { name: args.name, nameField: nameFieldOf(all, 'name') },
    });
  },
  run: ({ appliance, args }, { nameField }) =>
    creating(
      appliance.rdp.createTarget({
        fields: { [String(nameField)]: args.name, ...args.set, password: args.password },
      }),
    ),
  verify: createdIn(
    () => targets,
    ({ name }, args: { readonly name: string; readonly set?: SetFields | undefined }) => name === args.name,
    ({ name }) => notHappened`Targets read back: ${name} is not among them.`,
    (found, { set }) => compare('created', `target ${numbered(found)}`, found.fields, set ?? {}),
  ),
  undo: ({ name }, { id }) => `rdp target delete ${typeof id === 'number' ? id : quoted(name)}`,
  undoAsks: true,
});

export const changeTarget = change({
  phrase: 'rdp target change <target> <--set>',
  says: `
    change target <target> / change address of server <target> / new ip for server <target> /
    edit rdp server <target> / change port of target <target> / change address of rdp server <target> /
    rdp server <target> has new ip / change the address of <target> / change the ip of <target> /
    <target> has a new ip / <target> got a new address / <target> moved to another address /
    new address for <target> / update the port of <target> / rename target <target> /
    <target> listens on another port now
  `,
  also: ['rdp target replace <target> <--set>'],
  args: { target, set: setFields },
  summary: 'Change fields of a remote-desktop target',
  example: 'rdp target change srv-legacy-01 --set description=Old accounting, until March',
  effect: 'destructive',
  verb: 'Change',
  doing: (args) => say`Changing target ${calledBy(args.target)}`,
  done: (args) => say`Target ${strong(calledBy(args.target))} changed`,
  preview: aTarget.preview((found, { args }) =>
    isSo(found.fields, args.set)
      ? nothing`Target ${strong(calledBy(found))} already has these values.`
      : audited({
          question: say`Change target ${strong(calledBy(found))}?`,
          fields: [...changesIn(found.fields, args.set), passwordNote('target', found.id)],
          fingerprint: { ...switchable(found), ...beforeOf(found.fields, args.set) },
        }),
  ),
  run: async ({ appliance, args }) => {
    const { id, fields } = await appliance.rdp.getTarget({ id: args.target.id });
    return appliance.rdp.replaceTarget({ id, fields: replacementOf(fields, args.set) });
  },
  verify: aTarget.verify((found, { args }) =>
    compare('changed', `target ${numbered(found)}`, found.fields, args.set),
  ),
  beside: ['enabled'],
  ...eachField(({ set = {} }) => set),
  undo: (args, shown) => lineBack(`rdp target change ${args.target.id}`, shown, args.set),
});

export const password = change({
  phrase: 'rdp target password <target> <--password>',
  says: `
    password of server <target> / new logon password of target <target> /
    gateway cannot log on to <target> / change target password <target> /
    admin password of <target> has changed / stored password of server <target> for rdp /
    rdp credentials of server <target> / the admin password on <target> changed /
    the password of <target> has changed / password on <target> is new / new password for server <target> /
    update the password of <target> / set the password of target <target> /
    change the stored password of <target> / change the credentials of <target> /
    login to <target> fails because the password changed
  `,
  args: { target, password: secret('the new password') },
  summary: 'Set the password the gateway uses to log on to a target',
  example: 'rdp target password srv-files-01',
  effect: 'destructive',
  verb: 'Set password',
  doing: (args) => say`Setting the password of target ${calledBy(args.target)}`,
  done: (args) => say`Password of target ${strong(calledBy(args.target))} set`,
  preview: aTarget.preview((found) =>
    audited({
      question: say`Set a new password for target ${strong(calledBy(found))}?`,
      fields: newPasswordNotes,
      fingerprint: switchable(found),
    }),
  ),
  run: async ({ appliance, args }) => {
    const { id, fields } = await appliance.rdp.getTarget({ id: args.target.id });
    return appliance.rdp.replaceTarget({
      id,
      fields: { ...replacementOf(fields, {}), password: args.password },
    });
  },
  verify: { notCheckable: 'the API does not return passwords' },
});

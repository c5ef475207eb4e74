import { secret, word } from '../../argument.ts';
import { command } from '../../command.ts';
import { quoted } from '../../language/asked.ts';
import { say, strong } from '../../reply.ts';
import { auditTrail, calledBy, passwordNote } from '../shown.ts';
import { among, gone, switchable, target } from '../things.ts';
import {
  beforeOf,
  changesIn,
  compareListed,
  isSo,
  lineBack,
  nameFieldOf,
  replacementOf,
  setFields,
} from './fields.ts';

export const create = command({
  kind: 'change',
  phrase: 'rdp target create <name> <--password> [--set]',
  also: ['rdp target add <name> <--password> [--set]'],
  args: {
    name: word('a name for the target', 'srv-new-01'),
    password: secret('the password that the gateway logs on with'),
    set: setFields,
  },
  summary: 'Create a remote-desktop target, with its other fields as the appliance calls them',
  example: 'rdp target create srv-new-01 --set address=10.20.1.44, username=gateway',
  effect: 'write',
  verb: 'Create',
  doing: ({ name }) => say`Creating target ${name}`,
  done: ({ name }) => say`Target ${strong(name)} is created`,
  preview: async ({ appliance, args }) => {
    const all = await appliance.rdp.listTargets();
    const namesake = all.find(({ name }) => name === args.name);
    if (namesake !== undefined) {
      return {
        kind: 'nothing',
        why: say`${strong(appliance.name)} has a target ${strong(args.name)} already, number ${namesake.id}.`,
      };
    }
    return {
      kind: 'ready',
      question: say`Create the remote-desktop target ${strong(args.name)}?`,
      fields: [...changesIn({}, args.set ?? {}), auditTrail],
      subject: { name: args.name, nameField: nameFieldOf(all, 'name') },
    };
  },
  run: async ({ appliance, args }, { nameField }) => {
    const { confirmed, id } = await appliance.rdp.createTarget({
      fields: { [String(nameField)]: args.name, ...args.set, password: args.password },
    });
    return { confirmed, ...(id === undefined ? {} : { learned: { id } }) };
  },
  verify: async ({ appliance, args }, { id }) => {
    const all = await appliance.rdp.listTargets();
    const found = all.find((one) => (typeof id === 'number' ? one.id === id : one.name === args.name));
    return compareListed('created', 'target', args.name, found, args.set);
  },
  undo: ({ name }, { id }) => `rdp target delete ${typeof id === 'number' ? id : quoted(name)}`,
  undoAsks: true,
});

export const change = command({
  kind: 'change',
  phrase: 'rdp target change <target> <--set>',
  also: ['rdp target replace <target> <--set>'],
  args: { target, set: setFields },
  summary: 'Change fields of a remote-desktop target',
  example: 'rdp target change srv-legacy-01 --set description=Old accounting, until March',
  effect: 'destructive',
  verb: 'Change',
  doing: (args) => say`Changing target ${args.target.name}`,
  done: (args) => say`Target ${strong(args.target.name)} is changed`,
  preview: async ({ appliance, args }) => {
    const found = among(await appliance.rdp.listTargets(), args.target);
    if (found === undefined) return gone(appliance, 'target', args.target);
    if (isSo(found.fields, args.set)) {
      return { kind: 'nothing', why: say`Target ${strong(calledBy(found))} is like that already.` };
    }
    return {
      kind: 'ready',
      question: say`Change target ${strong(calledBy(found))}?`,
      fields: [...changesIn(found.fields, args.set), passwordNote('target', found.id), auditTrail],
      subject: { ...switchable(found), ...beforeOf(found.fields, args.set) },
    };
  },
  run: async ({ appliance, args }) => {
    const { id, fields } = await appliance.rdp.getTarget({ id: args.target.id });
    return appliance.rdp.replaceTarget({ id, fields: replacementOf(fields, args.set) });
  },
  verify: async ({ appliance, args }) => {
    const found = among(await appliance.rdp.listTargets(), args.target);
    return compareListed('changed', 'target', args.target.id, found, args.set);
  },
  undo: (args, shown) => lineBack(`rdp target change ${args.target.id}`, shown, args.set),
});

export const password = command({
  kind: 'change',
  phrase: 'rdp target password <target> <--password>',
  args: { target, password: secret('the new password') },
  summary: 'Give the gateway a new password to log on to a target with',
  example: 'rdp target password srv-files-01',
  effect: 'destructive',
  verb: 'Set password',
  doing: (args) => say`Setting the password of target ${args.target.name}`,
  done: (args) => say`The password of target ${strong(args.target.name)} is set`,
  preview: async ({ appliance, args }) => {
    const found = among(await appliance.rdp.listTargets(), args.target);
    if (found === undefined) return gone(appliance, 'target', args.target);
    return {
      kind: 'ready',
      question: say`Give target ${strong(calledBy(found))} a new password?`,
      fields: [
        { name: 'Old password', value: say`cannot be read by anybody, so nobody can put it back` },
        { name: 'Everything else', value: say`is sent along as it is now` },
        auditTrail,
      ],
      subject: switchable(found),
    };
  },
  run: async ({ appliance, args }) => {
    const { id, fields } = await appliance.rdp.getTarget({ id: args.target.id });
    return appliance.rdp.replaceTarget({
      id,
      fields: { ...replacementOf(fields, {}), password: args.password },
    });
  },
  verify: { notCheckable: 'the appliance shows nobody a password' },
});

import { type Named, nameOrNumber, secret, word } from '../../argument.ts';
import { change, lookup } from '../../declare.ts';
import { answeredFrom, countText } from '../../listing.ts';
import { fieldList, fieldsOf, plural, say, strong } from '../../reply.ts';
import { audited, newPasswordNotes, passwordNote, shownFields, shownTable, stateOf } from '../shown.ts';
import { thing, withId } from '../thing.ts';
import { targets as rdpTargets, sessionsOf, surroundings, switchable, target } from '../things.ts';
import { changesIn, nameFieldOf, replacementOf, type SetFields, setFields, switches } from './fields.ts';

const aTarget = thing({ kind: 'target', list: rdpTargets, identityOf: switchable });

export const targets = lookup({
  phrase: 'rdp targets',
  says: `
    list servers / which servers are in rdp / all targets / which machines can be reached /
    remote desktop servers / rdp hosts / which servers can be reached by rdp / rdp servers /
    machines behind remote desktop / rdp destinations / overview of rdp targets / hosts on the bastion /
    which rdp servers are there / which servers are disabled / show all targets / list rdp servers /
    what servers can people reach / which hosts can i reach / how many targets / servers in the gateway /
    is there a target / which machines are in maintenance / list the servers people can connect to /
    which servers can people connect to / servers behind rdp / which machines are published
  `,
  summary: 'List remote-desktop targets',
  answer: answeredFrom(
    () => rdpTargets,
    async (look) => {
      const { all } = look;
      const off = all.filter(({ enabled }) => enabled === false).length;
      return {
        headline: say`${countText(look, 'remote-desktop target')}${off === 0 ? '' : `, ${off} disabled`}`,
        details: [
          ...(await shownTable(
            all.map(({ fields }) => fields),
            ['id', 'name', 'enabled', 'address', 'port'],
          )),
        ],
      };
    },
  ),
});

export const show = lookup({
  phrase: 'rdp target <target>',
  byNameAlone: true,
  says: `
    who can reach <target> / show server <target> / show target <target> / which policies lead to <target> /
    details of server <target> / who has access to <target> / who is on <target> / is <target> enabled /
    show rdp server <target> / who has access to server <target> / is <target> in rdp /
    is <target> disabled / is server <target> available by rdp / which policies reach <target> /
    who may use <target> / who can get on <target> / who can log in to <target> /
    who may connect to <target> / info about server <target> / what is <target> / show me server <target> /
    which address has <target> / can people reach server <target> / access to server <target> /
    settings of target <target> / what ip has <target> / what account does the gateway use on <target> /
    which user logs in on <target> / details of <target> / can people reach <target> by rdp /
    where is <target>
  `,
  args: { target },
  summary: 'Show a remote-desktop target and its policies',
  example: 'rdp target srv-files-01',
  answer: async ({ appliance, args }) => {
    const found = await appliance.rdp.getTarget({ id: args.target.id });
    const { fields } = await surroundings(appliance, 'target', found.id, { target: found.name });
    return {
      headline: say`Target ${strong(nameOrNumber(found))} is ${stateOf(found)}`,
      details: [fieldList([...shownFields(found.fields), ...fieldsOf(fields)])],
    };
  },
});

const switched = aTarget.switching({
  look: async (found, { appliance }) => {
    const { fields } = await surroundings(appliance, 'target', found.id, { target: found.name });
    return { fields: { State: stateOf(found), ...fields }, fingerprint: switchable(found) };
  },
  after: async (found, { appliance }, to) => {
    const open = to === 'enable' ? [] : await sessionsOf(appliance, { target: found.name });
    if (open === undefined) return say`Whether sessions are still open on it is not reported.`;
    return open.length === 0
      ? []
      : say`${plural(open.length, 'session is', 'sessions are')} still open on it.`;
  },
});

export const enable = change({
  ...switched('enable'),
  phrase: 'rdp target enable <target>',
  says: `
    enable server <target> / enable target <target> / server <target> is back /
    maintenance of <target> is over / allow rdp to server <target> again /
    server <target> is back from maintenance / reopen server <target> for remote desktop /
    open <target> again / <target> is online again / <target> is available again /
    let people on <target> again / unlock server <target> / enable rdp server <target> /
    switch target <target> on / <target> is fixed / end the maintenance of <target> / reactivate <target> /
    <target> is back / <target> can be used again / allow rdp to <target> again / release target <target>
  `,
  args: { target },
  summary: 'Enable a remote-desktop target',
  example: 'rdp target enable srv-scada-01',
  run: ({ appliance, args }) => appliance.rdp.enableTarget({ id: args.target.id }),
});

export const disable = change({
  ...switched('disable'),
  phrase: 'rdp target disable <target>',
  says: `
    disable server <target> / take server <target> out of rdp / disable target <target> /
    maintenance of server <target> / nobody may connect to <target> / block access to server <target> /
    nobody should connect to server <target> / block rdp to server <target> /
    server <target> is in maintenance / put server <target> offline for rdp users /
    make server <target> unavailable over rdp / close host <target> for rdp / nobody should reach <target> /
    close <target> / block <target> / take <target> offline / <target> offline /
    put <target> in maintenance / <target> is under maintenance / lock server <target> /
    disable rdp server <target> / no rdp to <target> / switch target <target> off /
    stop access to <target> / keep people off <target> / <target> is in maintenance /
    dont let anyone on <target> / nobody must rdp into <target> / block rdp to <target> /
    close <target> for rdp / lock <target> / take <target> out of service / <target> is compromised /
    <target> in maintenance, nobody on it / freeze target <target> / freeze <target> / suspend <target>
  `,
  args: { target },
  summary: 'Disable a remote-desktop target (effect on open sessions is undocumented)',
  example: 'rdp target disable srv-print-01',
  run: ({ appliance, args }) => appliance.rdp.disableTarget({ id: args.target.id }),
});

export const create = change({
  ...aTarget.creating<{ readonly name: string; readonly set?: SetFields | undefined }>({
    nameIn: ({ name }) => name,
    nameOf: ({ name }) => name,
    ask: (all, { args }) => ({
      fields: changesIn({}, args.set ?? {}),
      fingerprint: { name: args.name, nameField: nameFieldOf(all, 'name') },
    }),
    wanted: ({ set = {} }) => set,
  }),
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
  run: ({ appliance, args }, { nameField }) =>
    withId(
      appliance.rdp.createTarget({
        fields: { [String(nameField)]: args.name, ...args.set, password: args.password },
      }),
    ),
});

export const changeTarget = change({
  ...aTarget.changing(
    ({ set }: { readonly target: Named; readonly set: SetFields }) => set,
    ({ id }) => [passwordNote('target', id)],
  ),
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
  alsoDoes: switches('target', 'target'),
  run: async ({ appliance, args }) => {
    const { id, fields } = await appliance.rdp.getTarget({ id: args.target.id });
    return appliance.rdp.replaceTarget({ id, fields: replacementOf(fields, args.set) });
  },
  beside: ['enabled'],
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
  doing: (args) => say`Setting the password of target ${nameOrNumber(args.target)}`,
  done: (args) => say`Password of target ${strong(nameOrNumber(args.target))} set`,
  preview: aTarget.preview((found) =>
    audited({
      question: say`Set a new password for target ${strong(nameOrNumber(found))}?`,
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

export const remove = change({
  ...aTarget.deleting(async (found, { appliance }) => {
    const { fields, fingerprint } = await surroundings(appliance, 'target', found.id, { target: found.name });
    return {
      question: say`Delete the remote-desktop target ${strong(nameOrNumber(found))}?`,
      fields: { ...fields, Password: say`deleted too, and cannot be restored` },
      fingerprint,
    };
  }),
  phrase: 'rdp target delete <target>',
  says: `
    delete server <target> / delete target <target> / remove server <target> from rdp /
    decommission server <target> / server <target> is gone / remove rdp server <target> /
    server <target> was scrapped / drop host <target> from remote desktop / delete rdp server <target> /
    remove <target> from rdp / remove target <target> / <target> was shut down for good /
    <target> does not exist any more / drop target <target> / get rid of server <target> /
    unregister <target>
  `,
  args: { target },
  summary: 'Delete a remote-desktop target',
  example: 'rdp target delete srv-legacy-01',
  // Sessions come and go during work.
  beside: ['sessions'],
  run: ({ appliance, args }) => appliance.rdp.deleteTarget({ id: args.target.id }),
});

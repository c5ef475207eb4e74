import type { IdentifiedEntry } from '../../../api/index.ts';
import type { Named } from '../../argument.ts';
import type { AskingAppliance } from '../../context.ts';
import { change, lookup } from '../../declare.ts';
import { countText, lackPart } from '../../listing.ts';
import { fieldList, fieldsOf, plural, say, strong } from '../../reply.ts';
import { type Switchable, switching } from '../../switching.ts';
import { audited, calledBy, shownFields, shownTable, stateOf } from '../shown.ts';
import { thing } from '../thing.ts';
import {
  idsOf,
  policiesWith,
  policyNames,
  targets as rdpTargets,
  sessionNames,
  sessionsOf,
  switchable,
  target,
} from '../things.ts';

const aTarget = thing('target', rdpTargets);

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
  answer: async ({ appliance }) => {
    const look = await rdpTargets.look(appliance);
    const { all } = look;
    const off = all.filter(({ enabled }) => enabled === false).length;
    return {
      headline: say`${countText(look, 'remote-desktop target')}${off === 0 ? '' : `, ${off} disabled`}`,
      details: [
        ...lackPart(appliance.name, look),
        ...(await shownTable(
          all.map(({ fields }) => fields),
          ['id', 'name', 'enabled', 'address', 'port'],
        )),
      ],
    };
  },
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
  answer: async (context) => {
    const found = await context.appliance.rdp.getTarget({ id: context.args.target.id });
    const { fields } = await surroundings(context, found);
    return {
      headline: say`Target ${strong(calledBy(found))} is ${stateOf(found)}`,
      details: [fieldList([...shownFields(found.fields), ...fieldsOf(fields)])],
    };
  },
});

const switched: Switchable<{ readonly target: Named }, IdentifiedEntry> = {
  ...aTarget.switched,
  look: async (found, context) => {
    const { fields } = await surroundings(context, found);
    return { fields: { State: stateOf(found), ...fields }, fingerprint: switchable(found) };
  },
  after: async (found, { appliance }, to) => {
    const open = to === 'enable' ? [] : await sessionsOf(appliance, { target: found.name });
    if (open === undefined) return say`Whether sessions are still open on it is not reported.`;
    return open.length === 0
      ? []
      : say`${plural(open.length, 'session is', 'sessions are')} still open on it.`;
  },
};

export const enable = change({
  ...switching('enable', switched),
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
  ...switching('disable', switched),
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

export const remove = change({
  ...aTarget.deleting('name'),
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
  preview: aTarget.preview(async (found, context) => {
    const { fields, fingerprint } = await surroundings(context, found);
    return audited({
      question: say`Delete the remote-desktop target ${strong(calledBy(found))}?`,
      fields: { ...fields, Password: say`deleted too, and cannot be restored` },
      fingerprint: { ...switchable(found), ...fingerprint },
    });
  }),
  // They come and go with whoever works there.
  beside: ['sessions'],
  run: ({ appliance, args }) => appliance.rdp.deleteTarget({ id: args.target.id }),
});

/** The policies that lead to a target, and who is on it now. */
async function surroundings(
  { appliance }: Pick<AskingAppliance<unknown>, 'appliance'>,
  found: IdentifiedEntry,
) {
  const [policies, open] = await Promise.all([
    policiesWith(appliance, 'target', found.id),
    sessionsOf(appliance, { target: found.name }),
  ]);
  return {
    fields: { 'In policies': policyNames(policies), 'Open sessions': sessionNames(open) },
    fingerprint: { policies: idsOf(policies), sessions: idsOf(open) },
  };
}

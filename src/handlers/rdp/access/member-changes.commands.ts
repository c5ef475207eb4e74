import { secret, word } from '../../argument.ts';
import { command } from '../../command.ts';
import { quoted } from '../../language/asked.ts';
import { code, say, strong } from '../../reply.ts';
import { auditTrail, calledBy, passwordNote } from '../shown.ts';
import { among, gone, member, userOf } from '../things.ts';
import { beforeOf, changesIn, compareListed } from './fields.ts';
import {
  changesOf,
  endFor,
  endIn,
  memberFields,
  pastNote,
  replacement,
  subjectOf,
  unsendable,
} from './member.ts';
import { endOf, shownUntil, until, untilText } from './until.ts';

const userName = word('a user name', 'eve.adams', {
  test: /^\S(?:.{0,62}\S)?$/,
  wanted: 'a user name of at most 64 characters',
});

export const create = command({
  kind: 'change',
  phrase: 'rdp member create <username> <--password> [--until] [--set]',
  also: ['rdp member add <username> <--password> [--until] [--set]'],
  args: { username: userName, password: secret('the password for the gateway'), until, set: memberFields },
  summary: 'Create a remote-desktop member',
  example: 'rdp member create eve.adams --until 30d',
  effect: 'write',
  verb: 'Create',
  doing: ({ username }) => say`Creating member ${username}`,
  done: ({ username }) => say`Member ${strong(username)} is created`,
  preview: async ({ appliance, args, now }) => {
    const all = await appliance.rdp.listMembers();
    const namesake = all.find((one) => userOf(one) === args.username);
    if (namesake !== undefined) {
      return {
        kind: 'nothing',
        why: say`${strong(appliance.name)} has a member ${strong(args.username)} already, number ${namesake.id}.`,
      };
    }
    const last = args.until == null ? undefined : endOf(args.until, now);
    const end = endFor(last, all);
    if ('why' in end) return end;
    if (typeof last === 'number' && last < now) {
      return {
        kind: 'nothing',
        why: say`${shownUntil(last)} is past: nobody could ever come in by this account.`,
      };
    }
    return {
      kind: 'ready',
      question: say`Create the remote-desktop member ${strong(args.username)}?`,
      fields: [
        { name: 'Until', value: last === undefined ? say`not given` : shownUntil(last) },
        ...changesIn({}, args.set ?? {}),
        auditTrail,
      ],
      subject: { username: args.username, endOfLife: end.endOfLife ?? null },
    };
  },
  run: async ({ appliance, args }, shown) => {
    const { confirmed, id } = await appliance.rdp.createMember({
      username: args.username,
      password: args.password,
      ...(typeof shown.endOfLife === 'number' ? { endOfLife: shown.endOfLife } : {}),
      ...(args.set == null ? {} : { fields: args.set }),
    });
    return { confirmed, ...(id === undefined ? {} : { learned: { id } }) };
  },
  verify: async ({ appliance, args }, { id, endOfLife }) => {
    const all = await appliance.rdp.listMembers();
    const found = all.find((one) => (typeof id === 'number' ? one.id === id : userOf(one) === args.username));
    return compareListed(
      'created',
      'member',
      args.username,
      found,
      found && { ...args.set, ...endIn(found, endOfLife) },
    );
  },
  undo: ({ username }, { id }) => `rdp member delete ${typeof id === 'number' ? id : quoted(username)}`,
  undoAsks: true,
});

export const change = command({
  kind: 'change',
  phrase: 'rdp member change <member> [--username] [--until] [--set]',
  also: ['rdp member replace <member> [--username] [--until] [--set]'],
  args: { member, username: userName, until, set: memberFields },
  summary: 'Change a remote-desktop member: the last day, the user name, other fields',
  example: 'rdp member change contractor.acme --until 30d',
  effect: 'destructive',
  verb: 'Change',
  doing: (args) => say`Changing member ${args.member.name}`,
  done: (args) => say`Member ${strong(args.member.name)} is changed`,
  preview: async ({ appliance, args, now }) => {
    const all = await appliance.rdp.listMembers();
    const found = among(all, args.member);
    if (found === undefined) return gone(appliance, 'member', args.member);
    const last = args.until == null ? undefined : endOf(args.until, now);
    const end = endFor(last, all);
    if ('why' in end) return end;
    const obstacle = last === undefined ? unsendable(found) : undefined;
    if (obstacle !== undefined) return obstacle;
    const changes = changesOf(args, found);
    if (Object.keys(changes).length === 0 && last === undefined) {
      return {
        kind: 'nothing',
        why: say`That changes nothing yet. Say what shall be different, such as ${code(`/appliance rdp member change ${found.id} --until 30d`)}.`,
      };
    }
    const untils =
      last === undefined
        ? []
        : [
            {
              name: 'Until',
              value: say`${untilText(found)} → ${shownUntil(last)}${pastNote(last, now)}`,
            },
          ];
    return {
      kind: 'ready',
      question: say`Change member ${strong(calledBy(found))}?`,
      fields: [...untils, ...changesIn(found.fields, changes), passwordNote('member', found.id), auditTrail],
      subject: {
        ...subjectOf(found),
        endOfLife: end.endOfLife ?? null,
        ...beforeOf(found.fields, changes),
      },
    };
  },
  run: async ({ appliance, args }, { endOfLife }) => {
    const found = await appliance.rdp.getMember({ id: args.member.id });
    return appliance.rdp.replaceMember({
      id: found.id,
      ...replacement(found, changesOf(args, found), endOfLife),
    });
  },
  verify: async ({ appliance, args }, { endOfLife }) => {
    const found = among(await appliance.rdp.listMembers(), args.member);
    return compareListed(
      'changed',
      'member',
      args.member.id,
      found,
      found && { ...changesOf(args, found), ...endIn(found, endOfLife) },
    );
  },
  // Only the last day: other fields may hold what a typed line cannot say.
  undo: (args, { until: before }) =>
    args.username === undefined && args.set === undefined && typeof before === 'string'
      ? `rdp member change ${args.member.id} --until ${before}`
      : undefined,
});

export const password = command({
  kind: 'change',
  phrase: 'rdp member password <member> <--password>',
  args: { member, password: secret('the new password') },
  summary: 'Give a remote-desktop member a new password for the gateway',
  example: 'rdp member password bob.miller',
  effect: 'destructive',
  verb: 'Set password',
  doing: (args) => say`Setting the password of member ${args.member.name}`,
  done: (args) => say`The password of member ${strong(args.member.name)} is set`,
  preview: async ({ appliance, args }) => {
    const found = among(await appliance.rdp.listMembers(), args.member);
    if (found === undefined) return gone(appliance, 'member', args.member);
    const obstacle = unsendable(found);
    if (obstacle !== undefined) return obstacle;
    return {
      kind: 'ready',
      question: say`Give member ${strong(calledBy(found))} a new password?`,
      fields: [
        { name: 'Old password', value: say`cannot be read by anybody, so nobody can put it back` },
        { name: 'Everything else', value: say`is sent along as it is now` },
        auditTrail,
      ],
      subject: subjectOf(found),
    };
  },
  run: async ({ appliance, args }) => {
    const found = await appliance.rdp.getMember({ id: args.member.id });
    return appliance.rdp.replaceMember({
      id: found.id,
      ...replacement(found, {}, null),
      password: args.password,
    });
  },
  verify: { notCheckable: 'the appliance shows nobody a password' },
});

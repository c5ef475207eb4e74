import { secret, word } from '../../argument.ts';
import { change } from '../../declare.ts';
import { quoted } from '../../language/asked.ts';
import { code, fieldsOf, say, strong } from '../../reply.ts';
import { notHappened, nothing } from '../../results.ts';
import { audited, calledBy, newPasswordNotes, numbered, passwordNote } from '../shown.ts';
import { createdIn, creating, thing } from '../thing.ts';
import { goneText, member, members, userOf } from '../things.ts';
import { beforeOf, changesIn, compare, isSo, type SetFields } from './fields.ts';
import {
  changesOf,
  endFor,
  endIn,
  fingerprintOf,
  memberFields,
  pastNote,
  replacement,
  unsendable,
} from './member.ts';
import { endOf, shownUntil, until, untilText } from './until.ts';

const aMember = thing('member', members);

const userName = word('a user name', 'eve.adams', {
  test: /^\S(?:.{0,62}\S)?$/,
  wanted: 'a user name of at most 64 characters',
});

interface Creating {
  readonly username: string;
  readonly set?: SetFields | undefined;
}

export const create = change({
  phrase: 'rdp member create <username> <--password> [--until] [--set]',
  says: `
    add user <username> / create user <username> / new rdp user <username> /
    create remote desktop account for <username> / add member <username> /
    new colleague <username> needs remote desktop / create account <username> /
    new rdp account for <username> / give <username> remote desktop access / open rdp login for <username> /
    new colleague <username> needs rdp / new contractor <username> on the bastion /
    register <username> for remote desktop / <username> starts monday / create an rdp user <username> /
    add rdp user <username> / add <username> to rdp / new user <username> for rdp / account for <username> /
    make an account for <username> / <username> needs rdp access / <username> needs remote access /
    set up <username> for remote desktop / new hire <username> needs rdp / create a login for <username> /
    give the new colleague <username> access
  `,
  also: ['rdp member add <username> <--password> [--until] [--set]'],
  args: { username: userName, password: secret('the password for the gateway'), until, set: memberFields },
  summary: 'Create a remote-desktop member',
  example: 'rdp member create eve.adams --until 30d',
  effect: 'write',
  verb: 'Create',
  doing: ({ username }) => say`Creating member ${username}`,
  done: ({ username }) => say`Member ${strong(username)} created`,
  preview: async ({ appliance, args, now }) => {
    const all = await appliance.rdp.listMembers();
    const namesake = all.find((one) => userOf(one) === args.username);
    if (namesake !== undefined)
      return nothing`Member ${strong(args.username)} already exists on ${strong(appliance.name)}, number ${namesake.id}.`;
    const last = args.until == null ? undefined : endOf(args.until, now);
    const end = endFor(last, all);
    if ('why' in end) return end;
    if (typeof last === 'number' && last < now)
      return nothing`${shownUntil(last)} is in the past: this account could never log on.`;
    return audited({
      question: say`Create the remote-desktop member ${strong(args.username)}?`,
      fields: [
        { name: 'Until', value: last === undefined ? say`not given` : shownUntil(last) },
        ...changesIn({}, args.set ?? {}),
      ],
      fingerprint: { username: args.username, endOfLife: end.endOfLife ?? null },
    });
  },
  run: ({ appliance, args }, { endOfLife }) =>
    creating(
      appliance.rdp.createMember({
        username: args.username,
        password: args.password,
        ...(typeof endOfLife === 'number' ? { endOfLife } : {}),
        ...(args.set == null ? {} : { fields: args.set }),
      }),
    ),
  verify: createdIn(
    () => members,
    (one, args: Creating) => userOf(one) === args.username,
    ({ username }) => notHappened`Members read back: ${username} is not among them.`,
    (found, { set }, { endOfLife }) =>
      compare('created', `member ${numbered(found)}`, found.fields, { ...set, ...endIn(found, endOfLife) }),
  ),
  undo: ({ username }, { id }) => `rdp member delete ${typeof id === 'number' ? id : quoted(username)}`,
  undoAsks: true,
});

export const changeMember = change({
  phrase: 'rdp member change <member> [--username] [--until] [--set]',
  says: `
    change member <member> / extend account of <member> / rename user <member> /
    let <member> in until <until> / account of <member> expires <until> / change end date of <member> /
    extend rdp account of <member> until <until> / rdp account of <member> expires /
    rename rdp user <member> / prolong remote desktop access of <member> /
    contract of <member> was prolonged to <until> / last day of <member> is <until> / extend <member> /
    extend <member> until <until> / extend the access of <member> until <until> /
    <member> stays until <until> / <member> may log in until <until> / prolong <member> /
    let <member> work until <until> / end date of <member> is <until> / access of <member> ends <until> /
    rename <member> to <username> / update the account of <member> / <member> got married, new name /
    validity of <member> / set the expiry of <member> /
    contract of <member> was prolonged, give him <until> more / extend the access of <member> by <until> /
    <member> stays longer / access of <member> should end <until> / expire <member> <until> /
    <member> needs access until <until> / disable member <member> / enable member <member> / lock <member> /
    give <member> access until <until>
  `,
  also: ['rdp member replace <member> [--username] [--until] [--set]'],
  args: { member, username: userName, until, set: memberFields },
  summary: 'Change a remote-desktop member: last day, user name, other fields',
  example: 'rdp member change contractor.acme --until 30d',
  effect: 'destructive',
  verb: 'Change',
  doing: (args) => say`Changing member ${calledBy(args.member)}`,
  done: (args) => say`Member ${strong(calledBy(args.member))} changed`,
  preview: async ({ appliance, args, now }) => {
    const { found, all } = await members.seek(appliance, ({ id }) => id === args.member.id);
    if (found === undefined) return { kind: 'nothing', why: goneText(appliance, 'member', args.member.id) };
    const last = args.until == null ? undefined : endOf(args.until, now);
    const end = endFor(last, all);
    if ('why' in end) return end;
    const obstacle = last === undefined ? unsendable(found) : undefined;
    if (obstacle !== undefined) return obstacle;
    const changes = changesOf(args, found);
    if (Object.keys(changes).length === 0 && last === undefined)
      return nothing`Nothing to change. Add what to change, such as ${code(`/appliance rdp member change ${found.id} --until 30d`)}.`;
    if (isSo(found.fields, { ...changes, ...endIn(found, end.endOfLife) }))
      return nothing`Member ${strong(calledBy(found))} already has these values.`;
    const untils = {
      Until:
        last === undefined ? undefined : say`${untilText(found)} → ${shownUntil(last)}${pastNote(last, now)}`,
    };
    return audited({
      question: say`Change member ${strong(calledBy(found))}?`,
      fields: [...fieldsOf(untils), ...changesIn(found.fields, changes), passwordNote('member', found.id)],
      fingerprint: {
        ...fingerprintOf(found),
        endOfLife: end.endOfLife ?? null,
        ...beforeOf(found.fields, changes),
      },
    });
  },
  run: async ({ appliance, args }, { endOfLife }) => {
    const found = await appliance.rdp.getMember({ id: args.member.id });
    return appliance.rdp.replaceMember({
      id: found.id,
      ...replacement(found, changesOf(args, found), endOfLife),
    });
  },
  verify: aMember.verify((found, { args }, { endOfLife }) =>
    compare('changed', `member ${numbered(found)}`, found.fields, {
      ...changesOf(args, found),
      ...endIn(found, endOfLife),
    }),
  ),
  // Only the last day: other fields may hold what a typed line cannot say.
  undo: (args, { until: before }) =>
    args.username === undefined && args.set === undefined && typeof before === 'string'
      ? `rdp member change ${args.member.id} --until ${before}`
      : undefined,
});

export const password = change({
  phrase: 'rdp member password <member> <--password>',
  says: `
    reset password of <member> / new password for <member> / change password of <member> /
    <member> forgot his password / set password <member> / password expired <member> /
    <member> forgot rdp password / set new password for rdp user <member> / reset rdp password of <member> /
    change remote desktop password / fresh passphrase for <member> on the bastion /
    reset the rdp password of <member> / <member> needs a new password / password reset for <member> /
    new rdp password for <member> / <member> cannot remember the password /
    change the password of rdp user <member> / passwort von <member> zurücksetzen /
    password of <member> expired
  `,
  args: { member, password: secret('the new password') },
  summary: 'Set the gateway password of a remote-desktop member',
  example: 'rdp member password bob.miller',
  effect: 'destructive',
  verb: 'Set password',
  doing: (args) => say`Setting the password of member ${calledBy(args.member)}`,
  done: (args) => say`Password of member ${strong(calledBy(args.member))} set`,
  preview: aMember.preview(
    (found) =>
      unsendable(found) ??
      audited({
        question: say`Set a new password for member ${strong(calledBy(found))}?`,
        fields: newPasswordNotes,
        fingerprint: fingerprintOf(found),
      }),
  ),
  run: async ({ appliance, args }) => {
    const found = await appliance.rdp.getMember({ id: args.member.id });
    return appliance.rdp.replaceMember({
      id: found.id,
      ...replacement(found, {}, null),
      password: args.password,
    });
  },
  verify: { notCheckable: 'the API does not return passwords' },
});

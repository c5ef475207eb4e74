import type { Member } from '../../../api/index.ts';
import { type Argument, nameOrNumber, secret, word } from '../../argument.ts';
import { change, lookup } from '../../declare.ts';
import { answeredFrom, countText } from '../../listing.ts';
import { code, fieldList, fieldsOf, type Part, say, strong } from '../../reply.ts';
import { nothing, type Preview } from '../../results.ts';
import { impossible } from '../../understanding/impossible.ts';
import { audited, newPasswordNotes, numbered, passwordNote, shownFields, shownTable } from '../shown.ts';
import { thing, withId } from '../thing.ts';
import { goneText, member, members as rdpMembers, surroundings, userOf } from '../things.ts';
import {
  beforeOf,
  changesIn,
  compare,
  isSo,
  replacementOf,
  type SetFields,
  sameName,
  setFields,
} from './fields.ts';
import {
  type End,
  endOf,
  endOfLifeFor,
  momentOf,
  shownUntil,
  type Until,
  until,
  untilText,
} from './until.ts';

/** Documented fields of members: user name and last day (appliance-api.md §2.14). */
const aMember = thing({
  kind: 'member',
  list: rdpMembers,
  // The last day as people type it.
  identityOf: (found) => ({
    id: found.id,
    username: userOf(found) ?? null,
    until: found.endOfLife === 0 ? 'never' : (momentOf(found)?.toISOString().slice(0, 19) ?? null),
  }),
});

const userName = word('a user name', 'eve.adams', {
  test: /^\S(?:.{0,62}\S)?$/,
  wanted: 'a user name of at most 64 characters',
});

/** The option `--set` of a member; documented fields have options of their own. */
const memberFields: Argument<SetFields> = {
  ...setFields,
  read: (written) => {
    const reading = setFields.read(written);
    return reading.ok && Object.keys(reading.value).some((name) => /^(?:username|endoflife)$/i.test(name))
      ? {
          ok: false,
          problem: {
            code: 'malformed',
            wanted: 'without username and endoflife, which have their own options',
          },
        }
      : reading;
  },
};

export const members = lookup({
  phrase: 'rdp members',
  says: `
    list rdp users / who may use remote desktop / all members / which users have remote access /
    remote desktop accounts / who has access / list members / expired accounts / rdp accounts /
    who has rdp access / rdp users / externals and contractors on the bastion / list people in rdp /
    list of rdp users / which users are in rdp / who has an rdp account / how many rdp users /
    show all rdp members / which accounts expire / users of remote desktop / who is allowed on rdp /
    who can use remote desktop / all rdp accounts / list users / list accounts
  `,
  summary: 'List remote-desktop members',
  answer: answeredFrom(
    () => rdpMembers,
    async (look, { now }) => {
      const { all } = look;
      const ended = all.filter((one) => hasEnded(one, now)).length;
      const table = await shownTable(all.map(withoutEnd), ['id', 'username']);
      const withUntil = (part: Part): Part =>
        part.kind === 'table'
          ? {
              ...part,
              columns: [...part.columns, 'Until'],
              rows: part.rows.map((row, at) => [
                ...row,
                ...all.slice(at, at + 1).map((one) => untilText(one, now)),
              ]),
            }
          : part;
      return {
        headline: say`${countText(look, 'remote-desktop member')}${ended === 0 ? '' : `, ${ended} expired`}`,
        details: table.map(withUntil),
      };
    },
  ),
});

export const show = lookup({
  phrase: 'rdp member <member>',
  byNameAlone: true,
  says: `
    which servers can <member> reach / show user <member> / access of <member> /
    what may <member> do in remote desktop / which policies has <member> / details of member <member> /
    account of <member> / does <member> have access / is the account of <member> expired /
    when does <member> expire / what may <member> reach over rdp / which rdp policies let <member> in /
    what rdp rights does <member> have / until when is rdp account of <member> valid /
    when does rdp access of <member> end / info about <member> / show me <member> / is <member> active /
    is <member> disabled / does <member> have rdp access / can <member> use rdp /
    is <member> allowed on rdp / which policy is <member> in / in which policies is <member> /
    what can <member> reach / what access has <member> / which servers may <member> use /
    when does the access of <member> end / until when may <member> log in /
    is the account of <member> locked / tell me about user <member> / rdp user <member> /
    account details of <member> / has <member> an account / does the box know <member> /
    do you know <member> / is <member> known
  `,
  args: { member },
  summary: 'Show a remote-desktop member and their policies',
  example: 'rdp member bob.miller',
  answer: async ({ appliance, args, now }) => {
    const found = await appliance.rdp.getMember({ id: args.member.id });
    const { fields } = await surroundings(appliance, 'member', found.id, { user: userOf(found) });
    const end = { 'Valid until': untilText(found, now), ...fields };
    return {
      headline: say`Member ${strong(nameOrNumber(found))} of the remote-desktop gateway`,
      details: [fieldList([...shownFields(withoutEnd(found)), ...fieldsOf(end)])],
    };
  },
});

interface Creating {
  readonly username: string;
  readonly until?: Until | undefined;
  readonly set?: SetFields | undefined;
}

export const create = change({
  ...aMember.creating<Creating>({
    nameIn: ({ username }) => username,
    nameOf: userOf,
    ask: (all, { args, now }) => {
      const last = args.until == null ? undefined : endOf(args.until, now);
      const end = endFor(last, all);
      if ('why' in end) return end;
      if (typeof last === 'number' && last < now)
        return nothing`${shownUntil(last)} is in the past: this account could never log on.`;
      return {
        fields: [
          { name: 'Until', value: last === undefined ? say`not given` : shownUntil(last) },
          ...changesIn({}, args.set ?? {}),
        ],
        fingerprint: { username: args.username, endOfLife: end.endOfLife ?? null },
      };
    },
    wanted: ({ set }, { found, shown: { endOfLife } }) => ({ ...set, ...endIn(found, endOfLife) }),
  }),
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
  run: ({ appliance, args }, { endOfLife }) =>
    withId(
      appliance.rdp.createMember({
        username: args.username,
        password: args.password,
        ...(typeof endOfLife === 'number' ? { endOfLife } : {}),
        ...(args.set == null ? {} : { fields: args.set }),
      }),
    ),
});

export const changeMember = change({
  ...aMember.acting('Change'),
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
  preview: async ({ appliance, args, now }) => {
    const { found, all } = await rdpMembers.seek(appliance, ({ id }) => id === args.member.id);
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
      return nothing`Member ${strong(nameOrNumber(found))} already has these values.`;
    const untils = {
      Until:
        last === undefined ? undefined : say`${untilText(found)} → ${shownUntil(last)}${pastNote(last, now)}`,
    };
    return audited({
      question: say`Change member ${strong(nameOrNumber(found))}?`,
      fields: [...fieldsOf(untils), ...changesIn(found.fields, changes), passwordNote('member', found.id)],
      fingerprint: {
        ...aMember.identityOf(found),
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
  // Restores only the last day: a typed line may not express other fields.
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
  doing: (args) => say`Setting the password of member ${nameOrNumber(args.member)}`,
  done: (args) => say`Password of member ${strong(nameOrNumber(args.member))} set`,
  preview: aMember.preview(
    (found) =>
      unsendable(found) ??
      audited({
        question: say`Set a new password for member ${strong(nameOrNumber(found))}?`,
        fields: newPasswordNotes,
        fingerprint: aMember.identityOf(found),
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

export const remove = change({
  ...aMember.deleting(async (found, { appliance }) => {
    const { fields, fingerprint } = await surroundings(appliance, 'member', found.id, {
      user: userOf(found),
    });
    return {
      question: say`Delete the remote-desktop member ${strong(nameOrNumber(found))}?`,
      fields: { ...fields, Password: say`deleted too, and cannot be restored` },
      fingerprint,
    };
  }),
  phrase: 'rdp member delete <member>',
  says: `
    delete user <member> / delete rdp user <member> / remove member <member> / delete account of <member> /
    <member> left the company / offboard <member> / remove <member> from rdp /
    revoke remote desktop access of <member> / close account of <member> for good / <member> quit /
    remove rdp user <member> / delete <member> from rdp / delete the rdp account of <member> /
    <member> was fired / <member> has left / <member> left, remove the account /
    <member> does not work here any more / erase user <member> / <member> no longer needs remote desktop /
    close the account of <member> / remove the user <member> / delete <member> from the gateway /
    contract of <member> ended / take away the remote desktop access of <member> /
    revoke rdp access of <member> / <member> must not use rdp any more /
    lock out <member> from remote desktop / no more rdp for <member> / <member> is leaving
  `,
  args: { member },
  summary: 'Delete a remote-desktop member',
  example: 'rdp member delete peter.novak',
  // Sessions come and go during work.
  beside: ['sessions'],
  run: ({ appliance, args }) => appliance.rdp.deleteMember({ id: args.member.id }),
});

export const showPassword = impossible({
  says: `
    what is the rdp password / show the remote desktop password / read password of target /
    which password does the server have
  `,
  why: 'The Web API sets passwords of members and targets, but never returns them.',
  source: 'appliance-api.md §2.14',
  nearest: ['rdp member password <member> <--password>', 'rdp target password <target> <--password>'],
});

const hasEnded = (found: Member, now: number): boolean =>
  found.endOfLife !== 0 && (momentOf(found)?.getTime() ?? now) < now;

const pastNote = (value: End, now: number): string =>
  value !== 'never' && value < now ? ', in the past: this account can no longer log on' : '';

/** The value to write for a last day, or why it is unknown. */
function endFor(
  value: End | undefined,
  all: readonly Member[],
): { readonly endOfLife: number | undefined } | Extract<Preview, { kind: 'nothing' }> {
  if (value === undefined) return { endOfLife: undefined };
  const endOfLife = endOfLifeFor(value, all);
  return endOfLife === undefined
    ? {
        kind: 'nothing',
        why: say`How this appliance stores an account without an end date is unknown: it is undocumented, and no member has one. Give a day.`,
      }
    : { endOfLife };
}

/** The last day as a field, in the appliance's own spelling. */
const endIn = ({ fields }: Member, endOfLife: unknown): SetFields =>
  typeof endOfLife === 'number' ? { [sameName(fields, 'endoflife')]: String(endOfLife) } : {};

function changesOf(
  { username, set }: { readonly username?: string | undefined; readonly set?: SetFields | undefined },
  { fields }: Member,
): SetFields {
  return { ...set, ...(username === undefined ? {} : { [sameName(fields, 'username')]: username }) };
}

/** All readable fields of a member for the client: documented ones apart from the rest. */
function replacement(found: Member, changes: SetFields, wantedEnd: unknown) {
  const all = Object.entries(replacementOf(found.fields, changes));
  const endOfLife = typeof wantedEnd === 'number' ? wantedEnd : found.endOfLife;
  return {
    username: all.find(([name]) => name.toLowerCase() === 'username')?.[1] ?? userOf(found) ?? '',
    ...(endOfLife === undefined ? {} : { endOfLife }),
    fields: Object.fromEntries(
      all.filter(([name]) => !['username', 'endoflife'].includes(name.toLowerCase())),
    ),
  };
}

/** A last day that is no number cannot be sent (§2.14), and an omitted field may be lost. */
function unsendable({ id, endOfLife, fields }: Member): Extract<Preview, { kind: 'nothing' }> | undefined {
  const written = fields[sameName(fields, 'endoflife')] ?? '';
  return endOfLife !== undefined || written === ''
    ? undefined
    : {
        kind: 'nothing',
        why: say`The last day of member ${id} is stored as ${code(written)}, which can’t be sent back, so it might be lost. Give one with ${code(`rdp member change ${id} --until`)}.`,
      };
}

const withoutEnd = ({ fields }: Member) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name.toLowerCase() !== 'endoflife'));

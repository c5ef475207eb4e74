import type { SqlUser } from '../../api/index.ts';
import type { AskingAppliance } from '../context.ts';
import { change } from '../declare.ts';
import { code, fieldList, paragraph, plural, say, strong } from '../reply.ts';
import { resource } from '../resource.ts';
import {
  type Fingerprint,
  final,
  happened,
  notCheckable,
  notHappened,
  nothing,
  ready,
  type Verification,
} from '../results.ts';
import { readConnections, thoseOf, unread } from './connections.ts';
import { toldOf } from './privileges.ts';
import {
  account,
  called,
  fingerprintOf,
  granted,
  hasNone,
  host,
  hostProblem,
  isUser,
  type OnUser,
  privilegesOf,
  sqlUsers,
  sureAccount,
  userGone,
} from './users.ts';

const undocumented = { Note: say`the API does not document which privileges this changes` };

const aUser = resource<OnUser, SqlUser>({
  noun: 'SQL user',
  nameOf: called,
  list: () => sqlUsers,
  fits: isUser,
  gone: ({ appliance, args }) => userGone(appliance.name, args),
});

/** A user is a name with a host; a name alone finds nothing. */
const ofUser: typeof aUser.preview = (ask) => async (context) =>
  hostProblem(context.appliance.name, context.args) ?? aUser.preview(ask)(context);

const readPrivileges = (wanted: 'more' | 'fewer') =>
  aUser.verify<OnUser>(
    (now, { args }, before) => judge(called(args), now, before, wanted),
    ({ args }) => notHappened`Users read back: ${called(args)} no longer exists.`,
  );

export const grant = change({
  phrase: 'sql user grant <user> [--host]',
  says: `
    grant all to sql user <user> / make <user> database admin / give sql user <user> all privileges /
    grant all to mysql user <user> / give mysql user <user> privileges /
    more privileges for sql user <user> / make sql user <user> admin / give <user> all rights on mysql /
    all privileges for <user> / grant everything to <user> / full rights for mysql user <user> /
    grant <user> access to <database> / give <user> access to database <database>
  `,
  args: { user: account, host },
  summary: 'Grant privileges to an SQL user (which ones is undocumented)',
  example: 'sql user grant proxy',
  effect: 'write',
  verb: 'Grant',
  doing: (args) => say`Granting privileges to SQL user ${called(args)}`,
  done: (args) => say`Privileges granted to SQL user ${strong(called(args))}`,
  preview: ofUser(async (found, { args }) =>
    ready({
      question: say`Grant privileges to SQL user ${strong(called(args))}?`,
      fields: { 'Has now': privilegesOf(found), ...undocumented },
      fingerprint: fingerprintOf(found),
    }),
  ),
  run: ({ appliance, args }) => appliance.sqldb.grantUser(sureAccount(args)),
  verify: readPrivileges('more'),
  // Revoking everything restores the earlier state only if there was no privilege.
  undo: (args, { privileges, known }) =>
    privileges === '' && known !== 0 ? `sql user revoke ${called(args)}` : undefined,
});

export const revoke = change({
  phrase: 'sql user revoke <user> [--host]',
  says: `
    revoke sql user <user> / revoke all privileges of sql user <user> /
    take privileges from sql user <user> / revoke all from mysql user <user> /
    take privileges away from mysql user <user> / fewer privileges for sql user <user> /
    remove all rights of mysql user <user> / no rights for sql user <user> /
    take all privileges of mysql user <user> / strip sql user <user> /
    mysql user <user> should have no rights
  `,
  args: { user: account, host },
  summary: 'Revoke privileges of an SQL user (which ones is undocumented)',
  example: 'sql user revoke reports',
  effect: 'destructive',
  verb: 'Revoke',
  doing: (args) => say`Revoking privileges of SQL user ${called(args)}`,
  done: (args) => say`Privileges of SQL user ${strong(called(args))} revoked`,
  preview: ofUser(async (found, context) =>
    hasNone(found)
      ? nothing`SQL user ${strong(called(context.args))} has no privileges on everything on ${strong(context.appliance.name)}: there is nothing to revoke. ${code('sql database revoke')} takes away those on one database.`
      : ready({
          question: say`Revoke privileges of SQL user ${strong(called(context.args))}?`,
          fields: {
            'Has now': privilegesOf(found, 40),
            'Connected now': await connectedAs(context),
            ...undocumented,
          },
          fingerprint: fingerprintOf(found),
        }),
  ),
  run: ({ appliance, args }) => appliance.sqldb.revokeUser(sureAccount(args)),
  verify: readPrivileges('fewer'),
});

export const post = change({
  phrase: 'sql user post <user> [--host]',
  says: `
    post sql user / send undocumented sql user order / post sql user <user> /
    undocumented order for sql user <user> / send the post call for mysql user <user>
  `,
  args: { user: account, host },
  summary: 'Send an undocumented request for an SQL user',
  example: 'sql user post reports',
  effect: 'unknown',
  // Its effect is unknown, so it counts as these.
  alsoDoes: ['sql user grant', 'sql user revoke'].map((name) => ({
    name,
    always: true,
    with: ({ user, host: from }: { readonly user: unknown; readonly host?: unknown }) => ({
      user,
      host: from,
    }),
  })),
  verb: 'Send',
  doing: (args) => say`Sending the undocumented request for SQL user ${called(args)}`,
  done: (args) => say`Undocumented request for SQL user ${strong(called(args))} sent`,
  preview: ofUser(async (found, { args }) =>
    ready({
      question: say`Send the undocumented request for SQL user ${strong(called(args))}? It may create, change, delete or only show something.`,
      fields: { 'Has now': privilegesOf(found) },
      fingerprint: fingerprintOf(found),
    }),
  ),
  run: async ({ appliance, args }) => {
    const { user, host: from } = sureAccount(args);
    const { confirmed, info, fields } = await appliance.sqldb.postUser({ username: user, host: from });
    const told = toldOf(fields, [user, from]);
    return {
      confirmed,
      details: [
        ...(info === '' ? [] : [paragraph`The appliance reports: ${code(info)}`]),
        ...(told.fields.length === 0 ? [] : [fieldList(told.fields)]),
      ],
    };
  },
  verify: aUser.verify<OnUser>(
    (now, context, before) =>
      granted(now).join(', ') === before.privileges
        ? final(notCheckable`its effect is undocumented, and the privileges of the user are unchanged`)
        : happened`Users read back: ${called(context.args)} has different privileges now: ${privilegesOf(now, 40)}.`,
    ({ args }) => happened`Users read back: ${called(args)} no longer exists.`,
  ),
});

async function connectedAs({ appliance, args }: AskingAppliance<OnUser>) {
  const connections = await readConnections(appliance);
  const own = thoseOf(connections, ({ user }) => user === args.user.user, 'user');
  return say`${own === undefined ? unread(connections) : own.length === 0 ? 'nobody' : `${plural(own.length, 'connection')} of a user of this name`}`;
}

function judge(name: string, now: SqlUser, before: Fingerprint, wanted: 'more' | 'fewer'): Verification {
  if (Object.keys(now.privileges).length === 0)
    return final(notCheckable`the list of users does not include their privileges`);
  const had = new Set(
    String(before.privileges)
      .split(', ')
      .filter((one) => one !== ''),
  );
  const has = new Set(granted(now));
  const changed = wanted === 'more' ? has.difference(had) : had.difference(has);
  if (changed.size > 0)
    return happened`Users read back: ${name} has ${changed.size} ${wanted} privileges on everything than before, now ${privilegesOf(now)}.`;
  // A user without privileges before, or with some left, shows that nothing happened.
  return (wanted === 'more' ? had.size === 0 : had.size > 0)
    ? notHappened`Users read back: ${name} has the same privileges on everything as before: ${privilegesOf(now)}.`
    : final(
        notCheckable`the privileges of ${name} are unchanged, and which ones this changes is undocumented`,
      );
}

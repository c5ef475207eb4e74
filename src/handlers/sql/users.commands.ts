import type { DatabasePrivileges, SqlUser } from '../../api/index.ts';
import { secret } from '../argument.ts';
import { change, lookup } from '../declare.ts';
import { answeredFrom, countText, readBackIn } from '../listing.ts';
import { code, fieldList, paragraph, plural, say, strong, type Text, tableOf } from '../reply.ts';
import { happened, notHappened, nothing, ready } from '../results.ts';
import { acting } from '../wording/acting.ts';
import { databaseParts, isGranted, type PrivilegesInWords, toldOf } from './privileges.ts';
import {
  account,
  accountName,
  host,
  hostProblem,
  newUser,
  privilegesOf,
  sqlUsers,
  wholeAccount,
} from './users.ts';

export const users = lookup({
  phrase: 'sql users',
  says: `
    sql users / list database users / who can use the database / database accounts / mysql users /
    who has access to the database / who has a mysql account / list the database logins /
    users of the database server / which mysql users exist / what sql users are there /
    which sql users exist and what may they do / list mysql accounts / who can log in to mysql /
    database users / list of sql users / who has a database login / how many mysql users /
    accounts on the sql server
  `,
  summary: 'List the users of the SQL server with their privileges',
  answer: answeredFrom(
    () => sqlUsers,
    (look, { appliance }) => {
      return {
        headline: say`${countText(look, 'SQL user')} on ${strong(appliance.name)}`,
        details: [
          ...tableOf(look.all, {
            User: (one) => (one.user === '' ? '(anybody)' : one.user),
            From: (one) => one.host ?? 'not reported',
            'Privileges on everything': privilegesOf,
          }),
          paragraph`${code('/appliance sql user <user>')} also shows privileges on single databases.`,
        ],
      };
    },
  ),
});

export const show = lookup({
  phrase: 'sql user <user> [--host]',
  byNameAlone: true,
  says: `
    which permissions has sql user <user> / privileges of sql user <user> / show sql user <user> /
    grants of database user <user> / what may sql user <user> do / show grants for <user> /
    what may mysql user <user> do / privileges of mysql user <user> / which databases can <user> use /
    what rights has mysql user <user> / what can sql user <user> do / rights of <user> on mysql /
    rights of database user <user> / permissions of <user> in mysql /
    which databases may mysql user <user> use / is there a mysql user <user> / does sql user <user> exist /
    is delete allowed on the <database> database / what is <user> allowed to do on sql /
    which databases can <user> read / may <user> write to <database> / privileges of <user> /
    which rights has sql user <user> / grants of <user>
  `,
  also: ['sql privileges of <user> [--host]', 'sql user privileges <user> [--host]'],
  args: { user: account, host },
  summary: 'Show the privileges of an SQL user',
  example: 'sql user reports',
  answer: async ({ appliance, args }) => {
    const whole = wholeAccount(args);
    const problem = hostProblem(appliance.name, args);
    if (whole === undefined || problem?.kind === 'nothing')
      return { headline: problem?.kind === 'nothing' ? problem.why : say`Add ${code('--host')}` };
    const answer = await appliance.sqldb.getPrivileges({ username: whole.user, host: whole.host });
    const told = toldOf(answer.fields, [whole.user, whole.host]);
    const says = answer.info === '' ? [] : [{ name: 'Reply', value: say`${answer.info}` }];
    const { databases = [] } = answer;
    return {
      headline: say`SQL user ${strong(accountName(whole))} ${headlineOf(told, answer.databases)}`,
      details: [
        fieldList([...says, ...told.fields]),
        ...databaseParts(databases),
        ...(told.has.length + told.hasNot.length > 0
          ? []
          : [paragraph`${code('/appliance sql users')} lists privileges on everything.`]),
      ],
    };
  },
});

/** "has 3 privileges on everything, and privileges on 1 database" */
function headlineOf(
  { has, hasNot }: PrivilegesInWords,
  databases: readonly DatabasePrivileges[] | undefined,
): Text {
  const granted = databases?.filter(isGranted).length ?? 0;
  const onSome = say`privileges on ${strong(plural(granted, 'database'))}`;
  if (has.length > 0)
    return say`has ${hasNot.length === 0 ? 'all ' : ''}${strong(plural(has.length, 'privilege'))} on everything${granted === 0 ? '' : say`, and ${onSome}`}`;
  if (granted > 0) return say`has ${onSome}`;
  if (hasNot.length > 0) return say`has ${strong('no privileges')} on everything`;
  return databases === undefined
    ? say`has these privileges`
    : say`has ${strong('no privileges')} on a single database`;
}

interface Creating {
  readonly user: string;
  readonly host?: string | undefined;
}

/** The server's name for its own machine. */
const thisAppliance = 'localhost';

const named = ({ user, host: from }: { readonly user: string; readonly host?: string | undefined }) =>
  accountName({ user, host: from ?? thisAppliance });

export const create = change({
  ...acting('Create', 'SQL user', named),
  phrase: 'sql user create <user> [--host] <--password>',
  says: `
    create sql user <user> / add user <user> / new database user <user> / add mysql account <user> /
    database login for <user> / create mysql user <user> / new database login <user> /
    new mysql user <user> / new sql user <user> / new mysql login <user> / new sql account <user> /
    add sql user <user> / add database user <user> / make a mysql user <user> /
    we need a database account <user> / create db user <user> / login for <user> on mysql /
    allow <host> to talk to the sql server / let <host> use the sql server
  `,
  also: ['sql user add <user> [--host] <--password>'],
  args: { user: newUser, host, password: secret('the password of the new user') },
  summary: 'Create an SQL user, for this appliance only unless a host is given (the API cannot delete users)',
  example: 'sql user create crm --host 10.20.1.%',
  effect: 'write',
  preview: async ({ appliance, args }) => {
    const all = await appliance.sqldb.listUsers();
    const from = args.host ?? thisAppliance;
    const same = all.find((one) => one.user === args.user && (one.host === undefined || one.host === from));
    if (same !== undefined)
      return nothing`SQL user ${strong(accountName(same))} already exists on ${strong(appliance.name)}.`;
    return ready({
      question: say`Create SQL user ${strong(named(args))}?`,
      fields: {
        'Connects from': say`${from === thisAppliance ? 'the appliance only' : from}`,
        Note: say`the API cannot delete a user`,
      },
      fingerprint: { user: args.user, host: from },
    });
  },
  run: ({ appliance, args }) =>
    appliance.sqldb.createUser({
      user: args.user,
      host: args.host ?? thisAppliance,
      password: args.password,
    }),
  verify: readBackIn<Creating, SqlUser>(
    () => sqlUsers,
    async ({ seek }, { args }) => {
      const from = args.host ?? thisAppliance;
      const { found: made } = await seek(
        (one) => one.user === args.user && (one.host === undefined || one.host === from),
      );
      return made === undefined
        ? notHappened`Users read back: ${named(args)} is not among them.`
        : happened`Users read back: ${named(args)} is there, with these privileges on everything: ${privilegesOf(made)}. ${code(`/appliance sql database grant <database> to ${accountName(made)}`)} grants more.`;
    },
  ),
});

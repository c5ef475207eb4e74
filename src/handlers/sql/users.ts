import type { SqlUser } from '../../api/index.ts';
import { type Argument, listed, text, word } from '../argument.ts';
import { listedIn, listing } from '../listing.ts';
import { code, say, strong, type Text } from '../reply.ts';
import type { Fingerprint, Preview } from '../results.ts';
import { inWords, privilegeName } from './privileges.ts';

/**
 * Users of the SQL server (appliance-api.md §4.5) are a name with a host. The same name with another host is
 * another user.
 */
export interface Account {
  readonly user: string;
  /** Undefined if the list lacks it: the field is undocumented (§2.14). */
  readonly host: string | undefined;
  /** The word by which rules identify it; absent in records of earlier versions. */
  readonly id?: string;
}

export const sqlUsers = listing<SqlUser>({
  things: 'SQL users',
  read: ({ sqldb }) => sqldb.listUsers(),
  keyOf: accountName,
});

const accounts = listed<Account>('an SQL user', 'reports', (appliance) =>
  listedIn(sqlUsers, appliance, ({ user, host }) => ({
    word: accountName({ user, host }),
    name: user,
    value: { id: accountName({ user, host }), user, host },
    ...(host === undefined ? {} : { hint: `from ${host}` }),
  })),
);

/** A user, by `name@host`, or by a unique name alone. */
export const account: Argument<Account> = {
  ...accounts,
  // A user's name may be digits. A cast as in `listed`: the word stands in until it is looked up.
  read: (typed) =>
    /^\d+$/.test(typed) ? { ok: true, value: typed as unknown as Account } : accounts.read(typed),
};

export const newUser: Argument<string> = word('a user name', 'crm', {
  test: /^[^\s'"`\\@]{1,80}$/,
  wanted: 'a name of at most 80 characters without spaces, quotes and @; use --host for the host',
});

export const host: Argument<string> = {
  ...text('the host the user connects from', '10.20.1.%', 255),
  input: 'text',
  read: (typed) =>
    /^[\w.:%/-]{1,255}$/.test(typed)
      ? { ok: true, value: typed }
      : {
          ok: false,
          problem: { code: 'malformed', wanted: 'a host name or address, with % as a wildcard' },
        },
};

/** `reports@%`, the usual SQL notation. */
export function accountName({
  user,
  host: from,
}: {
  readonly user: string;
  readonly host?: string | undefined;
}): string {
  return from === undefined ? user : `${user}@${from}`;
}

/** Arguments of commands on one user. */
export interface OnUser {
  readonly user: Account;
  readonly host?: string | undefined;
}

/** The user with its host, for calls; undefined if neither the list nor the person gives it. */
export function wholeAccount({
  user,
  host: said,
}: OnUser): { readonly user: string; readonly host: string } | undefined {
  const from = user.host ?? said;
  return from === undefined ? undefined : { user: user.user, host: from };
}

/** For `run` and `verify`; the preview has checked the host. */
export function sureAccount(args: OnUser): { readonly user: string; readonly host: string } {
  const whole = wholeAccount(args);
  if (whole === undefined) throw new Error('The preview lets nobody by without a host');
  return whole;
}

export const called = (args: OnUser): string =>
  accountName({ user: args.user.user, host: args.user.host ?? args.host ?? undefined });

/** The problem with a missing or contradicting host. */
export function hostProblem(appliance: string, { user, host: said }: OnUser): Preview | undefined {
  if (user.host !== undefined && said && said !== user.host) {
    return {
      kind: 'nothing',
      why: say`${strong(accountName(user))} connects from ${user.host}, not from ${said}. Leave out ${code('--host')}. ${code('/appliance sql users')} lists users and hosts.`,
    };
  }
  if (user.host !== undefined || said) return undefined;
  return {
    kind: 'nothing',
    why: say`${strong(appliance)} does not report the host of ${strong(user.user)}. Add ${code('--host')}.`,
  };
}

export const isUser = ({ user, host: from }: SqlUser, args: OnUser): boolean =>
  user === args.user.user && from === args.user.host;

export const userGone = (appliance: string, args: OnUser): Text =>
  say`SQL user ${called(args)} no longer exists on ${strong(appliance)}. ${code('/appliance sql users')} lists all users.`;

/** Without the common ending of their names: Select, Create tmp table. */
export const granted = ({ privileges }: SqlUser): readonly string[] =>
  Object.entries(privileges).flatMap(([name, has]) => (has ? [privilegeName(name)] : []));

/** Reported without any privilege; false if the list reports none at all. */
export const hasNone = (user: SqlUser): boolean =>
  Object.keys(user.privileges).length > 0 && granted(user).length === 0;

export const privilegesOf = ({ privileges }: SqlUser, most?: number): Text => inWords(privileges, most);

export const fingerprintOf = (user: SqlUser): Fingerprint => ({
  user: user.user,
  host: user.host ?? null,
  privileges: granted(user).join(', '),
  known: Object.keys(user.privileges).length,
});

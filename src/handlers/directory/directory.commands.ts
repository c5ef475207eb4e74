import type { AskedAppliance, DirectoryStatus } from '../../api/index.ts';
import type { AskingAppliance } from '../context.ts';
import { change, lookup } from '../declare.ts';
import { code, type Field, fieldList, plural, say, strong, type Text } from '../reply.ts';
import {
  type Fingerprint,
  happened,
  notCheckable,
  notHappened,
  nothing,
  type Preview,
  ready,
  type Verification,
} from '../results.ts';
import { impossible } from '../understanding/impossible.ts';
import { readIn } from '../wording/answer.ts';
import { number } from '../wording/quantities.ts';
import { clockOf } from '../wording/when.ts';
import {
  daemonsOf,
  emergencyIn,
  emergencyWords,
  queueOf,
  readAuthentication,
  stateWhenAsked,
  toldOf,
  withInfo,
} from './authentication.ts';

type Protocol = 'kerberos' | 'ntlm';
type On = AskingAppliance<unknown>;

const names: Readonly<Record<Protocol, string>> = { kerberos: 'Kerberos', ntlm: 'NTLM' };
const other = (one: Protocol): Protocol => (one === 'kerberos' ? 'ntlm' : 'kerberos');

export const connection = lookup({
  phrase: 'directory status',
  says: `
    is active directory ok / ad status / ldap status / is the directory connected / is the domain joined /
    is kerberos ok / winbind status / are domain controllers reachable / authentication helpers busy /
    why can nobody log in / users cannot authenticate / is ad connected / is ad reachable /
    is the domain controller reachable / are we joined to the domain /
    can the proxy reach the domain controller / is the appliance joined / kerberos status / ntlm status /
    does kerberos work / does ntlm work / state of active directory / ad down / is ldap up / domain trust /
    users are asked for a password all the time / users get authentication prompts / is ad back /
    connection to the directory / what about active directory / is the link to active directory alive /
    is the proxy in the domain / does the login work / are logins working / is the domain join ok /
    can users authenticate / single sign on does not work / sso broken / login prompts everywhere /
    kerberos errors / how is ad doing / how is the directory doing / how is active directory / ad okay
  `,
  also: ['directory'],
  summary: 'Show the directory connection and the load of its daemons',
  answer: async ({ appliance }) => {
    const found = await appliance.directory.status();
    return { headline: headlineOf(found), details: [fieldList(fieldsOf(found))] };
  },
});

export const connectKerberos = change({
  ...connecting('kerberos'),
  phrase: 'directory connect kerberos',
  says: `
    reconnect kerberos / connect kerberos / join the domain / rejoin domain with kerberos /
    reconnect to active directory / fix kerberos connection / renew keytab / join the domain again /
    connect the appliance to the domain / connect to ad with kerberos / kerberos is broken, reconnect /
    re-join active directory / join ad / put the appliance into the domain /
    repair the kerberos connection / hook the proxy up to the domain / join with kerberos / kerberos join /
    use kerberos / connect the proxy with kerberos / join the appliance to ad / rejoin the domain /
    kerberos verbinden / kerberos on
  `,
  also: ['connect directory kerberos', 'kerberos connect'],
  summary: 'Connect the proxy to the directory by Kerberos',
  before: ['directory disconnect kerberos'],
  run: ({ appliance }) => appliance.directory.connectKerberos(),
});

export const connectNtlm = change({
  ...connecting('ntlm'),
  phrase: 'directory connect ntlm',
  says: `
    reconnect ntlm / connect ntlm / join domain ntlm / fix ntlm connection / connect to ad with ntlm /
    join ad by ntlm / repair the ntlm connection / bring ntlm back /
    hook the proxy back up to the domain using ntlm / connect the proxy with ntlm / join with ntlm /
    ntlm join / rejoin by ntlm / use ntlm
  `,
  also: ['connect directory ntlm', 'ntlm connect'],
  summary: 'Connect the proxy to the directory by NTLM',
  run: ({ appliance }) => appliance.directory.connectNtlm(),
});

export const disconnectKerberos = change({
  ...disconnecting('kerberos'),
  phrase: 'directory disconnect kerberos',
  says: `
    disconnect from ad / disconnect kerberos / leave the domain / unjoin domain /
    disconnect active directory / drop the directory connection / take the appliance out of the domain /
    remove the appliance from ad / cut the kerberos connection / leave active directory /
    cut the kerberos connection to ad / drop kerberos / unjoin the domain / stop kerberos /
    kerberos abklemmen / kerberos trennen / kerberos off
  `,
  also: ['disconnect directory kerberos', 'kerberos disconnect'],
  summary: 'Disconnect the directory (Kerberos): nobody can authenticate',
  run: ({ appliance }) => appliance.directory.disconnectKerberos(),
});

export const disconnectNtlm = change({
  ...disconnecting('ntlm'),
  phrase: 'directory disconnect ntlm',
  says: `
    disconnect from ad / disconnect ntlm / leave the domain ntlm / disconnect active directory /
    drop the ntlm connection / cut the ntlm connection / remove ntlm / leave the domain with ntlm /
    cut the ntlm connection to ad / drop ntlm / remove the ntlm connection / stop ntlm
  `,
  also: ['disconnect directory ntlm', 'ntlm disconnect'],
  summary: 'Disconnect the directory (NTLM): nobody can authenticate',
  before: ['directory connect ntlm'],
  run: ({ appliance }) => appliance.directory.disconnectNtlm(),
});

function connecting(by: Protocol) {
  return {
    effect: 'write',
    verb: 'Connect',
    doing: () => say`Connecting to the directory by ${names[by]}`,
    done: () => say`Directory connected by ${names[by]}`,
    preview: async ({ appliance }: On): Promise<Preview> => {
      const { fields, fingerprint, waiting } = await readBefore(appliance);
      // A slow connection may be renewed.
      if (fingerprint.connected === true && fingerprint.by === by && waiting === 0)
        return nothing`${strong(appliance.name)} is already connected to the directory by ${names[by]}, and no requests wait.`;
      return ready({
        question: say`Connect the proxy of ${strong(appliance.name)} to the directory by ${names[by]}?`,
        fields,
        fingerprint,
      });
    },
    verify: async ({ appliance }: On): Promise<Verification> => {
      const found = await readAuthentication(appliance);
      const emergency = emergencyIn(found);
      if (emergency === 'on' || emergency === 'global')
        return notCheckable`during an emergency the proxy stays disconnected, so a new connection is visible only after the emergency`;
      // The connection status was not read, and the rest says nothing about it.
      if (!found.directory.answered) throw found.directory.failure;
      const { value: status } = found.directory;
      if (!status.connected)
        return notHappened`Status read back: the directory is not connected.${toldOf(found)}`;
      // If the appliance does not name the protocol, being connected is enough.
      return protocolIn(status) === other(by)
        ? notHappened`Status read back: it is connected by ${names[other(by)]}.${toldOf(found)}`
        : happened`Status read back: the directory is connected.${toldOf(found)}`;
    },
    undo: (_: unknown, shown: Fingerprint) => {
      // The appliance does not always report which connection was replaced, and an emergency hides it.
      if (shown.by === other(by)) return `directory connect ${other(by)}`;
      return shown.connected === false && shown.emergency === 'unclear'
        ? `directory disconnect ${by}`
        : undefined;
    },
  } as const;
}

/** Shared by both ways of disconnecting. Afterwards there is no connection of either kind (§3). */
function disconnecting(by: Protocol) {
  return {
    effect: 'destructive',
    verb: 'Disconnect',
    doing: () => say`Disconnecting from the directory (${names[by]})`,
    done: () => say`Directory disconnected`,
    preview: async ({ appliance }: On): Promise<Preview> => {
      const { fields, fingerprint, isSurelyNotConnected } = await readBefore(appliance);
      const name = strong(appliance.name);
      if (fingerprint.by === other(by))
        return nothing`${name} is connected by ${names[other(by)]}, not by ${names[by]}. ${code(`/appliance directory disconnect ${other(by)}`)} disconnects it.`;
      if (isSurelyNotConnected) return nothing`${name} is not connected to a directory.`;
      return ready({
        question: say`Disconnect the proxy of ${name} from the directory (${names[by]})? Nobody can authenticate until it is connected again.`,
        fields,
        fingerprint,
      });
    },
    verify: async ({ appliance }: On, shown: Fingerprint): Promise<Verification> => {
      const status = await appliance.directory.status();
      const said =
        status.info === ''
          ? say``
          : say` The appliance reports: ${code(status.info)}${clockOf(status.info)}.`;
      if (status.mode === 'emergency' || status.mode === 'global_emergency')
        return notCheckable`during an emergency the status doesn’t show whether there is a connection`;
      if (status.connected) return notHappened`Status read back: the directory is still connected.${said}`;
      if (shown.connected !== true && !isOff(status))
        return notCheckable`the directory was not reached before either, and the status doesn’t tell a broken connection from none`;
      return happened`Status read back: the directory is not connected.${said}`;
    },
    undo: (_: unknown, { connected }: Fingerprint) =>
      connected === true ? `directory connect ${by}` : undefined,
  } as const;
}

/** The state before, as far as it is known. Changing numbers are shown, but are not part of the confirmation. */
async function readBefore(appliance: AskedAppliance) {
  const found = await readAuthentication(appliance);
  const status = readIn(found.directory);
  const emergency = emergencyIn(found);
  return {
    fields: [stateWhenAsked(found)],
    waiting: status?.queueLength ?? 0,
    isSurelyNotConnected:
      status !== undefined && isOff(status) ? emergency === 'off' || emergency === 'unclear' : false,
    fingerprint: {
      connected: status?.connected ?? null,
      by: (status === undefined ? undefined : protocolIn(status)) ?? null,
      emergency,
    } satisfies Fingerprint,
  };
}

/** The appliance reports no connection; a broken one counts too. */
const isOff = ({ connected, mode, info }: DirectoryStatus): boolean =>
  !connected && (mode === 'feature_off' || /\b(?:not connected|disconnected|no connection)\b/i.test(info));

/** The protocol in the appliance's words; there is no field for it (§2.9). */
function protocolIn({ connected, info }: DirectoryStatus): Protocol | undefined {
  if (!connected) return undefined;
  const found = (['kerberos', 'ntlm'] as const).filter((one) => info.toLowerCase().includes(one));
  return found.length === 1 ? found[0] : undefined;
}

function headlineOf({ connected, mode, info, queueLength = 0 }: DirectoryStatus): Text {
  if (mode === 'emergency' || mode === 'global_emergency')
    return say`🚨 ${emergencyWords[mode === 'emergency' ? 'on' : 'global']}`;
  if (mode === 'feature_off') return say`The directory is not used: ${code(info)}`;
  if (!connected) return say`❌ The directory connection is ${withInfo('broken', info)}`;
  return queueLength > 0
    ? say`⚠️ The directory is connected but slow: ${plural(queueLength, 'request')} waiting`
    : say`The directory is ${withInfo('connected', info)}`;
}

function fieldsOf(found: DirectoryStatus): readonly Field[] {
  const counted = (value: number | undefined) => say`${value === undefined ? 'not reported' : number(value)}`;
  return [
    { name: 'Daemons', value: say`${daemonsOf(found)}` },
    { name: 'Queue', value: say`${queueOf(found)}` },
    { name: 'Requests sent', value: counted(found.requestsSent) },
    { name: 'Replies received', value: counted(found.repliesReceived) },
    { name: 'Average response time', value: say`${timeOf(found.averageServiceTime)}` },
    ...testedIn(found),
    ...Object.entries(found.unread ?? {}).map(([name, value]) => ({ name, value: say`${code(value)}` })),
  ];
}

/** The appliance's own test login. */
function testedIn({ testedUrl, testedProxy, testResult }: DirectoryStatus): readonly Field[] {
  const told = { 'Test login': testResult, 'Tested with': testedUrl, 'Tested through': testedProxy };
  return Object.entries(told).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value: say`${code(value)}` }],
  );
}

/** "6 ms" if that expresses the appliance's words, otherwise the words. */
const timeOf = (
  time: { readonly text: string; readonly milliseconds?: number | undefined } | undefined,
): string => (time?.milliseconds === undefined ? (time?.text ?? 'not reported') : `${time.milliseconds} ms`);

export const directoryUsers = impossible({
  says: `
    reset ad password / unlock ad account / create ad user / add user to ad group /
    password of active directory user / unlock windows account / reset windows password / list ad groups /
    which groups is <user> in / which ad groups does <user> have / who is in group <group> /
    members of ad group <group> / is <user> in group <group> / does user <user> exist in the directory /
    does <user> exist in ad / how many users came from ad / find user <user> in active directory /
    is the ad account of <user> locked / is the ad account of <user> disabled /
    when does the password of <user> expire / add <user> to group <group> /
    remove <user> from group <group> / create user <user> in the directory / delete user <user> from ad /
    disable the ad account of <user> / change the windows password of <user> / unlock <user> in ad
  `,
  why: 'The Web API connects the proxy to the directory, but cannot manage its accounts.',
  source: 'appliance-api.md §4.12',
  nearest: ['directory status', 'mfa unlock <user>'],
});

export const directorySync = impossible({
  says: `
    sync ad now / sync the directory / synchronize users with ad / pull users from the directory /
    import users from ad / when was the last ad sync / refresh the ad groups /
    new user does not show up from the directory / change the ad server /
    change the domain controller to <address> / use another domain controller /
    add a second domain controller / change the ldap server to <address> / set the base dn
  `,
  why: 'The Web API connects the proxy to the directory and reports the connection, but imports no accounts and cannot choose another domain controller.',
  source: 'appliance-api.md §4.12',
  nearest: ['directory status', 'authentication reconfigure'],
});

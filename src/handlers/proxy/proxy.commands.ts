import type { AskedAppliance, Report } from '../../api/index.ts';
import type { AskingAppliance, OnAppliance } from '../context.ts';
import { change, lookup } from '../declare.ts';
import {
  authenticationFields,
  emergencyIn,
  emergencyWords,
  readAuthentication,
  stateWhenAsked,
} from '../directory/authentication.ts';
import {
  code,
  enumerate,
  type Field,
  fieldList,
  paragraph,
  plural,
  type Reply,
  say,
  strong,
  type Text,
  tableOf,
} from '../reply.ts';
import { type Fingerprint, type Preview, ready, type Verification } from '../results.ts';
import { linkFinding } from '../status/connection.ts';
import { markOf } from '../status/finding.ts';
import { isFailedCheck, portsFinding, portsIn } from '../status/ports.ts';
import { impossible } from '../understanding/impossible.ts';
import { acting } from '../wording/acting.ts';
import { type ReadResult, readIn, settle } from '../wording/answer.ts';
import { measuredName, measuredValue } from '../wording/measured.ts';
import { number } from '../wording/quantities.ts';
import { numberUnder } from '../wording/reported.ts';
import { processOf, readRestart } from '../wording/service-process.ts';

type On = AskingAppliance<unknown>;

export const ports = lookup({
  phrase: 'proxy ports',
  says: `
    is the proxy listening / proxy ports open / is port 3128 open / which port does the proxy use /
    is the proxy up / is squid running / proxy not reachable / does the proxy run /
    on which port is the proxy / does squid listen / does the proxy answer / proxy port /
    proxy does not answer / is squid up / is the proxy process running / which ports are open /
    is 3128 open / can clients reach the proxy / is the proxy alive / listening ports
  `,
  also: ['proxy ports check'],
  summary: 'Check the listening ports of the proxy',
  answer: async ({ appliance }) => {
    const answer = await settle(appliance.directory.checkProxyPorts());
    if (!answer.answered && !isFailedCheck(answer.failure)) throw answer.failure;
    const finding = portsFinding(answer, false);
    const found = answer.answered ? portsIn(answer.value) : [];
    return {
      headline: say`${markOf(finding)} ${finding.says}`,
      details:
        found.length > 0
          ? [
              ...tableOf(found, {
                Port: ({ port }) => port,
                Name: ({ name }) => (name === '' ? 'not reported' : name),
                State: ({ listening }) =>
                  listening === undefined ? 'not reported' : listening ? 'listening' : '❌ not listening',
              }),
            ]
          : otherFields(readIn(answer)),
    };
  },
});

export const metrics = lookup({
  phrase: 'proxy metrics',
  says: `
    proxy load / how many users / how many requests / is the proxy slow / internet is slow /
    proxy performance / bandwidth / cache hit rate / how busy is the proxy / squid statistics /
    proxy memory / throughput / how is the proxy doing / how much traffic / how many clients /
    how many connections has the proxy / surfing is slow / the web is slow / everything is slow /
    is the proxy overloaded / load of the proxy / how many users are surfing / proxy cpu / hit ratio /
    requests per second / proxy numbers / how much bandwidth is used / memory of the proxy /
    cpu of the proxy / latency of the proxy
  `,
  also: ['proxy statistics', 'proxy status'],
  summary: 'Show proxy metrics',
  answer: async ({ appliance }) => {
    const report = await appliance.directory.proxyMetrics();
    const has = (wanted: string, words: string) => {
      const value = numberUnder(report.fields, wanted);
      return value === undefined ? [] : [`${number(value)} ${words}`];
    };
    const known = [...has('clients', 'clients'), ...has('openconnections', 'open connections')];
    return {
      headline:
        known.length === 0
          ? say`${plural(Object.keys(report.fields).length, 'metric')} of the proxy`
          : say`The proxy serves ${known.join(' over ')}`,
      details: otherFields(report),
    };
  },
});

export const authentication = lookup({
  phrase: 'proxy authentication',
  says: `
    auth status / is authentication working / which authentication method / users get password popup /
    login prompt in the browser / is the proxy authenticating / is kerberos or ntlm used /
    password prompt again and again / authentication loop / how do users authenticate /
    is authentication on / does proxy authentication work / why do users get a login prompt /
    browser asks for a password / how does the proxy authenticate / authentication method /
    which login method / 407 errors / is sso working / login popup keeps coming / login prompts /
    popups for a password / people are asked to log in again and again /
    why are users asked for a password / proxy asks for credentials / proxy asks for a password /
    users are asked for a password / login prompt all the time
  `,
  also: ['proxy authentication status', 'authentication status', 'auth status'],
  summary: 'Check whether the proxy is linked to an authentication method',
  answer: async ({ appliance }) => {
    // The question was about the link itself, so its failure is no answer.
    const link = await appliance.directory.authenticationStatus();
    const directory = await settle(appliance.directory.status());
    const found = { directory, link: { answered: true, value: link } } as const;
    const emergency = emergencyIn(found);
    const finding = linkFinding(found);
    return {
      headline:
        emergency === 'on' || emergency === 'global'
          ? say`🚨 ${emergencyWords[emergency]}`
          : say`${markOf(finding)} ${finding.says}`,
      details: [fieldList(authenticationFields(found))],
    };
  },
});

export const reconfigureAuthentication = change({
  ...rebuilding((appliance) => appliance.directory.reconfigureAuthentication()),
  phrase: 'authentication reconfigure',
  says: `
    rebuild authentication / reconfigure authentication / repair authentication settings /
    reload authentication / restart authentication / fix proxy authentication /
    redo the authentication settings / set up authentication again /
    rebuild the auth settings of the proxy / fix the login of the proxy /
    authentication is broken, reconfigure / repair proxy authentication /
    reset the authentication of the proxy / reload auth /
    users get auth popups all day, regenerate the authentication settings /
    regenerate the proxy's auth settings / rebuild the authentication settings /
    write the authentication configuration anew / redo the authentication config /
    authentication config is broken / apply the authentication settings
  `,
  also: ['auth reconfigure', 'proxy authentication reconfigure', 'proxy auth reconfigure'],
  summary: 'Rebuild the authentication settings of the proxy, in production',
  verb: 'Reconfigure',
  doing: () => say`Reconfiguring the authentication of the proxy`,
  done: () => say`Proxy authentication reconfigured`,
  preview: async (context) =>
    rebuildPreview(
      context,
      (name) =>
        say`Rebuild the authentication settings of the proxy of ${name}, in production? Users may have to authenticate again.`,
    ),
});

export const reconfigure = change({
  ...rebuilding((appliance) => appliance.directory.reconfigureProxy()),
  ...acting('Reconfigure', 'the proxy'),
  phrase: 'proxy reconfigure',
  says: `
    restart proxy / reload proxy / reconfigure proxy / reload squid / restart squid / apply proxy settings /
    bounce the proxy / proxy hangs / rebuild proxy configuration / restart the proxy service /
    restart the proxy / proxy needs a restart / proxy stuck, restart / reload the proxy configuration /
    rebuild the proxy config / reboot the proxy / proxy config again / regenerate the proxy configuration /
    restart squid service / proxy hangs, restart it
  `,
  summary: 'Reconfigure the whole proxy, in production',
  preview: async (context) =>
    rebuildPreview(
      context,
      (name) =>
        say`Reconfigure all settings of the proxy of ${name}, in production? Web access may be interrupted.`,
    ),
});

export const reset = change({
  ...rebuilding((appliance) => appliance.directory.resetProxy()),
  phrase: 'proxy reset',
  says: `
    reset proxy / factory reset proxy / reset proxy configuration / drop the proxy configuration /
    proxy from scratch / reset the proxy completely / start the proxy config from zero /
    rebuild the proxy from scratch / set the proxy back to defaults / proxy to factory settings /
    wipe the proxy configuration / proxy config is messed up, throw it away /
    throw the proxy config away and make a new one / reset the proxy to defaults /
    start over with the proxy configuration / rebuild the proxy config from the console /
    clean proxy configuration / factory reset of the proxy
  `,
  summary: 'Reset the proxy to the configuration of the web console',
  verb: 'Reset the proxy',
  doing: () => say`Resetting the proxy`,
  done: () => say`Proxy reset to the configuration of the web console`,
  preview: async (context) =>
    rebuildPreview(
      context,
      (name) =>
        say`${strong('Reset the proxy')} of ${name} to its web console settings? Changes that are not in the web console are lost permanently, and web access is interrupted meanwhile.`,
    ),
});

/** Shared by the three ways to rebuild the proxy. Nothing restores its earlier settings. */
function rebuilding(
  order: (appliance: OnAppliance<unknown>['appliance']) => Promise<{ confirmed: boolean }>,
) {
  return {
    effect: 'destructive',
    run: async ({ appliance, progress }: OnAppliance<unknown>) => {
      const before = await readRun(appliance);
      progress(say`Rebuilding the proxy. This can take minutes.`);
      const { confirmed } = await order(appliance);
      return { confirmed, learned: before };
    },
    verify: ({ appliance }: On, fingerprint: Fingerprint) => verifyRebuilt(appliance, fingerprint),
  } as const;
}

/** The impact of a rebuild, as far as the appliance reports it. A failed question is shown and blocks nobody. */
async function rebuildPreview(
  { appliance }: On,
  question: (name: ReturnType<typeof strong>) => Text,
): Promise<Preview> {
  const [found, load] = await Promise.all([readAuthentication(appliance), loadOf(appliance)]);
  const emergency = emergencyIn(found);
  const name = strong(appliance.name);
  const meanwhile =
    emergency === 'on' || emergency === 'global'
      ? say`${emergencyWords[emergency]}. This does not change it.`
      : say``;
  return ready({
    question: say`${question(name)}${meanwhile}`,
    fields: [...load, stateWhenAsked(found)],
    // Users change every second, so only the mode is confirmed.
    fingerprint: { emergency },
  });
}

async function loadOf(appliance: AskedAppliance): Promise<readonly Field[]> {
  const report = readIn(await settle(appliance.directory.proxyMetrics()));
  const interrupted = ['clients', 'openconnections', 'connections', 'uptime', 'rebuiltfor'];
  return Object.entries(report?.fields ?? {})
    .filter(([name]) => interrupted.includes(name.toLowerCase().replace(/[^a-z]/g, '')))
    .map(([name, value]) => ({ name: measuredName(name), value: measuredValue(name, value) }));
}

/** All other fields, with readable names. */
function otherFields(report: Report | undefined): NonNullable<Reply['details']> {
  const fields = Object.entries(report?.fields ?? {});
  if (fields.length === 0)
    return report === undefined || report.info === ''
      ? []
      : [paragraph`The appliance reports: ${code(report.info)}`];
  return tableOf(fields, {
    Metric: ([name]) => measuredName(name),
    Value: ([name, value]) => measuredValue(name, value),
  });
}

export const webTraffic = impossible({
  says: `
    which sites did somebody visit / browsing history / what is somebody surfing / access log of user /
    web traffic of user / who visited the site / top websites / who uses the most bandwidth /
    internet usage report / proxy log of user / how many hours did <user> spend on <domain> /
    how long was <user> on <domain> / what did <user> watch / who surfs too much / surfing time of <user> /
    how much traffic did <user> cause / list of visited pages / who downloaded from <domain> /
    what did <user> surf / who tried to open <domain> / show me the log for <address> /
    proxy log for <address> / what does <address> do on the internet / which pages did <user> open /
    who was on <domain> / surf history of <user> / who opened <domain> / was <user> on <domain>
  `,
  why: 'The Web API does not report who visited which website.',
  source: 'appliance-api.md §4',
  nearest: ['proxy metrics', 'why <domain>'],
});

export const stopProxy = impossible({
  says: `
    stop the proxy / shutdown proxy / disable proxy / start the proxy / turn proxy off / clear proxy cache /
    flush cache / delete proxy cache / change proxy port
  `,
  why: 'The Web API can reconfigure the proxy and compile its rules, but cannot stop or start it, clear its cache or change its port.',
  source: 'appliance-api.md §4.12',
  nearest: ['proxy reconfigure', 'proxy ports'],
});

/**
 * Identifies this run of the proxy by its metrics (appliance-api.md §4.12 shows no shape). Taken before a
 * rebuild is ordered; its failure must not stop the order.
 */
async function readRun(appliance: AskedAppliance): Promise<Fingerprint> {
  const metrics = readIn(await settle(appliance.directory.proxyMetrics()));
  const { pid, started, uptime } = processOf(metrics?.fields ?? {});
  return { pid: pid ?? null, started: started ?? null, uptime: uptime ?? null };
}

/**
 * Whether the proxy is another run than before the order. The same run proves nothing: a proxy may accept
 * settings without a restart, so that is never called a failure.
 * @param shown with the result of `readRun`
 */
async function verifyRebuilt(appliance: AskedAppliance, shown: Fingerprint): Promise<Verification> {
  const [metrics, ports] = await Promise.all([
    appliance.directory.proxyMetrics(),
    settle(appliance.directory.checkProxyPorts({ signal: AbortSignal.timeout(timeout) })),
  ]);
  const found = readRestart('the proxy', shown, processOf(metrics.fields));
  if (found.kind === 'not_checkable') return found;
  const evidence = say`${found.evidence}${portsNow(ports)}`;
  if (found.kind === 'happened') return { kind: 'happened', evidence };
  return { kind: 'under_way', evidence, ...(found.kind === 'not_happened' && { unseen: true }) };
}

/** The time limit for the check of the ports, in milliseconds. */
const timeout = 10_000;

function portsNow(ports: ReadResult<Report>): Text {
  if (!ports.answered) {
    return isFailedCheck(ports.failure)
      ? say` ${strong('The port check failed')}: ${code(ports.failure.reason)}.`
      : say``;
  }
  const known = portsIn(ports.value);
  const silent = known.filter(({ listening }) => listening === false).map(({ port }) => port);
  if (silent.length > 0) return say` ${strong('Not listening')}: ${enumerate(silent)}.`;
  const listening = known.filter((one) => one.listening === true).map(({ port }) => port);
  return listening.length === 0 ? say`` : say` It listens on ${enumerate(listening)}.`;
}

import { word } from '../argument.ts';
import { change, lookup } from '../declare.ts';
import { countText, withLack } from '../listing.ts';
import { enumerate, fieldList, plural, say, strong, tableOf } from '../reply.ts';
import { final, happened, notCheckable, notHappened, nothing, notSeenNow } from '../results.ts';
import { impossible } from '../understanding/impossible.ts';
import { acting } from '../wording/acting.ts';
import { reportedUnder } from '../wording/reported.ts';
import {
  fingerprintOf,
  processOf,
  readRestart,
  type ServiceProcess,
  stateOf,
  statusBehind,
} from '../wording/service-process.ts';
import { ciphersIn } from './ciphers.ts';
import { audited, shownFields, yesOrNo } from './shown.ts';
import { openSessions, processOn, sessionNames } from './things.ts';

export const status = lookup({
  phrase: 'rdp status',
  says: `
    is rdp running / is the gateway running / remote desktop down / is remote desktop ok /
    rdp does not work / rdp gateway up / nobody can connect by rdp / is the gateway ok / is rdp up /
    is remote desktop down / users cannot connect to rdp / bastion not reachable / rdp service status /
    black screen on remote desktop / rdp connection refused / rdp outage /
    nobody can log in to remote desktop / rdp down / is rdp down / rdp ok / is the rdp service running /
    does rdp work / remote desktop does not work / users cannot get into remote desktop /
    cannot connect by rdp / rdp problem / gateway down / gateway unreachable / is the bastion up /
    rdp broken / state of rdp / health of the gateway / nobody gets into rdp / rdp service ok
  `,
  summary: 'Check whether the remote-desktop gateway is running',
  answer: async ({ appliance }) => {
    const { info, fields } = await appliance.rdp.status();
    const process = processOf({ state: info, ...fields });
    const known = process.running === undefined && info !== '' ? say`reported as ${info}` : stateOf(process);
    return {
      headline: say`Remote-desktop gateway: ${known}`,
      details: Object.keys(fields).length === 0 ? [] : [fieldList(shownFields(fields))],
    };
  },
});

export const state = lookup({
  phrase: 'rdp state',
  says: `
    rdp gateway version / which port does the gateway use / how many policies / video support /
    remote desktop overview / gateway state / gateway details / version of the remote desktop /
    which port does rdp listen on / how many rdp sessions and policies / is video supported by rdp /
    version of the gateway / which version is the rdp gateway / gateway info / settings of the gateway /
    rdp port / port of the rdp gateway / software version of the rdp gateway /
    configuration of the gateway / how many targets and policies / info about rdp
  `,
  summary: 'Show gateway details: version, port, sessions, policies, video support',
  answer: async ({ appliance }) => {
    const { info, fields } = await appliance.rdp.state();
    const version = reportedUnder(fields, 'version', 'rdpproxyversion');
    const open = reportedUnder(fields, 'opensessions', 'sessions');
    const known = [
      ...(version === undefined ? [] : [`version ${version}`]),
      ...(open === undefined || !/^\d+$/.test(open) ? [] : [`${plural(Number(open), 'session')} open`]),
    ];
    return {
      headline: say`Remote-desktop gateway: ${known.length > 0 ? known.join(', ') : info || 'see below'}`,
      details: [fieldList(shownFields(fields))],
    };
  },
});

export const restart = change({
  ...acting('Restart', 'the remote-desktop gateway'),
  phrase: 'rdp restart',
  says: `
    restart the gateway / restart remote desktop / bounce the rdp gateway / gateway hangs /
    restart bastion / reboot bastion / remote desktop hangs / bounce rdp / restart bastion service /
    rdp is frozen / kick the frozen bastion / restart rdp / restart the rdp service /
    rdp is stuck, restart / restart the remote desktop gateway / gateway is frozen, restart it /
    reboot the gateway / restart the bastion / kick the gateway / nobody gets in, restart rdp / rdp hangs /
    restart rdp now / rdp gateway hangs restart it / gateway stuck bounce it
  `,
  summary: 'Restart the remote-desktop gateway: all open sessions drop',
  effect: 'destructive',
  preview: async ({ appliance }) => {
    const [process, open] = await Promise.all([processOn(appliance), openSessions(appliance)]);
    return audited({
      question: say`Restart the remote-desktop gateway, with ${strong(open === undefined ? 'an unknown number of open sessions' : plural(open.length, 'open session'))}?`,
      fields: { State: stateOf(process), 'Affected sessions': sessionNames(open) },
      // Users change by the minute and all are dropped, so only whether there are any is confirmed.
      fingerprint: { ...fingerprintOf(process), anybody: open === undefined || open.length > 0 },
    });
  },
  run: ({ appliance }) => appliance.rdp.restart(),
  verify: async ({ appliance }, shown) => {
    const after = await processOn(appliance);
    if (!reportsStart(after) && after.running !== false)
      return final(notCheckable`the status of the gateway does not report since when it has been running`);
    return readRestart('the remote-desktop gateway', shown, after);
  },
  lasts: 120_000,
  shownWithin: statusBehind,
  lastsThoughRefused: 120_000,
});

export const siem = lookup({
  phrase: 'rdp siem status',
  says: `
    is the siem reached / siem connection / are logs sent to the siem / syslog forwarding / siem ok /
    splunk connection / does rdp send its logs to the siem / splunk gets no events /
    is the syslog collector reached / does the siem get logs / is siem connected / siem gets no events /
    is log forwarding on / siem reachable / logs in splunk missing / is syslog sent /
    state of the siem connection
  `,
  also: ['rdp siem', 'siem status'],
  summary: 'Check the SIEM connection of the remote-desktop gateway',
  answer: async ({ appliance }) => {
    const { info, fields } = await appliance.rdp.siemStatus();
    const enabled = yesOrNo(reportedUnder(fields, 'enabled', 'active'));
    const connected = yesOrNo(reportedUnder(fields, 'connected', 'isconnected'));
    const words =
      enabled === false
        ? 'switched off'
        : connected === undefined
          ? info || 'see below'
          : connected
            ? 'connected'
            : 'not connected';
    return {
      headline: say`SIEM of the remote-desktop gateway: ${strong(words)}`,
      details: [fieldList(shownFields(fields))],
    };
  },
});

export const ciphers = lookup({
  phrase: 'rdp ciphers',
  says: `
    tls ciphers / cipher suites / which ciphers / which tls does the gateway use /
    encryption of remote desktop / which encryption algorithms does rdp use / weak ciphers /
    rdp cipher suites / rdp tls encryption / does rdp offer old ciphers / rdp crypto /
    which tls versions does rdp allow / does the gateway use weak ciphers /
    what encryption does the gateway use / tls of the gateway / ciphers of the gateway
  `,
  also: ['rdp tls ciphers'],
  summary: 'List the TLS cipher suites the gateway offers to targets',
  answer: async ({ appliance }) => {
    const { fields } = await appliance.rdp.tlsCiphers();
    const { offered, supported, look } = ciphersIn(fields);
    if (offered.length === 0) {
      return {
        headline: say`The gateway reports no cipher suites`,
        details: [fieldList(shownFields(fields))],
      };
    }
    return withLack(appliance.name, look, {
      headline: say`The gateway offers ${countText(look, 'cipher suite')} to the targets`,
      details: tableOf([...offered, ...supported.filter((suite) => !offered.includes(suite))], {
        'Cipher suite': (suite) => suite,
        Offered: (suite, at) =>
          offered.includes(suite)
            ? `yes, as number ${at + 1}`
            : look.lack === undefined
              ? 'no'
              : 'not listed as offered',
      }),
    });
  },
});

export const setCiphers = change({
  phrase: 'rdp ciphers set <suite>…',
  says: `
    set ciphers <suite> / change cipher suites to <suite> / use only <suite> / harden tls of the gateway /
    only use <suite> on rdp / disable weak ciphers / harden rdp to <suite> / allow only <suite> /
    allow only the cipher <suite> / change the ciphers of the gateway to <suite> /
    tls of the gateway only with <suite>
  `,
  also: ['rdp tls ciphers set <suite>…'],
  args: {
    suite: {
      ...word('a cipher suite', 'TLS_AES_256_GCM_SHA384', {
        test: /^[A-Za-z0-9][A-Za-z0-9_+-]*$/,
        wanted: 'the name of a cipher suite, such as TLS_AES_256_GCM_SHA384',
      }),
      most: 60,
    },
  },
  summary: 'Set the TLS cipher suites the gateway offers to targets, best first',
  example: 'rdp ciphers set TLS_AES_256_GCM_SHA384 ECDHE-RSA-AES256-GCM-SHA384',
  effect: 'write',
  verb: 'Set',
  doing: () => say`Setting the cipher suites of the remote-desktop gateway`,
  done: ({ suite }) => say`Remote-desktop gateway set to ${strong(plural(suite.length, 'cipher suite'))}`,
  preview: async ({ appliance, args }) => {
    const { offered, supported, field, look } = ciphersIn((await appliance.rdp.tlsCiphers()).fields);
    const unknown =
      supported.length === 0 || look.lack !== undefined
        ? []
        : args.suite.filter((suite) => !supported.includes(suite));
    if (unknown.length > 0)
      return nothing`The gateway does not support ${enumerate(unknown)}. ${strong('rdp ciphers')} lists what it supports.`;
    if (look.lack === undefined && offered.join() === args.suite.join())
      return nothing`The gateway already offers exactly these, in this order.`;
    const without = offered.filter((suite) => !args.suite.includes(suite));
    return audited({
      question: say`Offer ${strong(plural(args.suite.length, 'cipher suite'))} to the targets?`,
      fields: {
        Offered: say`${args.suite.join(', ')}`,
        'No longer offered':
          look.lack === undefined
            ? say`${without.length === 0 ? 'none' : without.join(', ')}`
            : say`not all known: ${appliance.name} ${look.lack}`,
      },
      // An incomplete list cannot be restored.
      fingerprint: { before: look.lack === undefined ? offered.join(' ') : '', field },
    });
  },
  // The body is not documented: this uses the name in the answer, and the separator of TLS servers.
  run: ({ appliance, args }, { field }) =>
    appliance.rdp.setTlsCiphers({ fields: { [String(field)]: args.suite.join(':') } }),
  verify: async ({ appliance, args }) => {
    const { offered, look } = ciphersIn((await appliance.rdp.tlsCiphers()).fields);
    if (look.lack !== undefined) return notSeenNow`${appliance.name} ${look.lack}`;
    if (offered.length === 0) return final(notCheckable`the gateway reports no cipher suites`);
    return offered.join() === args.suite.join()
      ? happened`Cipher suites read back: they match the request, in the same order.`
      : notHappened`Cipher suites read back: they are ${offered.join(', ')}.`;
  },
  undo: (_, { before }) =>
    typeof before === 'string' && before !== '' ? `rdp ciphers set ${before}` : undefined,
});

/** Whether the gateway's own report can show a restart. */
const reportsStart = ({ pid, started, uptime }: ServiceProcess): boolean =>
  pid !== undefined || started !== undefined || uptime !== undefined;

export const stopGateway = impossible({
  says: `
    power off the remote desktop / stop remote desktop / start remote desktop service /
    shut down the remote desktop / turn off the remote desktop / disable remote desktop service /
    stop the rdp gateway / rdp gateway shut down / shut down rdp / disable rdp / stop rdp / turn rdp off
  `,
  why: 'The Web API can restart the remote-desktop gateway, but cannot start or stop it.',
  source: 'appliance-api.md §4.6',
  nearest: ['rdp restart', 'rdp status'],
});

export const changePort = impossible({
  says: `
    change the port of rdp / let rdp listen on another port / set listening port of rdp /
    move rdp to port 3390
  `,
  why: 'The Web API reports the port of the remote-desktop gateway, but cannot change it.',
  source: 'appliance-api.md §4.6',
  nearest: ['rdp state'],
});

export const changeSiem = impossible({
  says: `
    reconnect the siem / set up siem / send rdp logs to a new siem / disable siem / change the siem server
  `,
  why: 'The Web API reports the SIEM connection of the remote-desktop gateway, but cannot set it up, change or reconnect it.',
  source: 'appliance-api.md §4.6',
  nearest: ['rdp siem status', 'rdp restart'],
});

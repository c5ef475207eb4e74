import { lookup } from '../declare.ts';
import { withLack } from '../listing.ts';
import {
  code,
  enumerate,
  fieldList,
  paragraph,
  plural,
  type Reply,
  say,
  strong,
  type Text,
} from '../reply.ts';
import { impossible } from '../understanding/impossible.ts';
import { measuredName, measuredValue } from '../wording/measured.ts';
import { reportedFields, reportedUnder } from '../wording/reported.ts';
import { markOf } from './finding.ts';
import { firewallFinding } from './firewall.ts';
import { type ServiceState, servicesLook } from './services.ts';

export const services = lookup({
  phrase: 'services',
  says: `
    which services are down / is mysql up / is the sql server running / status of the database /
    is the service up / is everything running / stopped services / service status / list services /
    what is not running / which daemons are stopped / is service running / processes / which services run /
    are all services running / is a service down / did a service crash / which processes are running /
    list of services / state of the services / is squid running / is the database running /
    is mysql running / what is stopped / failed services / crashed services / is clamav running /
    is cron running / is the proxy running / is the database up / is the service running / is it running
  `,
  also: ['service status', 'system services'],
  summary: 'List monitored services, stopped ones first',
  answer: async ({ appliance }) => {
    const look = servicesLook(await appliance.directory.services());
    const { all, lack } = look;
    const off = all.filter(({ running, disabled }) => running === false && disabled);
    const stopped = all.filter(({ running, disabled }) => running === false && !disabled);
    const running = all.filter((one) => one.running === true).length;
    const others = all.filter((one) => one.running !== false);
    const silent = others.length - running;
    const switchedOff = off.length === 0 ? '' : `, ${off.length} switched off`;
    if (all.length === 0)
      return {
        headline: say`${strong(appliance.name)} reports no services, so their state is unknown`,
      };
    const least = lack === undefined ? '' : 'at least ';
    const none = lack === undefined ? 'none stopped' : 'none of those listed stopped';
    return withLack(appliance.name, look, {
      headline:
        stopped.length === 0
          ? say`${strong(`${least}${plural(running, 'service')}`)} running, ${silent === 0 ? none : `${silent} not reported`}${switchedOff}`
          : say`${strong(`${least}${plural(stopped.length, 'service')}`)} stopped: ${enumerate(stopped.map(({ name }) => name))}. ${least}${running} running${switchedOff}`,
      details: [tableOf([...stopped, ...others, ...off])],
    });
  },
});

export const dnsFirewall = lookup({
  phrase: 'dns firewall status',
  says: `
    dns firewall / is the dns firewall on / rpz status / dns filtering active / is dns filtering on /
    dns firewall ok / is the dns firewall working / does dns block malware / state of the dns firewall /
    is rpz on / dns firewall enabled
  `,
  also: ['dns firewall', 'dnsfw status', 'dnsfw'],
  summary: 'Show the status of the DNS firewall',
  answer: async ({ appliance }) => {
    const report = await appliance.directory.dnsFirewallStatus();
    const finding = firewallFinding({ answered: true, value: report });
    const fields = Object.entries(report.fields);
    return {
      headline:
        finding.gravity === 'fine'
          ? say`The DNS firewall is ${strong('running')}`
          : say`${markOf(finding)} ${finding.says}`,
      details: [
        ...(report.info === '' ? [] : [paragraph`The appliance reports: ${code(report.info)}`]),
        ...(fields.length === 0 ? [] : [fieldList(reportedFields(report.fields))]),
      ],
    };
  },
});

function tableOf(all: readonly ServiceState[]): NonNullable<Reply['details']>[number] {
  // Name and state have columns of their own.
  const told = new Set([
    'name',
    'title',
    'running',
    'state',
    'status',
    'active',
    'listening',
    'enabled',
    'service_disabled',
  ]);
  const measured = [...new Set(all.flatMap(({ fields }) => Object.keys(fields)))].filter(
    (name) => !told.has(name.toLowerCase()),
  );
  return {
    kind: 'table',
    columns: ['Service', 'State', ...measured.map(measuredName)],
    rows: all.map((one) => [
      say`${one.name}`,
      say`${stateWords(one)}`,
      ...measured.map((name) => measuredWord(one, name)),
    ]),
  };
}

function stateWords({ running, disabled, fields }: ServiceState): string {
  if (running === undefined) return reportedUnder(fields, 'status', 'state') ?? 'not reported';
  return running ? 'running' : disabled ? 'switched off' : '⏹ stopped';
}

/** A stopped service has no meaningful process, memory or uptime. */
function measuredWord({ running, fields }: ServiceState, name: string): Text {
  const value = fields[name];
  return running === false && value === '0' ? say`–` : measuredValue(name, value);
}

export const startService = impossible({
  says: `
    start service / stop service / restart service / kill process / start daemon / stop the daemon /
    restart nginx
  `,
  why: 'The Web API lists all services but restarts only some: the proxy, DNS, FTP, the SQL server and the remote-desktop gateway.',
  source: 'appliance-api.md §4.12',
  nearest: ['services'],
});

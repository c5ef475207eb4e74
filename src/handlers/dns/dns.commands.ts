import { type AskedAppliance, isApplianceFailure, type UnnamedFields } from '../../api/index.ts';
import { change, lookup } from '../declare.ts';
import { fieldList, plural, say, strong, type Text } from '../reply.ts';
import { happened, notCheckable, notHappened, ready } from '../results.ts';
import { service } from '../service.ts';
import { impossible } from '../understanding/impossible.ts';
import { duration, number, percent } from '../wording/quantities.ts';
import { numberUnder, reportedFields, reportedUnder } from '../wording/reported.ts';
import type { ServiceProcess } from '../wording/service-process.ts';
import { fingerprintOf, processOf, stateOf } from '../wording/service-process.ts';
import { clockOf } from '../wording/when.ts';

const server = service('the DNS server', async (appliance) => (await statusOf(appliance)).process);

export const status = lookup({
  phrase: 'dns status',
  says: `
    is dns running / is dns ok / dns up / is the name server up / dns problems / does dns work /
    name resolution broken / recursor status / dns broken / names do not resolve /
    is name resolution working / is the dns server running / dns down / is dns alive /
    users cannot resolve names / resolving is slow / state of dns / is bind running / is named running /
    dns not answering / dns ok?
  `,
  summary: 'Show the status of the authoritative DNS server',
  answer: async ({ appliance }) => {
    const { fields, info } = await appliance.authdns.status();
    const headline =
      server.headline(processOf(fields)) ?? say`The DNS server answers${info === '' ? [] : say`: ${info}`}`;
    const cache = cachedOf(fields);
    return {
      headline: cache === undefined ? headline : say`${headline}; its recursor received ${cache}`,
      details: [fieldList(reportedFields(fields))],
    };
  },
});

export const statistics = lookup({
  phrase: 'dns statistics',
  says: `
    dns stats / how many dns queries / dns numbers / dns cache hits / dns load / dns queries per second /
    dns statistics / how busy is dns / queries to our dns / how many lookups / dns cache numbers /
    how many questions does dns answer / most dns queries
  `,
  also: ['dns stats'],
  summary: 'Show statistics of the authoritative DNS server',
  answer: async ({ appliance }) => {
    const { fields } = await appliance.authdns.statistics();
    return { headline: summed(fields), details: [fieldList(reportedFields(fields))] };
  },
});

export const restart = change({
  ...server.restarting(({ authdns }) => authdns.restart()),
  phrase: 'dns restart',
  says: `
    restart dns / bounce dns server / restart named / restart powerdns / dns is hanging / restart bind /
    restart the name server / restart the dns server / restart dns service / dns is stuck, restart /
    kick dns / dns does not answer, restart it / reboot the dns server / restart unbound / dns neu starten /
    dns-server neu starten / dns neustart / bounce bind / dns server hangs /
    names do not resolve, restart dns
  `,
  summary: 'Restart the authoritative DNS server',
  preview: async ({ appliance }) => {
    const { fields, process } = await statusOf(appliance);
    const count = reportedUnder(fields, 'domains', 'zones');
    return ready({
      question: say`Restart the DNS server of ${strong(appliance.name)}?`,
      fields: {
        State: stateOf(process),
        Domains: count === undefined ? undefined : say`${count}`,
        Impact: say`its domains do not resolve for a few seconds`,
      },
      fingerprint: fingerprintOf(process),
    });
  },
  // Restarts in the background (appliance-api.md §4.9).
  lasts: 60_000,
});

export const reload = change({
  phrase: 'dns reload',
  says: `
    reload dns / reload dns configuration / dns reread zones / refresh dns / flush dns cache /
    clear dns cache / reload zones / reload the dns config / reload named / dns without downtime /
    load the new dns configuration / dns changes are not active / old dns answers / purge dns cache /
    empty the dns cache / clear the dns cache / reread the zones / zones are stale / reload bind /
    reload the name server
  `,
  summary: 'Reload the configuration of the DNS server and the recursor',
  effect: 'write',
  verb: 'Reload',
  doing: () => say`Reloading the DNS server and the recursor`,
  done: () => say`DNS server and recursor reloaded`,
  preview: async ({ appliance }) => {
    const { fields } = await appliance.authdns.status();
    const reloaded = reloadedAt(fields);
    return ready({
      question: say`Reload the DNS server and the recursor of ${strong(appliance.name)}?`,
      fields: {
        State: stateOf(processOf(fields)),
        'Last reload': reloaded === undefined ? undefined : say`${reloaded}${clockOf(reloaded)}`,
        Impact: say`none, both keep answering`,
      },
      fingerprint: { reloaded: reloaded ?? null },
    });
  },
  run: ({ appliance }) => appliance.authdns.reload(),
  verify: async ({ appliance }, shown) => {
    const reloaded = reloadedAt((await appliance.authdns.status()).fields);
    if (reloaded === undefined)
      return notCheckable`the status of the DNS server does not report when it was last reloaded`;
    return reloaded === shown.reloaded
      ? notHappened`Status read back: the last reload is still ${reloaded}${clockOf(reloaded)}.`
      : happened`Status read back: the last reload was at ${reloaded}${clockOf(reloaded)}.`;
  },
});

/** A stopped server may refuse to report its status, and is the one that people restart. */
async function statusOf(
  appliance: AskedAppliance,
): Promise<{ readonly fields: UnnamedFields; readonly process: ServiceProcess }> {
  try {
    const { fields } = await appliance.authdns.status();
    return { fields, process: processOf(fields) };
  } catch (error) {
    if (!isApplianceFailure(error) || error.code !== 'refused') throw error;
    return { fields: {}, process: { refusal: error.reason } };
  }
}

const reloadedAt = (fields: UnnamedFields): string | undefined =>
  reportedUnder(fields, 'reloaded', 'reloadedat', 'lastreload', 'reloadtime');

/** One sentence from likely fields: their names are not documented. */
function summed(fields: UnnamedFields): Text {
  const [udp, tcp] = [numberUnder(fields, 'udpqueries'), numberUnder(fields, 'tcpqueries')];
  const queries =
    numberUnder(fields, 'queries', 'totalqueries') ??
    (udp === undefined && tcp === undefined ? undefined : (udp ?? 0) + (tcp ?? 0));
  if (queries === undefined)
    return say`The DNS server reports ${plural(Object.keys(fields).length, 'number')}`;
  const { uptime } = processOf(fields);
  const share = cacheShareIn(fields);
  const cached = share === undefined ? '' : `, ${percent(share)} of them answered from its cache`;
  const since = uptime === undefined ? '' : ` in ${duration(uptime)}`;
  return say`The DNS server received ${strong(number(queries))} queries${since}${cached}`;
}

/** "31,000 queries, 83.9% of them answered from its cache" */
function cachedOf(fields: UnnamedFields): string | undefined {
  const share = cacheShareIn(fields);
  const [hits = 0, misses = 0] = [numberUnder(fields, 'cachehits'), numberUnder(fields, 'cachemisses')];
  return share === undefined
    ? undefined
    : `${number(hits + misses)} queries, ${percent(share)} of them answered from its cache`;
}

/** Percent; undefined without queries or numbers. */
function cacheShareIn(fields: UnnamedFields): number | undefined {
  const [hits, misses] = [numberUnder(fields, 'cachehits'), numberUnder(fields, 'cachemisses')];
  return hits === undefined || misses === undefined || hits + misses === 0
    ? undefined
    : (hits / (hits + misses)) * 100;
}

export const stopDns = impossible({
  says: `
    stop dns / shutdown dns / disable dns / dns off / start dns
  `,
  why: 'The Web API can restart the DNS server and reload its configuration, but cannot stop or start it.',
  source: 'appliance-api.md §4.9',
  nearest: ['dns restart', 'dns status'],
});

export const dnsQueries = impossible({
  says: `
    who asked for <domain> in the dns / dns query log / who looked up <domain> /
    which client resolved <domain> / dns log of <address> / show dns queries /
    which names did <address> resolve / top dns clients / turn off the dns filter / disable the dns filter /
    turn off the dns firewall / disable dns firewall / enable the dns firewall /
    switch the dns firewall off / pause dns filtering / add <domain> to the dns firewall /
    block <domain> in the dns firewall
  `,
  why: 'The Web API reports the DNS firewall and the totals of DNS queries, but cannot list single queries or change what the DNS firewall blocks.',
  source: 'appliance-api.md §4.9',
  nearest: ['dns firewall status', 'dns statistics'],
});

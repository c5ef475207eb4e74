import { type AskedAppliance, isApplianceFailure, type UnnamedFields } from '../../api/index.ts';
import { command } from '../command.ts';
import { code, plural, type Reply, say, strong, type Text } from '../reply.ts';
import type { Preview, Verification } from '../results.ts';
import { duration, number, percent } from '../wording/quantities.ts';
import { numberUnder, reportedFields, reportedUnder } from '../wording/reported.ts';
import { processOf, readRestart, stateOf, subjectOf } from '../wording/service-process.ts';

const theServer = 'the DNS server';

export const status = command({
  kind: 'lookup',
  phrase: 'dns status',
  args: {},
  summary: 'Show how the authoritative DNS server is',
  example: 'dns status',
  effect: 'read',
  answer: async ({ appliance }): Promise<Reply> => {
    const { fields, info } = await appliance.authdns.status();
    const { running, uptime } = processOf(fields);
    const headline =
      running === undefined
        ? say`The DNS server answers${info === '' ? [] : say`: ${info}`}`
        : running
          ? say`The DNS server is ${strong('running')}${uptime === undefined ? '' : `, for ${duration(uptime)}`}`
          : say`⚠ The DNS server is ${strong('not running')}`;
    return { headline, details: [{ kind: 'fields', fields: reportedFields(fields) }] };
  },
});

export const statistics = command({
  kind: 'lookup',
  phrase: 'dns statistics',
  also: ['dns stats'],
  args: {},
  summary: 'Show the numbers of the authoritative DNS server',
  example: 'dns statistics',
  effect: 'read',
  answer: async ({ appliance }): Promise<Reply> => {
    const { fields } = await appliance.authdns.statistics();
    return { headline: summed(fields), details: [{ kind: 'fields', fields: reportedFields(fields) }] };
  },
});

export const restart = command({
  kind: 'change',
  phrase: 'dns restart',
  args: {},
  summary: 'Restart the authoritative DNS server',
  example: 'dns restart',
  effect: 'destructive',
  verb: 'Restart',
  doing: () => say`Restarting the DNS server`,
  done: () => say`The DNS server is restarted`,
  preview: async ({ appliance }): Promise<Preview> => {
    const { fields, refusal } = await statusOf(appliance);
    const process = processOf(fields);
    const count = reportedUnder(fields, 'domains', 'zones');
    return {
      kind: 'ready',
      question: say`Restart the DNS server of ${strong(appliance.name)}?`,
      fields: [
        { name: 'State', value: refusal === undefined ? stateOf(process) : say`it says: ${code(refusal)}` },
        ...(count === undefined ? [] : [{ name: 'Domains', value: say`${count}` }]),
        { name: 'Meanwhile', value: say`it answers no questions about its domains, for some seconds` },
      ],
      subject: subjectOf(process),
    };
  },
  run: async ({ appliance }) => {
    // Its age tells one run from the next where nothing else does; it grows, so it cannot be part of what was shown.
    const { uptime } = processOf((await statusOf(appliance)).fields);
    const { confirmed } = await appliance.authdns.restart();
    return { confirmed, learned: { uptime: uptime ?? null } };
  },
  verify: async ({ appliance }, shown) => {
    const { fields, refusal } = await statusOf(appliance);
    return refusal === undefined
      ? readRestart(theServer, shown, processOf(fields))
      : { kind: 'under_way', evidence: say`it does not run yet; it says: ${code(refusal)}.` };
  },
  // It restarts in the background (appliance-api.md §4.9).
  lasts: 60_000,
});

export const reload = command({
  kind: 'change',
  phrase: 'dns reload',
  args: {},
  summary: 'Make the authoritative DNS server and the recursor read their configuration again',
  example: 'dns reload',
  effect: 'write',
  verb: 'Reload',
  doing: () => say`Reloading the DNS server and the recursor`,
  done: () => say`The DNS server and the recursor are reloaded`,
  preview: async ({ appliance }): Promise<Preview> => {
    const { fields } = await appliance.authdns.status();
    const reloaded = reloadedAt(fields);
    return {
      kind: 'ready',
      question: say`Reload the DNS server and the recursor of ${strong(appliance.name)}?`,
      fields: [
        { name: 'State', value: stateOf(processOf(fields)) },
        ...(reloaded === undefined ? [] : [{ name: 'Last reload', value: say`${reloaded}` }]),
        { name: 'Meanwhile', value: say`both go on answering` },
      ],
      subject: { reloaded: reloaded ?? null },
    };
  },
  run: ({ appliance }) => appliance.authdns.reload(),
  verify: async ({ appliance }, shown): Promise<Verification> => {
    const reloaded = reloadedAt((await appliance.authdns.status()).fields);
    if (reloaded === undefined) {
      const why = 'the status of the DNS server does not tell when it was last reloaded';
      return { kind: 'not_checkable', why };
    }
    return reloaded === shown.reloaded
      ? {
          kind: 'not_happened',
          evidence: say`I read the status back: the last reload is still the one of ${reloaded}.`,
        }
      : {
          kind: 'happened',
          evidence: say`I read the status back: the last reload was at ${reloaded}, by the appliance's clock.`,
        };
  },
});

/** A server that is down may refuse to tell its status, and is what people want to restart. */
async function statusOf(
  appliance: AskedAppliance,
): Promise<{ readonly fields: UnnamedFields; readonly refusal: string | undefined }> {
  try {
    const { fields } = await appliance.authdns.status();
    return { fields, refusal: undefined };
  } catch (error) {
    if (!isApplianceFailure(error) || error.code !== 'refused') throw error;
    return { fields: {}, refusal: error.reason };
  }
}

const reloadedAt = (fields: UnnamedFields): string | undefined =>
  reportedUnder(fields, 'reloaded', 'reloadedat', 'lastreload', 'reloadtime');

/** One sentence of what is likely to be there: the names are not documented. */
function summed(fields: UnnamedFields): Text {
  const [udp, tcp] = [numberUnder(fields, 'udpqueries'), numberUnder(fields, 'tcpqueries')];
  const queries =
    numberUnder(fields, 'queries', 'totalqueries') ??
    (udp === undefined && tcp === undefined ? undefined : (udp ?? 0) + (tcp ?? 0));
  if (queries === undefined) {
    return say`The DNS server reports ${plural(Object.keys(fields).length, 'number')}`;
  }
  const { uptime } = processOf(fields);
  const [hits, misses] = [numberUnder(fields, 'cachehits'), numberUnder(fields, 'cachemisses')];
  const cached =
    hits === undefined || misses === undefined || hits + misses === 0
      ? ''
      : `, ${percent((hits / (hits + misses)) * 100)} of them answered from its cache`;
  const since = uptime === undefined ? '' : ` in ${duration(uptime)}`;
  return say`The DNS server was asked ${strong(number(queries))} times${since}${cached}`;
}

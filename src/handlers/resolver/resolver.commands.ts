import type { AskedAppliance } from '../../api/index.ts';
import { change, lookup } from '../declare.ts';
import { code, enumerate, plainText, plural, say, strong, type Text, tableOf } from '../reply.ts';
import { happened, notCheckable, notHappened, nothing, ready } from '../results.ts';
import { impossible } from '../understanding/impossible.ts';
import { type Compared, compare, differing, readResolvConf } from './resolv-conf.ts';

export const show = lookup({
  phrase: 'resolver',
  says: `
    which dns servers do we use / what dns does the appliance use / resolv.conf / dns client settings /
    configured nameservers / upstream dns / which name server does the appliance use /
    what is in resolv.conf / dns settings of the appliance / which resolver /
    where does the appliance resolve / show resolv.conf / nameservers of the appliance /
    who answers dns for the appliance / does resolv.conf match the settings / is resolv.conf right /
    is resolv.conf correct / which dns servers does the appliance use / which resolver is configured /
    resolv.conf looks wrong / what are our nameservers
  `,
  also: ['resolver show', 'resolver config', 'resolver status'],
  summary: 'Compare the configured resolver with resolv.conf',
  answer: async ({ appliance }) => {
    const { compared, text } = await read(appliance);
    const different = differing(compared);
    return {
      headline:
        different.length === 0
          ? say`resolv.conf matches the configuration`
          : say`⚠ resolv.conf differs from the configuration in ${strong(plural(different.length, 'setting'))}; ${code('/appliance resolver apply')} rewrites it`,
      details: [
        ...tableOf(compared, {
          Setting: ({ setting }) => setting,
          Configured: ({ configured }) => configured,
          'In resolv.conf': ({ inForce }) => inForce,
          Differs: ({ same }) => (same === undefined ? 'unknown' : same ? 'no' : '⚠ yes'),
        }),
        { kind: 'log', name: 'resolv.conf', text },
      ],
    };
  },
});

export const apply = change({
  phrase: 'resolver apply',
  says: `
    write resolv.conf / apply resolver / apply dns settings of the appliance / fix resolv.conf /
    rewrite resolv.conf / resolv.conf is wrong / write the dns client settings again /
    the appliance uses the wrong name server, write it again / activate the resolver settings /
    repair resolv.conf / overwrite resolv.conf / resolv.conf is wrong, rewrite it /
    write the resolver configuration / overwrite resolv.conf with what is configured /
    apply the nameservers / regenerate resolv.conf
  `,
  summary: 'Write the configured resolver to resolv.conf',
  effect: 'destructive',
  verb: 'Apply',
  doing: () => say`Writing resolv.conf`,
  done: () => say`resolv.conf written`,
  preview: async ({ appliance }) => {
    const { compared, text } = await read(appliance);
    const different = differing(compared);
    if (different.length === 0)
      return nothing`resolv.conf of ${strong(appliance.name)} already matches the configuration.`;
    return ready({
      question: say`Write the configured resolver to resolv.conf of ${strong(appliance.name)}? It changes ${strong(plural(different.length, 'setting'))}.`,
      fields: [
        ...different.map(({ setting, configured, inForce }) => ({
          name: setting,
          value: say`${inForce} → ${configured}`,
        })),
        { name: 'Impact', value: say`all DNS lookups of the appliance use these settings` },
        { name: 'Undo', value: say`not available; use the web console to restore the old settings` },
      ],
      fingerprint: {
        text,
        change: different.map(({ setting, configured }) => `${setting}: ${plainText(configured)}`).join('\n'),
      },
    });
  },
  run: ({ appliance }) => appliance.resolver.apply(),
  verify: async ({ appliance }, shown) => {
    const { compared, text } = await read(appliance);
    const different = differing(compared);
    if (different.length === 0)
      return happened`resolv.conf read back: it matches the configuration, DNS servers: ${serversIn(text)}.`;
    const still = enumerate(different.map(({ setting }) => setting));
    // It was written with unexpected lines; which setting makes which line is undocumented.
    if (text !== shown.text)
      return notCheckable`resolv.conf was rewritten but does not match the configuration in ${plainText(still)}, and how the appliance writes these is undocumented`;
    return notHappened`resolv.conf read back: unchanged, still different in ${still}.`;
  },
});

async function read(
  appliance: AskedAppliance,
): Promise<{ readonly compared: readonly Compared[]; readonly text: string }> {
  const [configuration, text] = await Promise.all([
    appliance.resolver.configuration(),
    appliance.resolver.resolvConf(),
  ]);
  return { compared: compare(configuration, readResolvConf(text)), text };
}

const serversIn = (text: string): Text => {
  const { servers } = readResolvConf(text);
  return servers.length === 0 ? say`none` : enumerate(servers);
};

export const setResolver = impossible({
  says: `
    set dns to / set dns server / change dns server / use 8.8.8.8 as dns / set resolver /
    change nameserver / add nameserver / change upstream dns
  `,
  why: 'The Web API shows the configured resolver and writes it to resolv.conf, but cannot change its servers. Use the web console.',
  source: 'appliance-api.md §4.11',
  nearest: ['resolver', 'resolver apply'],
});

import type { AskedAppliance } from '../../api/index.ts';
import { change, lookup } from '../declare.ts';
import { code, paragraph, say, strong, type Text } from '../reply.ts';
import { type Fingerprint, notCheckable, nothing, ready, type Verification } from '../results.ts';
import { downloadProxyIn, type HostAndPort, hostAndPort, written } from './download.ts';

export const current = lookup({
  phrase: 'download proxy',
  also: ['download proxy status'],
  summary: 'Tell through which proxy the appliance itself downloads',
  answer: async ({ appliance }) => {
    const report = await appliance.directory.downloadProxy();
    const found = downloadProxyIn(report);
    if (found === undefined) {
      return {
        headline: say`${strong(appliance.name)} does not tell through which proxy it downloads`,
        details: report.info === '' ? [] : [paragraph`It says: ${code(report.info)}`],
      };
    }
    return {
      headline:
        found === 'none'
          ? say`${strong(appliance.name)} downloads ${strong('directly')}, through no proxy`
          : say`${strong(appliance.name)} downloads through ${strong(written(found))}`,
    };
  },
});

export const enable = change({
  phrase: 'download proxy enable <proxy>',
  also: ['download proxy set <proxy>'],
  args: { proxy: hostAndPort },
  summary: 'Make the appliance itself download through a proxy',
  example: 'download proxy enable proxy.example.com:3128',
  effect: 'write',
  verb: 'Enable',
  doing: ({ proxy }) => say`Making downloads go through ${written(proxy)}`,
  done: ({ proxy }) => say`Downloads go through ${strong(written(proxy))}`,
  preview: async ({ appliance, args }) => {
    const before = await readBefore(appliance);
    if (before === written(args.proxy))
      return nothing`${strong(appliance.name)} downloads through ${strong(before)} already.`;
    return ready({
      question: say`Make ${strong(appliance.name)} download through ${strong(written(args.proxy))}?`,
      fields: { Now: nowWords(before) },
      fingerprint: { before },
    });
  },
  run: ({ appliance, args }) => appliance.directory.enableDownloadProxy(args.proxy),
  verify: ({ appliance, args }) => verify(appliance, args.proxy),
  undo: (_, shown) => backTo(shown),
});

export const disable = change({
  phrase: 'download proxy disable',
  summary: 'Make the appliance itself download without a proxy',
  before: ['download proxy enable proxy.example.com:3128'],
  effect: 'write',
  verb: 'Disable',
  doing: () => say`Making downloads go without a proxy`,
  done: () => say`Downloads go through no proxy`,
  preview: async ({ appliance }) => {
    const before = await readBefore(appliance);
    if (before === 'none') return nothing`${strong(appliance.name)} downloads without a proxy already.`;
    return ready({
      question: say`Make ${strong(appliance.name)} download without a proxy?`,
      fields: { Now: nowWords(before) },
      fingerprint: { before },
    });
  },
  run: ({ appliance }) => appliance.directory.disableDownloadProxy(),
  verify: ({ appliance }) => verify(appliance, 'none'),
  undo: (_, shown) => backTo(shown),
});

/** The setting as it is written; null when the appliance does not tell. */
async function readBefore(appliance: AskedAppliance): Promise<string | null> {
  const found = downloadProxyIn(await appliance.directory.downloadProxy());
  if (found === undefined) return null;
  return found === 'none' ? found : written(found);
}

const nowWords = (before: string | null): Text =>
  before === null ? say`not reported` : before === 'none' ? say`no proxy` : say`${before}`;

async function verify(appliance: AskedAppliance, wanted: HostAndPort | 'none'): Promise<Verification> {
  const found = await readBefore(appliance);
  if (found === null) return notCheckable`${appliance.name} does not tell through which proxy it downloads`;
  const evidence = say`I read the setting back: ${nowWords(found)}.`;
  const isSo = found.toLowerCase() === (wanted === 'none' ? wanted : written(wanted)).toLowerCase();
  return { kind: isSo ? 'happened' : 'not_happened', evidence };
}

function backTo({ before }: Fingerprint): string | undefined {
  if (typeof before !== 'string') return undefined;
  return before === 'none' ? 'download proxy disable' : `download proxy enable ${before}`;
}

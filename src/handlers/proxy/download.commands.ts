import type { AskedAppliance } from '../../api/index.ts';
import { change, lookup } from '../declare.ts';
import { say, strong, type Text } from '../reply.ts';
import { type Fingerprint, happened, notCheckable, nothing, ready, type Verification } from '../results.ts';
import { type HostAndPort, hostAndPort, readDownloadProxy, written } from './download.ts';

export const current = lookup({
  phrase: 'download proxy',
  says: `
    does the appliance use a proxy / which upstream proxy / how does the appliance download / parent proxy /
    update proxy setting / proxy for downloads / does the appliance go through a proxy for updates /
    how does the appliance reach the internet / which proxy for updates / is a download proxy set /
    does it download directly / proxy settings of the appliance
  `,
  also: ['download proxy status'],
  summary: 'Show the proxy that the appliance uses for its own downloads',
  answer: async ({ appliance }) => {
    const found = await readDownloadProxy(appliance);
    if (found === undefined)
      return { headline: say`${strong(appliance.name)} doesn’t report through which proxy it downloads` };
    return {
      headline:
        found === 'none'
          ? say`${strong(appliance.name)} downloads ${strong('directly')}, without a proxy`
          : found === 'some'
            ? say`${strong(appliance.name)} downloads through ${strong('a proxy')}; its API doesn’t report which`
            : say`${strong(appliance.name)} downloads through ${strong(written(found))}`,
    };
  },
});

export const enable = change({
  phrase: 'download proxy enable <proxy>',
  says: `
    enable download proxy <proxy> / download through <proxy> / use proxy <proxy> for updates /
    set upstream proxy <proxy> / get updates through <proxy> / use <proxy> as download proxy /
    set the download proxy to <proxy> / updates must go through proxy <proxy> /
    appliance should download through <proxy> / upstream proxy is <proxy> / download through proxy <proxy> /
    use <proxy> for downloads / updates through <proxy>
  `,
  also: ['download proxy set <proxy>'],
  args: { proxy: hostAndPort },
  summary: 'Use a proxy for the appliance’s own downloads',
  example: 'download proxy enable proxy.example.com:3128',
  effect: 'write',
  verb: 'Enable',
  doing: ({ proxy }) => say`Setting the download proxy to ${written(proxy)}`,
  done: ({ proxy }) => say`Download proxy set to ${strong(written(proxy))}`,
  preview: async ({ appliance, args }) => {
    const before = await readBefore(appliance);
    if (before === written(args.proxy))
      return nothing`${strong(appliance.name)} already downloads through ${strong(before)}.`;
    return ready({
      question: say`Use ${strong(written(args.proxy))} for downloads of ${strong(appliance.name)}?`,
      fields: { Now: nowWords(before) },
      fingerprint: { before },
    });
  },
  run: ({ appliance, args }) => appliance.directory.enableDownloadProxy(args.proxy),
  verify: ({ appliance, args }, shown) => verify(appliance, args.proxy, shown),
  undo: (_, shown) => backTo(shown),
});

export const disable = change({
  phrase: 'download proxy disable',
  says: `
    disable download proxy / download without proxy / remove upstream proxy / direct downloads /
    stop using the parent proxy / download directly / no proxy for downloads /
    appliance should download without proxy / get updates directly / remove the download proxy /
    turn off the upstream proxy / appliance should download directly / download without a proxy /
    no download proxy any more / updates directly / stop using the download proxy
  `,
  summary: 'Use no proxy for the appliance’s own downloads',
  before: ['download proxy enable proxy.example.com:3128'],
  effect: 'write',
  verb: 'Disable',
  doing: () => say`Turning off the download proxy`,
  done: () => say`Download proxy turned off`,
  preview: async ({ appliance }) => {
    const before = await readBefore(appliance);
    if (before === 'none') return nothing`${strong(appliance.name)} already downloads without a proxy.`;
    return ready({
      question: say`Use no proxy for downloads of ${strong(appliance.name)}?`,
      fields: { Now: nowWords(before) },
      fingerprint: { before },
    });
  },
  run: ({ appliance }) => appliance.directory.disableDownloadProxy(),
  verify: ({ appliance }, shown) => verify(appliance, 'none', shown),
  undo: (_, shown) => backTo(shown),
});

/** The current setting; null if the appliance does not report it. */
async function readBefore(appliance: AskedAppliance): Promise<string | null> {
  const found = await readDownloadProxy(appliance);
  if (found === undefined) return null;
  return typeof found === 'string' ? found : written(found);
}

function nowWords(before: string | null): Text {
  if (before === null) return say`not reported`;
  return before === 'none'
    ? say`no proxy`
    : before === 'some'
      ? say`a proxy (address not reported)`
      : say`${before}`;
}

async function verify(
  appliance: AskedAppliance,
  wanted: HostAndPort | 'none',
  { before }: Fingerprint,
): Promise<Verification> {
  const found = await readBefore(appliance);
  if (found === null) return notCheckable`${appliance.name} does not report through which proxy it downloads`;
  // A proxy appeared, so this change happened; nothing shows which proxy.
  if (found === 'some' && wanted !== 'none')
    return before === 'none'
      ? happened`Setting read back: a proxy is now used, none was before. The API doesn’t report which one.`
      : notCheckable`${appliance.name} downloads through a proxy, and its API does not report which`;
  const isSo = found.toLowerCase() === (wanted === 'none' ? wanted : written(wanted)).toLowerCase();
  // Some appliances fail on every use of a proxy (field notes).
  const way = isSo || wanted !== 'none' ? '' : ' If its API can’t turn it off, its web console can.';
  return {
    kind: isSo ? 'happened' : 'not_happened',
    evidence: say`Setting read back: ${nowWords(found)}.${way}`,
  };
}

function backTo({ before }: Fingerprint): string | undefined {
  if (typeof before !== 'string' || before === 'some') return undefined;
  return before === 'none' ? 'download proxy disable' : `download proxy enable ${before}`;
}

import type { SoftwareProduct, SoftwareVersion } from '../../api/index.ts';
import type { AskingAppliance } from '../context.ts';
import { change, lookup } from '../declare.ts';
import { answeredFrom, countText, readBackIn } from '../listing.ts';
import { code, type Field, type Part, paragraph, plural, say, strong, type Text } from '../reply.ts';
import { final, happened, notCheckable, notHappened, nothing, ready } from '../results.ts';
import { impossible } from '../understanding/impossible.ts';
import { acting } from '../wording/acting.ts';
import {
  type ChosenVersion,
  collection,
  installedOn,
  product,
  sizeOf,
  version,
  versionName,
} from './versions.ts';

export const list = lookup({
  phrase: 'software list',
  says: `
    which software is installed / list packages / installed products / software versions /
    which version of squid / available software / is squid current / what can be installed /
    update available for squid / which software can be installed / available product versions /
    software catalogue / which squid versions are available / what can i install /
    which versions of <product> are available / which version of <product> is installed /
    is there a newer version / newest version of squid / list software / installed software /
    which products are there / what software is on the appliance / is there an update for squid /
    packages on the appliance / available versions / is there an update available / any updates /
    are there updates / is there new software / which updates can be installed / what can be updated /
    is everything up to date / are we up to date / new versions available
  `,
  also: ['software collection', 'software products'],
  summary: 'List available software products and versions',
  answer: answeredFrom(
    () => collection,
    async (look, { appliance }) => {
      const installed = await installedOn(appliance);
      const products = look.all;
      const versions = products.flatMap((one) => one.versions);
      if (products.length === 0) {
        return {
          headline: say`The software collection of ${strong(appliance.name)} is empty`,
          details: [paragraph`${code('/appliance software refresh')} downloads it.`],
        };
      }
      return {
        headline: say`${countText(look, 'product')} in the software collection, in ${plural(versions.length, 'version')}`,
        details: [
          {
            kind: 'table',
            columns: ['Product', 'Version', 'Key', 'Size', 'Running'],
            rows: products.flatMap((one) => rowsOf(one, installed.get(one.productKey.toLowerCase()))),
          },
        ],
      };
    },
  ),
});

export const refresh = change({
  ...acting('Refresh', 'the software collection'),
  phrase: 'software refresh',
  says: `
    refresh software index / update packages / check for software updates / reload software collection /
    apt update / refresh package list / update the software index / reload the software catalogue /
    download the software index / update the list of available software / look for new software /
    fetch the list of software / refresh the package index / update the list of packages /
    reload the software list / is there new software, check online / check for new software /
    check for updates / look for updates / search for new versions / refresh the list of software /
    is there a newer version, check
  `,
  summary: 'Download the list of available software',
  effect: 'write',
  preview: async ({ appliance }) => {
    const names = namesIn((await collection.look(appliance)).all);
    return ready({
      question: say`Download the software collection of ${strong(appliance.name)}?`,
      fields: { 'Known so far': say`${plural(names.length, 'version')}` },
      fingerprint: { versions: names.join('\n') },
    });
  },
  run: ({ appliance }) => appliance.software.refresh(),
  verify: readBackIn<unknown, SoftwareProduct>(
    () => collection,
    async ({ see }, _, shown) => {
      const before = String(shown.versions)
        .split('\n')
        .filter((name) => name !== '');
      const lost = (all: readonly SoftwareProduct[]) => {
        const names = new Set(namesIn(all));
        return before.some((name) => !names.has(name));
      };
      const now = namesIn(await see(lost));
      const added = now.filter((name) => !before.includes(name));
      const removed = before.filter((name) => !now.includes(name));
      if (added.length === 0 && removed.length === 0)
        return notCheckable`the collection is unchanged, and there may be nothing new`;
      const news = added.length === 0 ? say`` : say` New: ${few(added)}.`;
      const gone = removed.length === 0 ? say`` : say` No longer offered: ${few(removed)}.`;
      return happened`Collection read back: it has changed.${news}${gone}`;
    },
  ),
  // Downloads in the background; the document gives no duration.
  lasts: 30_000,
});

export const install = change({
  phrase: 'software install <product> <version>',
  says: `
    install <product> <version> / upgrade <product> / update <product> to <version> /
    upgrade <product> to <version> / install new version of <product> / downgrade <product> to <version> /
    install package <product> / upgrade product <product> / new squid version /
    put <product> on the appliance / get <product> <version> / update <product> /
    update squid to <version> / bring <product> to <version> / roll <product> back to <version> /
    install version <version> of <product> / switch <product> to <version> / install the update /
    install the new version / install the update of <product>
  `,
  args: { product, version },
  summary: 'Install a version of a product from the software collection',
  example: 'software install squid 59',
  effect: 'destructive',
  verb: 'Install',
  doing: ({ product: key, version: { name } }) => say`Installing ${key} ${name}`,
  done: ({ product: key, version: { name } }) => say`${strong(key)} ${strong(name)} installed`,
  preview: async (context) => {
    const { appliance, args } = context;
    const [wanted, installed] = await Promise.all([wantedOf(context), installedOn(appliance)]);
    if (wanted === undefined)
      return nothing`${strong(args.product)} ${args.version.name} is no longer in the software collection of ${strong(appliance.name)}. ${code('/appliance software list')} lists what is available.`;
    const now = installed.get(args.product.toLowerCase());
    const same =
      now === wanted.version ? say` This version is already running and would be reinstalled.` : say``;
    return ready({
      question: say`Install ${strong(args.product)} ${strong(versionName(wanted))} on ${strong(appliance.name)}?${same} It replaces the running version, which may restart.`,
      fields: describe(wanted, now),
      fingerprint: {
        product: args.product,
        keyVer: wanted.keyVer,
        version: wanted.version ?? null,
        sizeBytes: wanted.sizeBytes ?? null,
        md5: wanted.md5 ?? null,
        installed: now ?? null,
      },
    });
  },
  run: async ({ appliance, args, progress }) => {
    progress(say`${strong(appliance.name)} is downloading and installing it. This can take a few minutes.`);
    const { confirmed, traces } = await appliance.software.install({
      productKey: args.product,
      keyVer: args.version.key,
    });
    return { confirmed, details: logOf(traces) };
  },
  verify: async ({ appliance, args }, shown) => {
    const now = (await installedOn(appliance)).get(args.product.toLowerCase());
    if (now === undefined || shown.version === null)
      return final(notCheckable`${appliance.name} does not report which version of ${args.product} runs`);
    const before = shown.installed === null ? say`` : say`; before: ${String(shown.installed)}`;
    return now === shown.version
      ? happened`Services read back: ${args.product} reports version ${now}${before}.`
      : notHappened`Services read back: ${args.product} reports version ${now}, not ${String(shown.version)}.`;
  },
  // A long installation may continue after its answer is lost.
  lasts: 2 * 60_000,
});

async function wantedOf({
  appliance,
  args,
}: AskingAppliance<{ readonly product: string; readonly version: ChosenVersion }>): Promise<
  SoftwareVersion | undefined
> {
  const { found } = await collection.seek(appliance, ({ productKey }) => productKey === args.product);
  return found?.versions.find(({ keyVer }) => keyVer === args.version.key);
}

function describe(wanted: SoftwareVersion, now: string | undefined): readonly Field[] {
  return [
    { name: 'Before', value: say`${now ?? 'not reported'}` },
    { name: 'After', value: say`${versionName(wanted)} (key ${wanted.keyVer})` },
    { name: 'Size', value: say`${sizeOf(wanted)}` },
    ...(wanted.md5 === undefined ? [] : [{ name: 'MD5', value: [code(wanted.md5)] }]),
    ...(wanted.url === undefined ? [] : [{ name: 'Source', value: say`${wanted.url}` }]),
  ];
}

function rowsOf(
  { productKey, versions }: SoftwareProduct,
  installed: string | undefined,
): readonly (readonly Text[])[] {
  const runs = (one: SoftwareVersion) =>
    installed === undefined ? 'not reported' : installed === one.version ? 'yes' : 'no';
  const rows = versions.map((one) => [
    say`${productKey}`,
    say`${versionName(one)}`,
    say`${one.keyVer}`,
    say`${sizeOf(one)}`,
    say`${runs(one)}`,
  ]);
  return rows.length > 0 ? rows : [[say`${productKey}`, say`none`, say``, say``, say``]];
}

const logOf = (traces: readonly string[]): readonly Part[] =>
  traces.length === 0 ? [] : [{ kind: 'log', name: 'installation.log', text: traces.join('\n') }];

const namesIn = (products: readonly SoftwareProduct[]): readonly string[] =>
  products.flatMap(({ productKey, versions }) => versions.map((one) => `${productKey} ${versionName(one)}`));

function few(names: readonly string[]): string {
  const shown = names.slice(0, 10).join(', ');
  return names.length <= 10 ? shown : `${shown} and ${names.length - 10} more`;
}

export const uninstallSoftware = impossible({
  says: `
    uninstall software <product> / remove product from the appliance / delete squid package
  `,
  why: 'The Web API can install a product from the software collection, but cannot uninstall one.',
  source: 'appliance-api.md §4.7',
  nearest: ['software list'],
});

import type { SimulatedPackage } from '../company/software.ts';
import { refused } from '../envelope.ts';
import { idOf } from '../ids.ts';
import type { Area } from '../route.ts';
import { restartProduct } from './software/restarts.ts';

/** How long the download of the collection takes. */
const refreshMs = 3_000;

/** The software collection: appliance-api.md §4.7. */
export const software: Area = {
  routes: [
    {
      method: 'GET',
      path: '/system/softwares/refresh',
      answer({ state, now }) {
        if (state.software.refreshOrderedAt !== undefined)
          return { Status: true, Info: 'The collection is already being downloaded' };
        state.software.refreshOrderedAt = now;
        return { Status: true, Info: 'The download of the collection is ordered' };
      },
    },
    {
      method: 'GET',
      path: '/system/softwares/indexes',
      answer: ({ state }) => ({
        Status: true,
        Error: '',
        Softwares: [...state.software.collection].map(([ProductKey, packages]) => ({
          ProductKey,
          Collection: packages.map((one) => ({
            KeyVer: one.keyVer,
            Version: one.version,
            Url: one.url,
            SizeBytes: one.sizeBytes,
            MD5: one.md5,
          })),
        })),
      }),
    },
    {
      method: 'GET',
      path: '/system/softwares/install/{productKey}/{keyVer}',
      answer({ state, now, slots }) {
        const [product, keyVer] = [slots.get('productKey'), slots.get('keyVer')];
        const packages = state.software.collection.get(product);
        if (packages === undefined) return notInstalled(`Product ${product} is not in the collection`);
        const wanted = packages.find((one) => one.keyVer === idOf(keyVer));
        if (wanted === undefined) return notInstalled(`${product} has no version with the key ${keyVer}`);
        const before = state.software.installed.get(product);
        state.software.installed.set(product, wanted.version);
        const restarted = restartProduct(product, state, now);
        return {
          Status: true,
          Info: `${product} ${wanted.version} is installed`,
          Traces: traces({ product, before, wanted, restarted }, now),
        };
      },
    },
  ],
  passTime({ software }, now) {
    const ordered = software.refreshOrderedAt;
    if (ordered === undefined || now.getTime() - ordered.getTime() < refreshMs) return;
    software.collection = new Map(software.repository);
    software.refreshOrderedAt = undefined;
  },
};

/** The document shows the answer of an installation that worked only; this one follows §7.2. */
function notInstalled(reason: string) {
  return { ...refused(reason), Traces: '' };
}

interface Installation {
  readonly product: string;
  /** The version that was installed before; undefined: none. */
  readonly before: string | undefined;
  readonly wanted: SimulatedPackage;
  readonly restarted: boolean;
}

function traces({ product, before, wanted, restarted }: Installation, now: Date): string {
  const file = wanted.url.slice(wanted.url.lastIndexOf('/') + 1);
  const time = now.toISOString().slice(11, 19);
  return [
    `Installing ${product} ${wanted.version}`,
    `Downloading ${wanted.url}`,
    `${wanted.sizeBytes} bytes received`,
    `MD5 ${wanted.md5}: correct`,
    `Extracting ${file}`,
    before === undefined ? 'Nothing was installed before' : `Replacing version ${before}`,
    ...(restarted ? [`Restarting ${product}`] : []),
    `${product} ${wanted.version}: success`,
  ]
    .map((line) => `[${time}] ${line}\n`)
    .join('');
}

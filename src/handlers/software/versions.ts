import {
  type AskedAppliance,
  isApplianceFailure,
  type SoftwareProduct,
  type SoftwareVersion,
} from '../../api/index.ts';
import { type Argument, type Listed, listed } from '../argument.ts';
import { listedIn, listing } from '../listing.ts';
import { bytes } from '../wording/quantities.ts';

/** The software collection (appliance-api.md §2.7) as commands speak of it. */

/** "6.12.0", or its key where the collection has no more. */
export const versionName = ({ version, keyVer }: SoftwareVersion): string =>
  version === undefined || version === '' ? `version ${keyVer}` : version;

export const sizeOf = ({ sizeBytes }: SoftwareVersion): string =>
  sizeBytes === undefined ? 'not reported' : bytes(sizeBytes);

/** What people call a product: `APP_REVERSE_PROXY` → "reverse proxy". Its key is what stands in a line. */
const productName = (key: string): string => key.replace(/^APP_/i, '').replaceAll('_', ' ').toLowerCase();

export const collection = listing<SoftwareProduct>({
  things: 'software products',
  read: ({ software }) => software.list(),
  keyOf: ({ productKey }) => productKey,
});

export const product: Argument<string> = anyWord(
  listed('a software product', 'APP_PROXY', (appliance) =>
    listedIn(collection, appliance, ({ productKey, versions }) => ({
      word: productKey,
      name: productName(productKey),
      value: productKey,
      hint: `${versions.length} versions`,
    })),
  ),
);

/** A version with what the appliance identifies it by. */
export interface ChosenVersion {
  readonly key: number;
  readonly name: string;
}

/** Of the product before it. */
export const version: Argument<ChosenVersion> = versionKnownBy(
  'a software version',
  '61000',
  async (appliance, earlier) => {
    const { found } = await collection.seek(appliance, ({ productKey }) => productKey === earlier.product);
    return (found?.versions ?? []).map((one) => ({
      word: String(one.keyVer),
      name: versionName(one),
      value: { key: one.keyVer, name: versionName(one) },
      hint: sizeOf(one),
    }));
  },
);

/** A version by its key, which is a number, or by its name. */
export function versionKnownBy(
  what: string,
  example: string,
  list: (
    appliance: AskedAppliance,
    earlier: Readonly<Record<string, unknown>>,
  ) => Promise<readonly Listed<ChosenVersion>[]>,
): Argument<ChosenVersion> {
  return { ...anyWord(listed(what, example, list)), numbered: true };
}

/** Versions are words with dots, and no numbers with a slip in them. */
function anyWord<Value>(argument: Argument<Value>): Argument<Value> {
  return {
    ...argument,
    read: (typed) =>
      typed.length > 100
        ? { ok: false, problem: { code: 'too_long', most: 100, given: typed.length } }
        : // Stands in for the value until the appliance was asked, as in `listed`.
          { ok: true, value: typed as Value },
  };
}

/** Which version of each product runs, by product key in lower case. */
export type Installed = ReadonlyMap<string, string>;

/**
 * What the monitored services report of their versions (appliance-api.md §4.12): the shape is not documented, so a
 * product is only in it where a part of the report has its key and a version. Empty when the report cannot be had.
 */
export async function installedOn(appliance: AskedAppliance): Promise<Installed> {
  const report = await appliance.directory.services().catch((error: unknown) => {
    if (isApplianceFailure(error)) return { fields: {} };
    throw error;
  });
  return new Map(
    Object.entries(report.fields).flatMap(([name, value]): [string, string][] => {
      const key = /(?:^|\.)([^.]+)\.version$/i.exec(name)?.[1];
      return key === undefined || value === '' ? [] : [[key.toLowerCase(), value]];
    }),
  );
}

import {
  type AskedAppliance,
  isApplianceFailure,
  type SoftwareProduct,
  type SoftwareVersion,
} from '../../api/index.ts';
import { type Argument, type Listed, listed } from '../argument.ts';
import { listedIn, listing } from '../listing.ts';
import { bytes } from '../wording/quantities.ts';

/** The software collection (appliance-api.md §2.7), as commands use it. */

/** "6.12.0", or its key if the collection has no more. */
export const versionName = ({ version, keyVer }: SoftwareVersion): string =>
  version === undefined || version === '' ? `version ${keyVer}` : version;

export const sizeOf = ({ sizeBytes }: SoftwareVersion): string =>
  sizeBytes === undefined ? 'not reported' : bytes(sizeBytes);

/** The usual name of a product: `APP_REVERSE_PROXY` → "reverse proxy". Lines use its key. */
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

/** A version with the appliance's identifiers. */
export interface ChosenVersion {
  readonly key: number;
  readonly name: string;
}

/** A version of the preceding product. */
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

/** By its numeric key, or by its name. */
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

/** Versions are words with dots, rather than misspelled numbers. */
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

/** The running version of each product, by product key in lower case. */
export type Installed = ReadonlyMap<string, string>;

/**
 * The versions in the report on monitored services (appliance-api.md §4.12). Its shape is undocumented, so it
 * includes only products whose key and version appear together. Empty if the report is unavailable.
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

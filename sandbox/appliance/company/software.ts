import { createHash } from 'node:crypto';

/** One version of a product, as the repository offers it (appliance-api.md §2.7). */
export interface SimulatedPackage {
  readonly keyVer: number;
  readonly version: string;
  readonly url: string;
  readonly sizeBytes: number;
  /** Hexadecimal. */
  readonly md5: string;
}

/** Packages by ProductKey, oldest version first. */
type Collection = Map<string, readonly SimulatedPackage[]>;

export interface SoftwareState {
  /** The installed version by ProductKey; a product that is not installed is not in it. */
  readonly installed: Map<string, string>;
  /** The collection since the last refresh; the appliance installs from it. */
  collection: Collection;
  /** The repository today; a refresh brings it into the collection. */
  readonly repository: Collection;
  /** Set while a refresh is downloading. */
  refreshOrderedAt: Date | undefined;
}

/** One version of each product came out since the last refresh, where there are three or more. */
export function softwareOfTheCompany(_now: Date): SoftwareState {
  const repository: Collection = new Map(products.map(([key, , offers]) => [key, packagesOf(key, offers)]));
  const known = [...repository].map(
    ([key, packages]) => [key, packages.length > 2 ? packages.slice(0, -1) : packages] as const,
  );
  return {
    installed: new Map(products.flatMap(([key, version]) => (version === '' ? [] : [[key, version]]))),
    collection: new Map(known),
    repository,
    refreshOrderedAt: undefined,
  };
}

type Product = [key: string, installed: string, offers: readonly Offered[]];
/** `keyVer`: where the repository does not number it by its version. */
type Offered = readonly [version: string, megabytes: number, keyVer?: number];

const products: readonly Product[] = [
  [
    'APP_ANTIVIRUS',
    '',
    [
      ['1.0.7', 148.2],
      ['1.4.1', 161.9],
    ],
  ],
  [
    'APP_AUTHDNS',
    '4.8.4',
    [
      ['4.8.4', 21.6],
      ['4.9.2', 22.4],
      ['4.9.4', 22.5],
    ],
  ],
  [
    'APP_DNSFW',
    '1.20.0',
    [
      ['1.19.3', 9.1],
      ['1.20.0', 9.3],
      ['1.21.1', 9.8],
    ],
  ],
  [
    'APP_FTPD',
    '1.3.7',
    [
      ['1.3.7', 4.2],
      ['1.3.8', 4.3],
    ],
  ],
  [
    'APP_MIRROR',
    '1.8.2',
    [
      ['1.8.2', 12.7],
      ['1.9.0', 13.1],
    ],
  ],
  [
    'APP_PROXY',
    '6.10.0',
    [
      ['6.9.0', 38.4],
      ['6.10.0', 38.9],
      ['6.12.0', 39.5],
      ['7.1.0', 42.2],
    ],
  ],
  [
    'APP_RDPPROXY',
    '10.2.11',
    [
      ['9.1.40', 71.3],
      ['10.2.11', 74.8],
      ['10.5.3', 76],
    ],
  ],
  [
    'APP_REVERSE_PROXY',
    '1.24.0',
    [
      ['1.24.0', 17.5],
      ['1.26.2', 18.2],
      ['1.27.3', 18.4],
    ],
  ],
  [
    'APP_SQLDB',
    '10.11.6',
    [
      ['10.11.6', 212.4],
      ['10.11.9', 213],
    ],
  ],
  [
    'squid',
    '5.7',
    [
      ['5.7', 35.8, 57],
      ['5.9', 36.1, 59],
    ],
  ],
];

function packagesOf(product: string, offers: Product[2]): SimulatedPackage[] {
  return offers.map(([version, megabytes, known]) => {
    const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
    const name = product.replace('APP_', '').toLowerCase();
    const url = `http://repo.example/softwares/${name}/${name}-${version}.tar.gz`;
    return {
      keyVer: known ?? major * 10_000 + minor * 100 + patch,
      version,
      url,
      sizeBytes: Math.round(megabytes * 1_048_576),
      md5: createHash('md5').update(url).digest('hex'),
    };
  });
}

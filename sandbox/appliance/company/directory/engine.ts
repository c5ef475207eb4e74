import { createHash } from 'node:crypto';

/** An entry of the update index (appliance-api.md §2.11). */
interface EnginePackage {
  readonly version: string;
  readonly uri: string;
  /** Hexadecimal. */
  readonly md5: string;
}

/** The REST engine, the program that answers this API. */
export interface Engine {
  /** Below 1.189 it cannot update itself (§9.3). */
  version: string;
  /** As last downloaded, by key: the version without its dot. */
  index: Map<number, EnginePackage>;
  /** Versions in the cloud repository today. */
  readonly repository: Map<number, EnginePackage>;
  /** A refresh mends it. As documented it never happens. */
  isCacheCorrupted: boolean;
}

const versions = ['1.185', '1.186', '1.187', '1.188', '1.189', '1.190', '1.191', '1.192'];

/** The newest version came out since the last refresh. */
export function engineOfTheCompany(): Engine {
  const repository = new Map(versions.map((version) => [keyOf(version), packageOf(version)]));
  return {
    version: '1.190',
    index: new Map([...repository].slice(0, -1)),
    repository,
    isCacheCorrupted: false,
  };
}

function keyOf(version: string): number {
  return Number(version.replace('.', ''));
}

function packageOf(version: string): EnginePackage {
  const uri = `http://repo.example/engine/rest-engine-${version}.tar.gz`;
  return { version, uri, md5: createHash('md5').update(uri).digest('hex') };
}

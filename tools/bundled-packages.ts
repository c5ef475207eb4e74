import { readFileSync, realpathSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { z } from 'zod';

/** A package of somebody else, of which something is in a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As its author says, an SPDX expression. */
  readonly license: string;
  /** Its files. */
  readonly folder: string;
  /** Its name in SBOMs. */
  readonly purl: string;
  /** SHA-512 of the package as it was published, in hexadecimal digits. */
  readonly digest: string;
  /** The names of its dependencies. */
  readonly needs: readonly string[];
}

const root = resolve(import.meta.dirname, '..');
/** The packages may lie elsewhere, and only be linked here; the bundler names what lies there. */
const installed = realpathSync(join(root, 'node_modules'));
const manifestShape = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});
const lockShape = z.object({
  packages: z.record(z.string(), z.looseObject({ integrity: z.string().optional() })),
});

/** The packages of these modules (absolute paths). @throws where a package does not name its licence */
export function packagesOf(modules: readonly string[]): readonly BundledPackage[] {
  const { packages: locked } = lockShape.parse(
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
  );
  const folders = new Set(modules.map(folderOf).filter((folder) => folder !== undefined));
  return [...folders].map((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const read = manifestShape.safeParse(manifest);
    if (!read.success) throw new Error(`${folder}/package.json: ${z.prettifyError(read.error)}`);
    const { name, version, license, dependencies, optionalDependencies } = read.data;
    const [, digest] =
      /^sha512-(.+)$/.exec(locked[join('node_modules', relative(installed, folder))]?.integrity ?? '') ?? [];
    if (digest === undefined) throw new Error(`${name} has no SHA-512 in package-lock.json`);
    return {
      ...{ name, version, license, folder },
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      digest: Buffer.from(digest, 'base64').toString('hex'),
      needs: Object.keys({ ...dependencies, ...optionalDependencies }),
    };
  });
}

/** Undefined for our own modules. The bundler's own helpers belong to the bundler. */
function folderOf(module: string): string | undefined {
  if (module.startsWith('\0rolldown/')) return join(installed, 'rolldown');
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(module)?.[0];
}

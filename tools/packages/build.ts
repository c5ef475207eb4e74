import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { isPackageName, type PackageName, type PackageToBuild, packages } from './packages.ts';
import { typesOf } from './types.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Loaded first, it says in a sentence what a runtime is too old for. */
const index = "import './runtime.js';\nexport * from './exports.js';\n";

/**
 * Makes the `dist` of a package in this folder: `index.js` of what its `src/index.ts` exports, `runtime.js`, each of its programs
 * in a few files, and all its types in one.
 */
export async function buildPackage(
  name: PackageName,
  folder = fromRoot(`packages/${name}/dist`),
): Promise<void> {
  const entry = `packages/${name}/src/index.ts`;
  const { programs, paths = {}, types = () => typesOf(entry), files }: PackageToBuild = packages[name];
  const inside = (path: string) => fromRoot(`packages/${name}/${path}`);
  const { engines }: { engines: { node: string } } = JSON.parse(readFileSync(inside('package.json'), 'utf8'));
  const bundle = await rolldown({
    input: {
      exports: fromRoot(entry),
      runtime: fromRoot('tools/packages/runtime.ts'),
      ...Object.fromEntries(Object.entries(programs).map(([program, from]) => [program, inside(from)])),
    },
    platform: 'node',
    external: (id) => !/^[./]/.test(id),
    transform: {
      define: { PACKAGE: JSON.stringify(name), OLDEST: JSON.stringify(engines.node.replace('>=', '')) },
    },
  });
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      chunkFileNames: '[name].js',
      comments: { legal: true, annotation: true, jsdoc: false },
      paths,
    });
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const file of output) {
      if (file.type === 'chunk') writeFileSync(join(folder, file.fileName), file.code);
    }
    for (const [path, content] of Object.entries((await files?.()) ?? {})) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    writeFileSync(join(folder, 'index.js'), index);
    writeFileSync(join(folder, 'index.d.ts'), types());
  } finally {
    await bundle.close();
  }
}

if (import.meta.main) {
  const [name = ''] = process.argv.slice(2);
  if (!isPackageName(name))
    throw new Error(`There is no package ${name}: ${Object.keys(packages).join(', ')}`);
  await buildPackage(name);
}

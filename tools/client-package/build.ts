import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { packageTypes } from './types.ts';

const ofPackage = (path: string) =>
  fileURLToPath(new URL(`../../packages/appliance-client/${path}`, import.meta.url));

/** Loaded first, it says in a sentence what a runtime is too old for. */
const index = "import './runtime.js';\nexport * from './exports.js';\n";

/** Makes the package's `dist` in this folder: the client and its command line in a few files, and its types in one. */
export async function buildClient(folder = ofPackage('dist')): Promise<void> {
  const bundle = await rolldown({
    input: {
      exports: ofPackage('src/index.ts'),
      runtime: ofPackage('src/runtime.ts'),
      'command-line': ofPackage('src/cli/main.ts'),
    },
    platform: 'node',
    external: (id) => !/^[./]/.test(id),
  });
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      chunkFileNames: '[name].js',
      comments: { legal: true, annotation: true, jsdoc: false },
      // Bun has an `undici` of its own, in which there is little of it.
      paths: { undici: 'undici/index.js' },
    });
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const file of output) {
      if (file.type === 'chunk') writeFileSync(join(folder, file.fileName), file.code);
    }
    writeFileSync(join(folder, 'index.js'), index);
    writeFileSync(join(folder, 'index.d.ts'), packageTypes());
  } finally {
    await bundle.close();
  }
}

if (import.meta.main) await buildClient();

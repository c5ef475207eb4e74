import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, rolldown } from 'rolldown';
import { type BundledPackage, packagesOf } from './bundled-packages.ts';
import { licencesOf } from './licences.ts';
import { sbomOf } from './sbom.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The built files, each with the file that it begins with. */
const programs = { 'appliance-bot.js': 'src/main.ts', 'command-line.js': 'cli/main.ts' };

/**
 * Makes in this folder `appliance-bot.js` of the bot and everything that it uses: one file instead of some 1,200, which takes
 * half the time to start; and `command-line.js` of all that is run beside it, which so costs the bot nothing. As none needs
 * another, a bot that runs already misses nothing. Beside them: maps by which a stack names our files, and which packages of
 * others are in them, by which licences.
 */
export async function build(folder = fromRoot('dist')): Promise<void> {
  const packages = new Map<string, BundledPackage>();
  mkdirSync(folder, { recursive: true });
  for (const [name, from] of Object.entries(programs)) {
    const chunk = await bundleOf(from);
    for (const one of packagesOf(chunk.moduleIds)) packages.set(one.folder, one);
    put(folder, `${name}.map`, JSON.stringify({ ...chunk.map, sourcesContent: undefined }));
    put(folder, name, ascii(chunk.code));
  }
  const all = [...packages.values()].sort((one, other) => (one.purl < other.purl ? -1 : 1));
  put(folder, 'THIRD-PARTY-LICENSES.txt', licencesOf(all, 'Appliance Bot'));
  put(folder, 'sbom.cdx.json', `${JSON.stringify(sbomOf(all), undefined, 2)}\n`);
}

/** Written beside its place and then moved, so that a start meanwhile gets the old file or the new one. */
function put(folder: string, name: string, text: string): void {
  const unfinished = join(folder, `${name}.${process.pid}`);
  writeFileSync(unfinished, text);
  renameSync(unfinished, join(folder, name));
}

async function bundleOf(from: string): Promise<OutputChunk> {
  const bundle = await rolldown({
    input: fromRoot(from),
    platform: 'node',
    // Bottleneck uses `eval` only to find a Redis client, which we do not use.
    checks: { eval: false },
  });
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      codeSplitting: false,
      comments: false,
      charset: 'ascii',
      // Named nowhere in the bundle: Node would read it with every start.
      sourcemap: 'hidden',
    });
    return output[0];
  } finally {
    await bundle.close();
  }
}

/**
 * With a single character beyond Latin-1 in it, V8 would keep all of the text in two bytes a character: 30 MB more for a
 * running bot. The bundler leaves those in tagged templates, whose tag could ask for the text as it was written: `say` does not.
 */
function ascii(code: string): string {
  return code.replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

if (import.meta.main) await build();

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BundledPackage } from './bundled-packages.ts';

const isLicence = (name: string): boolean => /^(?:licen[cs]e|copying|notice)(?:[-.].*)?$/i.test(name);

/** For people: the foreign packages, and the licences under which we may distribute them. Most require their text. */
export function licencesOf(packages: readonly BundledPackage[], whole: string): string {
  const all = packages.map(({ name, version, license, folder }) => {
    const files = readdirSync(folder).filter(isLicence).sort();
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    const words =
      texts.length > 0 ? texts.join('\n\n') : `The package has no text of it and names it: ${license}.`;
    return `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${words}\n`;
  });
  return `${whole} is built of its own source, whose licence is in LICENSE, and of parts of these ${packages.length} packages.\n\n${all.join('\n')}`;
}

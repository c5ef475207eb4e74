import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };

/**
 * What a release says of itself: the section of its version in CHANGELOG.md.
 * @throws Error when the tag, the package and the changelog don't agree on what is released
 */
export function releaseNotes(tag: string, version: string, changelog: string): string {
  if (tag !== `v${version}`)
    throw new Error(`The tag ${tag} is not v${version}, the version in package.json.`);
  const section = changelog.split(/^## /m).find((one) => one.startsWith(`${version} - `));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version} - YYYY-MM-DD".`);
  const notes = section.slice(section.indexOf('\n')).trim();
  if (notes === '') throw new Error(`The section of ${version} in CHANGELOG.md says nothing.`);
  return `${notes}\n`;
}

if (import.meta.main) {
  const changelog = readFileSync(fileURLToPath(new URL('../CHANGELOG.md', import.meta.url)), 'utf8');
  process.stdout.write(releaseNotes(process.argv[2] ?? '', packageJson.version, changelog));
}

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Versions by the file that they stand in. */
type Versions = Readonly<Record<string, string>>;

/**
 * The notes of a release: the section of its version in CHANGELOG.md.
 * @throws Error when the tag, a package and the changelog don't agree on the version
 */
export function releaseNotes(tag: string, versions: Versions, changelog: string): string {
  for (const [file, version] of Object.entries(versions)) {
    if (tag !== `v${version}`) throw new Error(`The tag ${tag} is not v${version}, the version in ${file}.`);
  }
  const version = tag.slice(1);
  const section = changelog.split(/^## /m).find((one) => one.startsWith(`${version} - `));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version} - YYYY-MM-DD".`);
  const notes = section.slice(section.indexOf('\n')).trim();
  if (notes === '') throw new Error(`The section of ${version} in CHANGELOG.md says nothing.`);
  return `${notes}\n`;
}

/** The versions of everything that a release packs; they must be equal. */
export const versionsIn = (folder: string): Versions =>
  Object.fromEntries(
    ['package.json', ...globSync('packages/*/package.json', { cwd: folder })].map((file) => [
      file,
      JSON.parse(readFileSync(join(folder, file), 'utf8')).version,
    ]),
  );

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  process.stdout.write(releaseNotes(process.argv[2] ?? '', versionsIn(root), changelog));
}

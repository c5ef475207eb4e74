import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { releaseNotes, versionsIn } from '../tools/release-notes.ts';

const changelog = `# Changelog

## Unreleased

- later

## 1.2.0 - 2027-01-31

### Added

- this

## 1.1.0 - 2026-12-01
`;

test('the notes of a release are the section of its version, and nothing of the others', () => {
  expect(releaseNotes('v1.2.0', { 'package.json': '1.2.0' }, changelog)).toBe('### Added\n\n- this\n');
});

test.each([
  ['v1.3.0', '1.2.0', 'The tag v1.3.0 is not v1.2.0, the version in package.json.'],
  ['v2.0.0', '2.0.0', 'CHANGELOG.md has no section "## 2.0.0 - YYYY-MM-DD".'],
  ['v1.1.0', '1.1.0', 'The section of 1.1.0 in CHANGELOG.md says nothing.'],
])('the tag %s of a package of version %s is not released', (tag, version, why) => {
  expect(() => releaseNotes(tag, { 'package.json': version }, changelog)).toThrow(why);
});

test('a package at another version is not released, and every package has that of the bot', () => {
  const versions = { 'package.json': '1.2.0', 'packages/client/package.json': '1.1.0' };
  expect(() => releaseNotes('v1.2.0', versions, changelog)).toThrow(
    'The tag v1.2.0 is not v1.1.0, the version in packages/client/package.json.',
  );
  const own = versionsIn('.');
  expect(Object.keys(own).length).toBeGreaterThan(1);
  expect([...new Set(Object.values(own))]).toEqual([packageJson.version]);
});

test('the changelog has one section for each version, the newest first, and one for unreleased changes', () => {
  const [first, ...released] = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (.*)$/gm)].map(
    ([, title]) => title ?? '',
  );
  expect(first).toBe('Unreleased');
  for (const title of released) expect(title).toMatch(/^\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/);
  const versions = released.map((title) => title.split(' ')[0] ?? '');
  const sorted = versions.toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  expect(versions).toEqual([...new Set(sorted)]);
  expect(versions.slice(1)).not.toContain(packageJson.version);
});

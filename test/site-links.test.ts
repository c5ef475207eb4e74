import { expect, test } from 'vitest';
import { linked, type Places } from '../site/links.ts';
import { groups, sidebarOf } from '../site/navigation.ts';

const places: Places = {
  pages: new Map([
    ['README.md', 'index.md'],
    ['SECURITY.md', 'security.md'],
    ['docs/setup.md', 'setup.md'],
    ['docs/decisions/README.md', 'decisions/index.md'],
    ['docs/decisions/0001-x.md', 'decisions/0001-x.md'],
  ]),
  titles: new Map([['SECURITY.md', 'Security']]),
  files: new Map([
    ['manifest.yml', 'manifest.yml'],
    ['docs/images/home.png', 'images/home.png'],
  ]),
  source: 'https://git.example/blob/main',
  isThere: (path) => path === 'src/a.ts',
};
const inSetup = (text: string, given: Places = places) => linked('docs/setup.md', text, given);

test.each([
  ['a page beside it', '[x](decisions/0001-x.md#why)', '[x](./decisions/0001-x.md#why)'],
  ['a page in the root', '[x](../SECURITY.md)', '[x](./security.md)'],
  ['a page that is called as its file', '[SECURITY.md](../SECURITY.md#a)', '[Security](./security.md#a)'],
  ['a page without a title', '[x.md](decisions/0001-x.md)', '[x.md](./decisions/0001-x.md)'],
  ['a folder’s first page', '[x](decisions/README.md)', '[x](./decisions/index.md)'],
  ['a file that is served', '[m](../manifest.yml)', '[m](/manifest.yml)'],
  ['a picture', '![home [1]](images/home.png)', '![home [1]](./images/home.png)'],
  ['the source', '[a](../src/a.ts)', '[a](https://git.example/blob/main/src/a.ts)'],
  ['elsewhere', '[a](https://example.com/b.md)', '[a](https://example.com/b.md)'],
  ['a heading of its own', '[a](#b)', '[a](#b)'],
])('a link to %s keeps leading there', (_, written, shown) => {
  expect(inSetup(`See ${written} first.`)).toBe(`See ${shown} first.`);
});

test('the source is named without a link when its address is unknown', () => {
  expect(inSetup('[a.ts](../src/a.ts), [m](../manifest.yml)', { ...places, source: undefined })).toBe(
    'a.ts, [m](/manifest.yml)',
  );
});

test('a link to a missing file ends the build', () => {
  expect(() => inSetup('[n](nothing.md)')).toThrow('docs/setup.md has a dead link: nothing.md');
});

test('code blocks stay as they are', () => {
  expect(inSetup('```ts\n[a](../src/a.ts)\n```\n[a](../SECURITY.md)')).toBe(
    '```ts\n[a](../src/a.ts)\n```\n[a](./security.md)',
  );
});

test('a page outside the navigation is in its last group, and a missing page in none', () => {
  const shown = sidebarOf(['index', 'setup', 'decisions/0001-x', 'some-news']);
  expect(shown.map(({ text, items }) => [text, items.map(({ link }) => link)])).toEqual([
    ['Install', ['/setup']],
    ['More', ['/some-news']],
  ]);
  const all = groups.flatMap(({ pages }) => pages.map(([page]) => page));
  expect(new Set(all).size).toBe(all.length);
});

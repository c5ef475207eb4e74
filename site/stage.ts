import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { linked, type Places } from './links.ts';

/** Gathers the pages of the repository, as the site has them, in `pages/`. */
const root = join(import.meta.dirname, '..');
const stage = join(import.meta.dirname, 'pages');

const inRoot = ['SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'CODE_OF_CONDUCT.md'];
const served = [
  'manifest.yml',
  'appliance-bot.example.yml',
  'appliance-bot.schema.json',
  'docs/appliance.openapi.json',
];

const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;

const pages: ReadonlyMap<string, string> = new Map([
  ['README.md', 'index.md'],
  ...inRoot.map((page) => [page, page.toLowerCase().replaceAll('_', '-')] as const),
  ...globSync('docs/**/*.md', { cwd: root }).map(
    (page) => [page, page.replace('docs/', '').replace('README.md', 'index.md')] as const,
  ),
  ['bench/README.md', 'benchmarks.md'],
  // Each package has a page of its own.
  ...globSync('packages/*/README.md', { cwd: root }).map(
    (page) => [page, page.replace('/README.md', '.md')] as const,
  ),
]);

const titleOf = (page: string): string | undefined =>
  /^# (.+)$/m.exec(readFileSync(join(root, page), 'utf8'))?.[1]?.replaceAll('`', '');

const places: Places = {
  pages,
  titles: new Map(
    [...pages.keys()].flatMap((page) => {
      const title = titleOf(page);
      return title === undefined ? [] : [[page, title] as const];
    }),
  ),
  files: new Map([
    ...served.map((file) => [file, file.replace('docs/', '')] as const),
    ...globSync('docs/images/*', { cwd: root }).map((file) => [file, file.replace('docs/', '')] as const),
  ]),
  isThere: (path) => existsSync(join(root, path)),
  source: repository === undefined ? undefined : `${server}/${repository}/blob/main`,
};

rmSync(stage, { recursive: true, force: true });
for (const [page, place] of places.pages) {
  // The site's own first page takes the place of the README.
  const text = readFileSync(
    page === 'README.md' ? join(import.meta.dirname, 'home.md') : join(root, page),
    'utf8',
  );
  const to = join(stage, place);
  mkdirSync(dirname(to), { recursive: true });
  // Readers see a story, which a test plays, as text.
  writeFileSync(to, linked(page, text, places).replace(/^```story$/gm, '```text'));
}
for (const [file, place] of places.files) {
  // A picture is part of a page, and of the first one by its address; everything else is served as it is.
  for (const to of place.startsWith('images/') ? [place, join('public', place)] : [join('public', place)]) {
    mkdirSync(dirname(join(stage, to)), { recursive: true });
    cpSync(join(root, file), join(stage, to));
  }
}

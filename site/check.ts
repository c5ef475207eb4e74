import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch, { type SearchResult } from 'minisearch';
import { describedOperations } from '../src/api/described.ts';
import { isLiteral, isParticle, nameOf } from '../src/handlers/command-name.ts';
import { commands } from '../src/handlers/registry.ts';
import { searchOptions } from './search.ts';

/** Checks the built site: its search must find every command and operation by its name. */
const dist = join(import.meta.dirname, 'dist');
const fields = ['title', 'titles', 'text'];

const [name = ''] = globSync('assets/chunks/@localSearchIndexroot.*.js', { cwd: dist });
const { default: index }: { default: string } = await import(join(dist, name));
const search = MiniSearch.loadJSON(index, { fields, storeFields: ['title', 'titles'], searchOptions });

/** The first ten results, in their order: readers look no further. */
const first = (wanted: string): readonly SearchResult[] => search.search(wanted).slice(0, 10);

const isOn = (page: string, { id }: SearchResult): boolean => String(id).startsWith(`/${page}#`);

const missing = [
  ...[...new Set(commands.map(nameOf))]
    .filter(
      (phrase) => !first(phrase).some((hit) => isOn('commands', hit) && phraseIn(hit).startsWith(phrase)),
    )
    .map((phrase) => `/appliance ${phrase}`),
  ...describedOperations()
    .map(({ name: operation }) => operation)
    .filter((operation) => !first(operation).some((hit) => isOn('api', hit) && wordsOf(hit) === operation)),
];

/** Words that newcomers type, each with a page that has it. */
const asked = { '2fa': 'commands', docker: 'install', kubernetes: 'install', unblock: 'temporary-changes' };
missing.push(
  ...Object.entries(asked).flatMap(([word, page]) =>
    first(word).some((hit) => isOn(page, hit)) ? [] : [word],
  ),
);

function wordsOf({ title }: SearchResult): string {
  return String(title)
    .replaceAll('&lt;', '<')
    .replace(/<[^>]*>/g, '')
    .replaceAll('`', '')
    .trim();
}

/** `plan from history <time>` is the entry of `plan history`. */
function phraseIn(hit: SearchResult): string {
  return wordsOf(hit)
    .split(' ')
    .filter((word) => isLiteral(word) && !isParticle(word))
    .join(' ');
}

const pages = globSync('**/*.html', { cwd: dist });
const textOf = (page: string) => readFileSync(join(dist, page), 'utf8');
const empty = pages.filter((page) => textOf(page).length < 2_000);
const undrawn = pages.filter((page) => textOf(page).includes('language-mermaid'));
if (missing.length + empty.length + undrawn.length > 0) {
  process.stderr.write(
    `Not found by the search: ${missing.join(', ')}\nEmpty: ${empty.join(', ')}\nDiagrams not drawn: ${undrawn.join(', ')}\n`,
  );
  process.exitCode = 1;
} else {
  process.stdout.write(
    `${pages.length} pages; the search finds every command, every operation, and what newcomers ask for.\n`,
  );
}

import { globSync, readFileSync } from 'node:fs';
import dictionary from 'dictionary-en';
import nspell from 'nspell';
import { expect, test } from 'vitest';

/** The words of this field and of this project, one a line, in the order of the alphabet. */
const own = readFileSync('test/words.txt', 'utf8').trimEnd().split('\n');

const spell = nspell({ aff: Buffer.from(dictionary.aff), dic: Buffer.from(dictionary.dic) });
for (const word of own) spell.add(word);

const pages = globSync([
  '*.md',
  'docs/**/*.md',
  'bench/*.md',
  'packages/*/*.md',
  'site/*.md',
  '.github/**/*.md',
]);

/** Text for people: without code, addresses, names of files, and quotations of typed text. */
const prose = (text: string): string =>
  text
    .replace(/^---\n.*?\n---\n/s, '')
    .replace(/^ *```.*?^ *```/gms, '')
    .replace(/<!--.*?-->/gs, '')
    .replace(/``[^\n]*?``|`(?:[^`\n]|\n(?! *\n))*`/g, ' ')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/\S*[@#_]\S*|[\w./-]*\/[\w./-]+|[\w-]+(?:\.[a-z]\w+)+/g, ' ');

const wordsOf = (text: string): readonly string[] =>
  [...prose(text).matchAll(/\p{L}+(?:['’]\p{L}+)*/gu)].map(([word]) => word.replace('’', "'"));

const known = new Map<string, boolean>();

function isRight(word: string): boolean {
  const before = known.get(word);
  if (before !== undefined) return before;
  // Letters stand for something, capitals alone are an abbreviation, and those within a word make it a name of the code.
  const right =
    word.length < 3 ||
    /^[A-Z]+s?$|\p{Ll}\p{Lu}/u.test(word) ||
    spell.correct(word) ||
    spell.correct(word.replace(/'s$/, ''));
  known.set(word, right);
  return right;
}

test.each(pages)('%s is spelled as Americans do', (page) => {
  const wrong = [...new Set(wordsOf(readFileSync(page, 'utf8')))].filter((word) => !isRight(word));
  expect(wrong.map((word) => `Correct it, or add it to test/words.txt: ${word}`)).toEqual([]);
});

test('the project’s own words are in order, and each is used', () => {
  expect(own).toEqual([...new Set(own)].toSorted((one, other) => one.localeCompare(other, 'en')));
  const used = new Set(
    pages.flatMap((page) => wordsOf(readFileSync(page, 'utf8'))).map((word) => word.toLowerCase()),
  );
  expect(own.filter((word) => !used.has(word.toLowerCase()) && !used.has(`${word.toLowerCase()}'s`))).toEqual(
    [],
  );
});

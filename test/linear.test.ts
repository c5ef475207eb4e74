import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'rolldown/utils';
import { analyse } from 'scslre';
import { describe, expect, test } from 'vitest';

/** A regular expression as it stands in the code. */
interface Literal {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

const literals = globSync('{src,sandbox}/**/*.{ts,tsx}', {
  exclude: (name) => name.endsWith('.test.ts'),
}).flatMap((file): Literal[] => {
  const { program } = parseSync(file, readFileSync(file, 'utf8'));
  const found: Literal[] = [];
  new Visitor({
    Literal: (node) => {
      if ('regex' in node) found.push({ file, source: node.regex.pattern, flags: node.regex.flags });
    },
  }).visit(program);
  return found;
});

describe('regular expressions', () => {
  test('are found at all', () => {
    expect(literals.length).toBeGreaterThan(300);
  });

  test('take time in proportion to the text, whatever it is', () => {
    // A text can be matched in several ways, or the search begins anew at every letter: both take quadratic time.
    const slow = literals.filter(({ source, flags }) => analyse({ source, flags }).reports.length > 0);
    expect(slow.map(({ file, source, flags }) => `${file}: /${source}/${flags}`)).toEqual([]);
  });
});

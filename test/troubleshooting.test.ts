import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { explain } from '../src/action/wording/faults.ts';
import { plainText } from '../src/handlers/reply.ts';
import { everyFault } from './faults.ts';

/** Everything that the bot can say, with `…` where it puts something in; and, for keys before a sentence, what they are. */
const source = [
  ...everyFault.map((fault) => plainText(explain(fault).headline)),
  ...globSync('{src,bin}/**/*.{ts,js}', { exclude: (name) => name.endsWith('.test.ts') }).map((file) =>
    readFileSync(file, 'utf8'),
  ),
].join('\n');

const page = readFileSync('docs/troubleshooting.md', 'utf8');
const quoted = [...page.matchAll(/“([^”]+)”/g)].map(([, sentence = '']) => sentence);

/** The fixed parts between the values of a sentence; shorter parts would match anything. */
const fixedParts = (sentence: string): readonly string[] =>
  sentence
    .split('…')
    .flatMap((part) => part.split(/: (?=the journal’s)|(?<=^APPLIANCE_BOT_DATA) /))
    .map((part) => part.trim())
    .filter((part) => part.length > 5);

test('docs/troubleshooting.md has sentences of the bot', () => expect(quoted.length).toBeGreaterThan(25));

test.each(quoted)('docs/troubleshooting.md quotes a sentence of the bot: %s', (sentence) => {
  const parts = fixedParts(sentence);
  expect(parts).not.toEqual([]);
  expect(parts.filter((part) => !source.includes(part))).toEqual([]);
});

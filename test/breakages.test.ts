import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { broken } from './breakages/apply.ts';
import { breakages } from './breakages/breakages.ts';

test('every breakage still fits the source, once, and its tests still exist', () => {
  const wrong = breakages.flatMap(({ name, edits, seenBy }) => {
    const texts = new Map<string, string>();
    const misfits = edits.flatMap((edit) => {
      try {
        texts.set(edit.file, broken(texts.get(edit.file) ?? readFileSync(edit.file, 'utf8'), edit));
        return [];
      } catch (error) {
        return [`${name}: point the edit to where this is now. ${error}`];
      }
    });
    const missing = seenBy.filter(
      ({ file, test: words }) => !existsSync(file) || !readFileSync(file, 'utf8').includes(words),
    );
    return [
      ...misfits,
      ...missing.map(({ file, test: words }) => `${name}: no test in ${file} says: ${words}`),
    ];
  });
  expect(wrong).toEqual([]);
});

test('every breakage is seen by the whole bot, and none is there twice', () => {
  for (const { name, seenBy } of breakages) {
    expect(seenBy, name).not.toEqual([]);
    // The tests beside the source know its inside, which is written anew.
    for (const { file } of seenBy) expect(file).toMatch(/^test\//);
  }
  const names = breakages.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

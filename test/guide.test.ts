import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { play } from './guide/play.ts';
import { storiesIn } from './guide/story.ts';

/** The stories that the pages tell; `guide/story.ts` says how one is written. */
const folder = new URL('../docs/', import.meta.url);
const stories = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => storiesIn(`docs/${name}`, readFileSync(new URL(name, folder), 'utf8')));

test('the guide to temporary changes tells stories', () =>
  expect(stories.map(({ page }) => page)).toContain('docs/temporary-changes.md'));

test.each(stories.map((story) => [story.page, story.heading, story.line, story] as const))(
  'the story of %s under “%s”, line %i, happens',
  (_, __, ___, story) => play(story),
);

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { anchorOf } from '../site/anchors.ts';

const pages = ['*.md', 'docs/**/*.md', 'bench/*.md', 'packages/*/*.md'].flatMap((pattern) =>
  globSync(pattern),
);

const anchorsIn = (page: string): readonly string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

test.each(pages)('every link of %s within the repository leads to a file, and to a heading in it', (page) => {
  const text = readFileSync(page, 'utf8').replace(/^```.*?^```/gms, '');
  const dead = [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    const isThere = existsSync(target) && (anchor === undefined || anchorsIn(target).includes(anchor));
    return isThere ? [] : [link];
  });
  expect(dead).toEqual([]);
});

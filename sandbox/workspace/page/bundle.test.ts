import { expect, test } from 'vitest';
import { pageAssets } from './bundle.ts';

const assets = pageAssets();
const text = async (path: string) => String((await assets(path))?.body);

test('the page is one document with one script and one sheet, all served from here', async () => {
  const html = await text('/');
  const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]);
  expect(named).toEqual(['/favicon.svg', '/assets/app.css', '/assets/app.js']);
  for (const path of named) expect(await assets(path ?? '')).toBeDefined();
  expect((await assets('/assets/app.js'))?.type).toMatch(/^text\/javascript/);
});

test('the script is a production build that a policy without eval can run', async () => {
  const script = await text('/assets/app.js');
  expect(script).not.toMatch(/process\.env/);
  expect(script).not.toMatch(/\bnew Function\b|\beval\(/);
});

test('the sheet loads nothing, and the renderer gives way to our rules', async () => {
  const sheet = await text('/assets/app.css');
  expect(sheet).not.toMatch(/@import|url\(\s*["']?(?!data:)/);
  expect(sheet.indexOf('@layer base, renderer;')).toBe(0);
});

test('a path that is not the page is not served', async () => {
  for (const path of ['/assets/../bundle.ts', '/bundle.ts', '/constructor', '/index.html'])
    expect(await assets(path)).toBeUndefined();
});

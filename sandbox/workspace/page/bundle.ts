/// <reference types="node" />
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { type PageFileName, pageFiles } from './files.ts';

/** A file of the page, ready to be sent. `type` is the whole Content-Type. */
export interface PageAsset {
  readonly type: string;
  readonly body: Buffer | string;
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const sheets = [
  'base.css',
  'layout.css',
  'message.css',
  'elements.css',
  'blocks.css',
  'files.css',
  'data.css',
  'panel.css',
];

/** An anchor on the sidebar's colour, so that the tab is recognisable without a file of its own. */
const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#12303b"/><g fill="none" stroke="#f4b860" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"><circle cx="16" cy="8.6" r="2.6"/><path d="M16 11.2V26M11 14.6h10M6.5 18.5c.6 4.6 4.4 7.5 9.500 7.500s8.900-2.900 9.500-7.500"/></g></svg>`;

/** The entry file of the page; `alone.tsx` is the page of a workspace with nothing beside it. */
type Entry = 'main.tsx' | 'alone.tsx';

/** The page's script, and the absolute paths of its sources. */
export async function pageScript(
  entry: Entry,
): Promise<{ readonly code: string; readonly modules: readonly string[] }> {
  const bundle = await rolldown({
    input: here(entry),
    platform: 'browser',
    transform: { jsx: 'react-jsx', define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'silent',
  });
  try {
    const { output } = await bundle.generate({ format: 'iife', minify: true, codeSplitting: false });
    return { code: output[0].code, modules: output[0].moduleIds };
  } finally {
    await bundle.close();
  }
}

/** The block renderer's sheet goes into a layer: its resets and IDs give way to ours, whatever their weight. */
async function sheet(): Promise<string> {
  const renderer = createRequire(import.meta.url).resolve('slack-blocks-to-jsx/dist/style.css');
  const ours = await Promise.all(sheets.map((name) => readFile(here(`styles/${name}`), 'utf8')));
  const layer = `@layer renderer {\n${await readFile(renderer, 'utf8')}\n}`;
  return ['@layer base, renderer;', ...ours, layer].join('\n');
}

/**
 * The page's files, by path (`pageFiles`). Any other path answers undefined. Each file is made at its first request, in memory,
 * and kept; when making one fails, the request is rejected and the next request tries again. The page needs no more than the
 * policy `script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'`.
 */
export function pageAssets(entry: Entry = 'main.tsx'): (path: string) => Promise<PageAsset | undefined> {
  const makers: Readonly<Record<PageFileName, () => Promise<Buffer | string>>> = {
    'index.html': () => readFile(here('index.html'), 'utf8'),
    'app.js': async () => (await pageScript(entry)).code,
    'app.css': sheet,
    'favicon.svg': async () => favicon,
  };
  const made = new Map<PageFileName, Promise<Buffer | string>>();
  return async (path) => {
    const file = Object.hasOwn(pageFiles, path) ? pageFiles[path] : undefined;
    if (!file) return undefined;
    const body = made.get(file.name) ?? makers[file.name]();
    made.set(file.name, body);
    body.catch(() => made.delete(file.name));
    return { type: file.type, body: await body };
  };
}

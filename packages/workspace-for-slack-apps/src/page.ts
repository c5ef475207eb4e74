import { readFile } from 'node:fs/promises';
import { pageFiles } from '../../../sandbox/workspace/page/files.ts';
import type { Page } from '../../../sandbox/workspace/sandbox-routes.ts';

/** The page as the package's build has written it beside this file. */
export const page: Page = async (path) => {
  const file = Object.hasOwn(pageFiles, path) ? pageFiles[path] : undefined;
  if (file === undefined) return undefined;
  return { type: file.type, body: await readFile(new URL(`page/${file.name}`, import.meta.url)) };
};

import { pageAssets, pageScript } from '../../sandbox/workspace/page/bundle.ts';
import { pageFiles } from '../../sandbox/workspace/page/files.ts';
import { packagesOf } from '../bundled-packages.ts';
import { licencesOf } from '../licences.ts';

/** The page of a workspace, bundled, so that users of the package need no bundler, and no React. */
export async function workspacePage(): Promise<Readonly<Record<string, Buffer | string>>> {
  const { code, modules } = await pageScript('alone.tsx');
  const asset = pageAssets('alone.tsx');
  const others = Object.entries(pageFiles).filter(([, { name }]) => name !== 'app.js');
  const files = others.map(async ([path, { name }]) => {
    const made = await asset(path);
    if (made === undefined) throw new Error(`The page has no ${path}.`);
    return [`page/${name}`, made.body] as const;
  });
  return {
    ...Object.fromEntries(await Promise.all(files)),
    'page/app.js': code,
    'page/licenses.txt': licencesOf(packagesOf(modules), 'The page'),
  };
}

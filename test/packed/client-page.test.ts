import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulatedAppliance } from '../../sandbox/appliance/index.ts';
import { type Project, projectWith, repository } from './project.ts';

const page = readFileSync(join(repository, 'docs/client.md'), 'utf8');
const recipes = [
  ...page.matchAll(/^## (\d+\. .+)\n[\s\S]*?^```ts\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```$/gm),
].map(([, title = '', code = '', prints = '']) => ({ title, code, prints }));
let project: Project;

beforeAll(async () => {
  project = await projectWith('appliance-client');
  for (const [index, { code }] of recipes.entries()) {
    writeFileSync(join(project.folder, `recipe-${index + 1}.ts`), code);
  }
}, 120_000);

afterAll(() => project?.remove());

describe('docs/client.md', () => {
  test('has ten recipes', () => {
    expect(recipes.map(({ title }) => Number.parseInt(title, 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(page.match(/^## \d+\. /gm)).toHaveLength(10);
  });

  test.each(recipes.map((recipe, index) => ({ ...recipe, file: `recipe-${index + 1}.ts` })))(
    '$title',
    async ({ file, prints }) => {
      await using simulated = await appliance();
      const environment = { ...process.env, APPLIANCE_URL: simulated.url, APPLIANCE_KEY: 'web-api-key' };
      const { stdout } = await project.node(['--disable-warning=ExperimentalWarning', file], environment);
      expect(stdout).toBe(prints);
    },
  );

  test('is right about its types', async () => {
    const files = recipes.map((_, index) => `recipe-${index + 1}.ts`);
    expect(await project.mistakesIn(files, '--skipLibCheck')).toEqual([]);
  });

  test('explains every setting', () => {
    const types = readFileSync(join(project.installed('appliance-client'), 'dist/index.d.ts'), 'utf8');
    const declared = [
      ...types.matchAll(/^export interface Appliance(?:Settings|Addresses) [^{]*\{\n([\s\S]*?)^\}/gm),
    ];
    const names = declared.flatMap(([, body = '']) =>
      [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name),
    );
    expect(names.length).toBeGreaterThan(20);
    const told = page.slice(page.indexOf('\n## Settings\n'));
    expect(names.filter((name) => !new RegExp(`^\\|[^|]*\`${name}\``, 'm').test(told))).toEqual([]);
  });
});

async function appliance() {
  const simulated = await startSimulatedAppliance({ key: 'web-api-key' });
  return { url: simulated.url, [Symbol.asyncDispose]: () => simulated.close() };
}

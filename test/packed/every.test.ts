import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import rootManifest from '../../package.json' with { type: 'json' };
import { isPackageName, type PackageName, packages } from '../../tools/packages/packages.ts';
import { type Project, packed, projectWith, repository } from './project.ts';

const run = promisify(execFile);
const bin = (name: string) => join(repository, 'node_modules/.bin', name);
const names = Object.keys(packages).filter(isPackageName);
let project: Project;

beforeAll(async () => {
  project = await projectWith(...names);
}, 120_000);

afterAll(() => project?.remove());

const evaluated = (code: string, ...before: string[]) =>
  project.node([...before, '--input-type=module', '--eval', code]);

/** Each with all that comes with it. */
const brings: Readonly<Record<PackageName, readonly string[]>> = {
  'appliance-client': [
    'bottleneck',
    'buffer-crc32',
    'fastest-levenshtein',
    'pend',
    'undici',
    'yauzl',
    'yazl',
    'zod',
  ],
  'simulated-appliance': ['@fastify/busboy', 'fastest-levenshtein'],
  'workspace-for-slack-apps': [
    'ajv',
    'fast-deep-equal',
    'fast-uri',
    'fastest-levenshtein',
    'json-schema-traverse',
    'require-from-string',
    'ws',
    'yaml',
    'zod',
  ],
};

describe.each(names)('%s', (name) => {
  const typesOfPackage = () => readFileSync(join(project.installed(name), 'dist/index.d.ts'), 'utf8');

  test('says in one sentence that a Node is too old for it', async () => {
    const older = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})";
    const asked = evaluated(`await import('${name}')`, '--import', older);
    await expect(asked).rejects.toMatchObject({
      stderr: expect.stringContaining(
        `Error: ${name} needs Node 22.19 or later, and this is Node 20.20.2.\n`,
      ),
    });
  });

  test('exports what its types declare, and no internals', async () => {
    const { stdout } = await evaluated(`console.log(Object.keys(await import('${name}')).join(' '))`);
    const types = typesOfPackage();
    const declared = [...types.matchAll(/^export declare (?:abstract )?(?:class|function|const) (\w+)/gm)];
    expect(stdout.trim().split(' ')).toEqual(declared.map(([, one]) => one).toSorted());
    expect(types).not.toMatch(/import\(|§/);
    const inside = evaluated(`await import('${name}/dist/exports.js')`);
    await expect(inside).rejects.toMatchObject({
      stderr: expect.stringContaining('ERR_PACKAGE_PATH_NOT_EXPORTED'),
    });
  });

  test('has types that compile where libraries are checked, too', async () => {
    const file = `${name}.ts`;
    writeFileSync(join(project.folder, file), `export * from '${name}';\n`);
    expect(await project.mistakesIn([file])).toEqual([]);
  });

  test('brings the packages that it needs, and no others', () => {
    const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
    const locked: Readonly<Record<string, { readonly dependencies?: Readonly<Record<string, string>> }>> =
      lock.packages;
    const brought = new Set<string>();
    const bring = (place: string) => {
      for (const one of Object.keys(locked[place]?.dependencies ?? {})) {
        if (brought.has(one)) continue;
        brought.add(one);
        bring(`node_modules/${one}`);
      }
    };
    bring(`packages/${name}`);
    expect([...brought].toSorted()).toEqual(brings[name]);
    const code = globSync('*.js', { cwd: join(project.installed(name), 'dist') })
      .map((file) => readFileSync(join(project.installed(name), 'dist', file), 'utf8'))
      .join('\n');
    // A file beside the bundle, or a module of Node, begins with something else.
    const imported = [
      ...code.matchAll(/^(?:import|export) [^;]*?"((?:@[\w-]+\/)?[\w-]+)(?:\/[\w./-]+)?";$/gm),
      ...code.matchAll(/\bimport\("((?:@[\w-]+\/)?[\w-]+)"\)/g),
    ];
    expect([...new Set(imported.map(([, one]) => one))].toSorted()).toEqual(
      Object.keys(locked[`packages/${name}`]?.dependencies ?? {}),
    );
  });

  test('has the version and the licence of the repository, and its declared content', async () => {
    const manifest = JSON.parse(readFileSync(join(project.installed(name), 'package.json'), 'utf8'));
    const { version, license, engines } = rootManifest;
    expect(manifest).toMatchObject({ name, version, license, engines, type: 'module', sideEffects: false });
    const licence = readFileSync(join(project.installed(name), 'LICENSE'), 'utf8');
    expect(licence).toBe(readFileSync(join(repository, 'LICENSE'), 'utf8'));
    const { stdout } = await run('tar', ['-tzf', await packed(name)]);
    const files = stdout
      .trim()
      .split('\n')
      .filter((path) => !/^package\/(bin|dist)\//.test(path));
    expect(files.toSorted()).toEqual(['package/LICENSE', 'package/README.md', 'package/package.json']);
  });

  test('passes the checkers of packages and types', async () => {
    const tarball = await packed(name);
    await run(bin('publint'), ['run', tarball, '--strict']);
    await run(bin('attw'), [tarball, '--profile', 'esm-only', '--no-emoji', '--no-color']);
  });
});

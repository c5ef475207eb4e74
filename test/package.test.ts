import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SimulatedAppliance, startSimulatedAppliance } from '../sandbox/appliance/index.ts';
import { type ClientProject, clientProject, repository } from './client-project.ts';

const run = promisify(execFile);
const bin = (name: string) => join(repository, 'node_modules/.bin', name);
let simulated: SimulatedAppliance;
let project: ClientProject;

beforeAll(async () => {
  simulated = await startSimulatedAppliance({ key: 'web-api-key' });
  project = await clientProject();
}, 120_000);

afterAll(async () => {
  await simulated?.stop();
  project?.remove();
});

const typesOfPackage = () => readFileSync(join(project.installed, 'dist/index.d.ts'), 'utf8');
const evaluated = (code: string, ...before: string[]) =>
  project.node([...before, '--input-type=module', '--eval', code]);

const program = `
import { connectAppliance } from 'appliance-client';

const appliance = connectAppliance({ name: 'lab', url: process.argv[2] ?? '', key: 'web-api-key' });
const sessions = await appliance.rdp.listSessions();
await appliance.rdp.disconnectSession({ id: 12 });
const { categories } = await appliance.categories.query({ domain: 'example.com' });
process.stdout.write(JSON.stringify({ before: sessions.length, categories: categories.map(({ name }) => name) }));
await appliance.close();
`;

describe('the packed client', () => {
  test('makes its calls from another project', async () => {
    writeFileSync(join(project.folder, 'program.js'), program);
    const { stdout } = await project.node(['program.js', simulated.url]);
    expect(JSON.parse(stdout)).toEqual({ before: 15, categories: ['shopping'] });
    expect(simulated.state.rdp.sessions.has(12)).toBe(false);
  });

  test('says in one sentence that a Node is too old for it', async () => {
    const older = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})";
    const asked = evaluated("await import('appliance-client')", '--import', older);
    await expect(asked).rejects.toMatchObject({
      stderr: expect.stringContaining(
        'Error: appliance-client needs Node 22.19 or later, and this is Node 20.20.2. Nothing was sent.',
      ),
    });
  });

  test('exports what programs need, and nothing of its inside', async () => {
    const { stdout } = await evaluated(
      "console.log(Object.keys(await import('appliance-client')).join(' '))",
    );
    const types = typesOfPackage();
    const declared = [...types.matchAll(/^export declare (?:abstract )?(?:class|function) (\w+)/gm)];
    expect(stdout.trim().split(' ')).toEqual(declared.map(([, name]) => name).toSorted());
    expect(stdout).toMatch(/^Aborted .* connectAppliance isApplianceFailure$/m);
    expect(types).not.toMatch(/\b(Endpoint|Bound|Call|Combined|Shape|ReplyReader|ZodType)\b|import\(|§/);
    const inside = evaluated("await import('appliance-client/dist/exports.js')");
    await expect(inside).rejects.toMatchObject({
      stderr: expect.stringContaining('ERR_PACKAGE_PATH_NOT_EXPORTED'),
    });
  });

  test('brings eight packages with it, and no Node', () => {
    const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
    const packages: Readonly<Record<string, { readonly dependencies?: Readonly<Record<string, string>> }>> =
      lock.packages;
    const brought = new Set<string>();
    const bring = (place: string) => {
      for (const name of Object.keys(packages[place]?.dependencies ?? {})) {
        if (brought.has(name)) continue;
        brought.add(name);
        bring(`node_modules/${name}`);
      }
    };
    bring('packages/appliance-client');
    expect([...brought].toSorted()).toEqual([
      'bottleneck',
      'buffer-crc32',
      'fastest-levenshtein',
      'pend',
      'undici',
      'yauzl',
      'yazl',
      'zod',
    ]);
  });

  test('passes what judges packages and their types', async () => {
    await run(bin('publint'), ['run', project.tarball, '--strict']);
    await run(bin('attw'), [project.tarball, '--profile', 'esm-only', '--no-emoji', '--no-color']);
  });
});

describe('its types', () => {
  test('let a right call compile and a wrong one not', async () => {
    const calls = {
      'right.ts': '(await appliance.rdp.listSessions()).map(({ id, user }) => [id.toFixed(), user?.trim()])',
      'wrong-value.ts': "appliance.rdp.disconnectSession({ id: 'twelve' })",
      'wrong-name.ts': 'appliance.rdp.disconectSession({ id: 12 })',
    };
    for (const [file, call] of Object.entries(calls)) {
      writeFileSync(
        join(project.folder, file),
        `import type { Appliance } from 'appliance-client';\nexport const result = async (appliance: Appliance) => ${call};\n`,
      );
    }
    // Without `skipLibCheck`: whoever has it off reads the types themselves, too.
    expect(await project.mistakesIn(Object.keys(calls))).toEqual([
      expect.stringMatching(/^wrong-name\.ts.*disconnectSession/),
      expect.stringMatching(/^wrong-value\.ts.*TS2322/),
    ]);
  });

  test('are those that the compiler has of the source, both ways', async () => {
    const names = ['Appliance', 'AskedAppliance', 'ApplianceSettings', 'ApplianceFailure', 'OperationName'];
    const source = join(repository, 'src/api/index.ts');
    writeFileSync(
      join(project.folder, 'same.ts'),
      [
        `import type * as built from 'appliance-client';\nimport type * as source from '${source}';`,
        ...names.map(
          (name) =>
            `export const ${name}ThatIsSource = (one: built.${name}): source.${name} => one;\n` +
            `export const ${name}ThatIsBuilt = (one: source.${name}): built.${name} => one;`,
        ),
      ].join('\n'),
    );
    const asSource = ['--allowImportingTsExtensions', '--exactOptionalPropertyTypes', '--skipLibCheck'];
    expect(await project.mistakesIn(['same.ts'], ...asSource, '--lib', 'es2024,es2025.collection')).toEqual(
      [],
    );
  });

  test('say above every call what it does, and above every argument what it is', () => {
    const types = typesOfPackage();
    const calls = [...types.matchAll(/^( {3}\*\/\n)? {2}(\w+)\(.*options\?: CallOptions\): Promise</gm)];
    expect(calls.length).toBe(158);
    expect(calls.filter(([, comment]) => comment === undefined)).toEqual([]);
    expect(types).toContain(`  /**
   * Disconnects a session.`);
    expect(types).toContain(`export interface RdpDisconnectSessionArguments {
  /** The ID of the session, as`);
  });
});

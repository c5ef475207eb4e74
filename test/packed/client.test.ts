import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SimulatedAppliance, startSimulatedAppliance } from '../../sandbox/appliance/index.ts';
import { type Project, projectWith, repository } from './project.ts';

let simulated: SimulatedAppliance;
let project: Project;

beforeAll(async () => {
  simulated = await startSimulatedAppliance({ key: 'web-api-key' });
  project = await projectWith('appliance-client');
}, 120_000);

afterAll(async () => {
  await simulated?.close();
  project?.remove();
});

const typesOfPackage = () =>
  readFileSync(join(project.installed('appliance-client'), 'dist/index.d.ts'), 'utf8');

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
});

describe('the types of the packed client', () => {
  test('name no internals', () => {
    expect(typesOfPackage()).not.toMatch(/\b(Endpoint|Bound|Call|Combined|Shape|ReplyReader|ZodType)\b/);
  });

  test('let a right call compile and a wrong one not', async () => {
    const calls = {
      'right.ts': '(await appliance.rdp.listSessions()).map(({ id, user }) => [id.toFixed(), user?.trim()])',
      'right-maybe.ts': 'appliance.rdp.listSessions({ signal: [AbortSignal.timeout(1)][1] })',
      'wrong-value.ts': "appliance.rdp.disconnectSession({ id: 'twelve' })",
      'wrong-name.ts': 'appliance.rdp.disconectSession({ id: 12 })',
    };
    for (const [file, call] of Object.entries(calls)) {
      writeFileSync(
        join(project.folder, file),
        `import type { Appliance } from 'appliance-client';\nexport const result = async (appliance: Appliance) => ${call};\n`,
      );
    }
    // Without `skipLibCheck`: strict users compile the declarations, too.
    const strictest = ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
    expect(await project.mistakesIn(Object.keys(calls), ...strictest)).toEqual([
      expect.stringMatching(/^wrong-name\.ts.*disconnectSession/),
      expect.stringMatching(/^wrong-value\.ts.*TS2322/),
    ]);
  });

  test('equal the compiler’s types of the source, both ways', async () => {
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

  test('describe every call, and every argument', () => {
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

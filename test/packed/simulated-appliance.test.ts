import { spawn } from 'node:child_process';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type * as source from '../../packages/simulated-appliance/src/index.ts';
import { machine } from '../../sandbox/machine.ts';
import { type Project, projectWith, repository } from './project.ts';

const name = 'simulated-appliance';
let project: Project;
let packed: typeof source;

/** A project with the package, the client, and the example of somebody else's app. */
beforeAll(async () => {
  project = await projectWith(name, 'appliance-client');
  cpSync(join(repository, 'packages', name, 'example'), project.folder, { recursive: true });
  packed = await import(pathToFileURL(join(project.installed(name), 'dist/index.js')).href);
}, 120_000);

afterAll(() => project?.remove());

const asTyped = ['--allowImportingTsExtensions', '--skipLibCheck', '--erasableSyntaxOnly'];
const mistakes = async (file: string, code: string) => {
  writeFileSync(join(project.folder, file), code);
  return project.mistakesIn([file], ...asTyped);
};

describe('somebody else’s app', () => {
  test('and its test compile against the packed types', async () => {
    const files = ['long-sessions.ts', 'long-sessions.test.ts'];
    expect(await project.mistakesIn(files, ...asTyped)).toEqual([]);
  });

  test('passes its test on the packed appliance', async () => {
    const { stdout } = await project.node(['--test', '--test-reporter', 'tap', 'long-sessions.test.ts']);
    expect(stdout).toMatch(/^# pass 11$/m);
    expect(stdout).toMatch(/^# fail 0$/m);
  });

  test('does what the README shows, which compiles and runs as it stands', async () => {
    const readme = readFileSync(join(project.installed(name), 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
    expect(blocks).toHaveLength(5);
    expect(await mistakes('readme.ts', blocks.join('\n'))).toEqual([]);
    await project.node(['readme.ts']);
  });

  test('may use the packed client, which trusts the certificate and says what is wrong', async () => {
    writeFileSync(
      join(project.folder, 'with-client.ts'),
      `import { connectAppliance, isApplianceFailure } from 'appliance-client';
import { fieldFaults, startSimulatedAppliance } from 'simulated-appliance';

await using simulated = await startSimulatedAppliance({ https: true, key: 'web-api-key' });
const connect = (key: string, ca = simulated.certificate) =>
  connectAppliance({ name: 'lab', url: simulated.url, key, ...(ca && { tls: { ca } }) });
const told: string[] = [];
const tell = (call: Promise<unknown>) =>
  call.then(
    () => told.push('done'),
    (error) => told.push(isApplianceFailure(error) ? \`\${error.code} \${error.mayHaveHappened}\` : String(error)),
  );

const appliance = connect('web-api-key');
await tell(appliance.rdp.disconnectSession({ id: 12 }));
await tell(connect('another-key').rdp.disconnectSession({ id: 14 }));
await tell(connect('web-api-key', '').rdp.disconnectSession({ id: 14 }));
simulated.faults.set('POST /rdpproxy/sessions/{id}/disconnect', fieldFaults.cut);
await tell(appliance.rdp.disconnectSession({ id: 14 }));
simulated.faults.set('POST /rdpproxy/sessions/{id}/disconnect', fieldFaults.refusal);
await tell(appliance.rdp.disconnectSession({ id: 15 }));
simulated.turn({ licence: 'expired' });
await tell(appliance.directory.enableEmergency());
console.log(told.join(', '));
`,
    );
    expect(await project.mistakesIn(['with-client.ts'], ...asTyped)).toEqual([]);
    const { stdout } = await project.node(['with-client.ts']);
    expect(stdout.trim().split(', ')).toEqual([
      'done',
      'http_status false',
      'unreachable false',
      'connection_lost true',
      'not_served false',
      'refused false',
    ]);
  });
});

async function started(settings: source.SimulatedApplianceSettings = {}) {
  const appliance = await packed.startSimulatedAppliance(settings);
  onTestFinished(() => appliance.close());
  const get = async (path: string) => {
    const response = await fetch(appliance.url + path);
    return { status: response.status, text: await response.text() };
  };
  return { appliance, get };
}

describe('a mistake', () => {
  test.each<[settings: object, problem: string]>([
    [{ prot: 9503 }, 'A simulated appliance has no setting prot. Did you mean port?'],
    [{ generations: 'field-v1' }, 'Did you mean generation?'],
    [{ generation: 'feild-v1' }, 'generation is document or field-v1 or field-strict.'],
  ])('in a setting is corrected by name: %j', async (settings, problem) => {
    await expect(packed.startSimulatedAppliance(settings)).rejects.toThrow(problem);
  });

  test('in an operation, a fault or a switch is, too', async () => {
    const { appliance } = await started();
    // As somebody gives them who has no types.
    const { faults, turn } = appliance as unknown as Record<
      'faults',
      Record<'set', (...given: unknown[]) => void>
    > & {
      turn: (wanted: object) => void;
    };
    expect(() => faults.set('GET /category/list', { kind: 'hang' })).toThrow(
      'did you mean GET /categories/list?',
    );
    expect(() => faults.set('GET /categories/list', { kind: 'slow', wait: 5 })).toThrow(
      'slow has no wait; it takes ms, times, happens.',
    );
    expect(() => turn({ license: 'expired' })).toThrow('There is no switch license; there are');
  });

  test('does not compile', async () => {
    const slips = [
      'await startSimulatedAppliance({ prot: 1 });',
      "await startSimulatedAppliance({ licence: 'gone' });",
      "appliance.faults.set('GET /category/list', { kind: 'hang' });",
      "appliance.faults.set('GET /categories/list', { kind: 'slow', wait: 5 });",
      "appliance.faults.set('GET /categories/list', { kind: 'forget', happens: true });",
      "appliance.turn({ license: 'expired' });",
    ];
    const code = `import { startSimulatedAppliance } from '${name}';\nconst appliance = await startSimulatedAppliance();\n`;
    const lines = (await mistakes('slips.ts', `${code}${slips.join('\n')}\n`)).map((one) =>
      Number(/\((\d+),/.exec(one)?.[1]),
    );
    expect(lines).toEqual(slips.map((_, index) => index + 3));
  });
});

describe('a call without its key, and one that needs none, are answered in the manner of', () => {
  test.each([
    ['document', '{"Status":true,"Error"', 'Forbidden\n'],
    ['field-v1', '{"status":true,"info"', 'Forbidden\n'],
    ['field-strict', 'Forbidden\n', 'Forbidden\n'],
  ] as const)('%s', async (generation, categories, sessions) => {
    const { get } = await started({ generation, key: 'web-api-key' });
    expect((await get('/categories/list')).text.slice(0, categories.length)).toBe(categories);
    const refused = await get('/rdpproxy/sessions');
    expect(refused.status).toBe(403);
    expect(refused.text.slice(0, sessions.length)).toBe(sessions);
  });
});

test('the types of the simulated appliance equal the source’s, and are written for readers', async () => {
  const names = ['Fault', 'ReceivedRequest', 'SimulatedApplianceSettings'];
  const from = join(repository, 'packages', name, 'src/index.ts');
  const code = [
    `import type * as built from '${name}';\nimport type * as source from '${from}';`,
    ...names.map((one) => `export const ${one}Built = (one: built.${one}): source.${one} => one;`),
    'export const fault = (one: source.Fault): built.Fault => one;',
    'export const settings = (one: source.SimulatedApplianceSettings): built.SimulatedApplianceSettings => one;',
    "export const stateBuilt = (one: built.State): source.SimulatedAppliance['state'] => one;",
    "export const state = (one: source.SimulatedAppliance['state']): built.State => one;",
  ].join('\n');
  writeFileSync(join(project.folder, 'same.ts'), code);
  const asSource = ['--exactOptionalPropertyTypes', '--lib', 'es2024,es2025.collection,esnext.disposable'];
  expect(await project.mistakesIn(['same.ts'], ...asTyped, ...asSource)).toEqual([]);
});

test('the README of the simulated appliance names every kind of fault, and the right number of operations', async () => {
  const readme = readFileSync(join(project.installed(name), 'README.md'), 'utf8');
  const types = readFileSync(join(project.installed(name), 'dist/index.d.ts'), 'utf8');
  const kinds = [...types.matchAll(/^ {4}readonly kind: '(\w+)';$/gm)].map(([, kind]) => kind);
  expect(kinds.length).toBeGreaterThan(15);
  expect(kinds.filter((kind) => !readme.includes(`\`${kind}\``))).toEqual([]);
  const { appliance } = await started();
  expect(readme).toContain(`It answers ${appliance.operations.length} operations`);
});

test('the package describes every kind of fault and every switch', async () => {
  const types = readFileSync(join(project.installed(name), 'dist/index.d.ts'), 'utf8');
  expect(
    types,
  ).toContain(`    /** The connection breaks in the middle of the answer. The order is carried out. */
    readonly kind: 'reset';`);
  expect(types).toContain("  | 'POST /rdpproxy/sessions/{id}/disconnect'\n");
  const [, switches = ''] = /^export interface Switches \{\n([\s\S]*?)^\}/m.exec(types) ?? [];
  const { appliance } = await started();
  expect(switches.match(/^ {2}\/\*\* .* \*\/\n {2}readonly \w+: /gm)).toHaveLength(
    appliance.switches().length,
  );
});

test('the package has nothing of the bot', () => {
  for (const file of globSync('{bin,dist}/**/*', { cwd: project.installed(name), withFileTypes: true })) {
    if (!file.isFile()) continue;
    const text = readFileSync(join(file.parentPath, file.name), 'utf8');
    expect(text, file.name).not.toMatch(/slack(?!\.com)|npm run|appliance-bot/i);
  }
});

describe('the command line of the simulated appliance', () => {
  const program = () => join(project.installed(name), 'bin/simulated-appliance.js');

  test('starts one and prints its addresses', async () => {
    const child = spawn(process.execPath, [program(), '--port', '0', '--licence', 'expired'], {
      env: machine(),
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    await expect.poll(() => said).toContain('Ctrl+C');
    const [url] = said.match(/http:\/\/127\.0\.0\.1:\d+(?=\s)/) ?? [];
    expect(await (await fetch(`${url}/appliance_version`)).json()).toMatchObject({ status: false });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });

  test('suggests the right option', async () => {
    await expect(project.node([program(), '--prot', '1'])).rejects.toMatchObject({
      code: 2,
      stderr: "Unknown option '--prot'; did you mean --port?\n",
    });
  });
});

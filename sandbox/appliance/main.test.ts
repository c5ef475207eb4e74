import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { machine } from '../machine.ts';
import { NotPossible, readSettings } from './command-line.ts';
import { switchNames } from './switches.ts';
import { curl } from './typed-curl.ts';

/** Starts the program as a person would. */
function run(...args: readonly string[]) {
  const child = spawn(process.execPath, ['sandbox/appliance/main.ts', ...args], {
    env: machine(),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.err += chunk;
  });
  return { child, said, ended: end(child) };
}

async function end(child: ChildProcess): Promise<unknown> {
  const [code, signal] = await once(child, 'close');
  return code ?? signal;
}

test.each(['document', 'field-v1', 'field-strict'])(
  'as %s it prints its addresses and lines that work, and ends at Ctrl+C',
  async (generation) => {
    const { child, said, ended } = run('--port', '0', '--key', 'sesame', '--generation', generation);
    await expect.poll(() => said.out).toContain('Ctrl+C');
    expect(said.out).not.toContain('sesame');
    const addresses = said.out.match(/http:\/\/127\.0\.0\.1:\d+(?=\s)/g) ?? [];
    expect(new Set(addresses).size).toBe(5);
    const lines = said.out.split('\n').filter((line) => line.trim().startsWith('curl '));
    expect(lines).toHaveLength(5);
    for (const line of lines) {
      const response = await curl(line.replace('KEY', 'sesame'));
      expect({ line, status: response.status }).toEqual({ line, status: 200 });
      expect(await response.json()).not.toMatchObject({ Status: false });
    }
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(said.err).toBe('');
  },
);

test('the appliance answers as the requested generation', async () => {
  const { said } = run('--port', '0', '--generation', 'field-v1');
  await expect.poll(() => said.out).toContain('Ctrl+C');
  const [url] = said.out.match(/http:\/\/127\.0\.0\.1:\d+(?=\s)/) ?? [];
  expect(await (await fetch(`${url}/ntlm_connect`)).json()).toEqual({});
});

test('the ports are the requested ones, and a taken one is named in one sentence', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  // A listening TCP server has an address of this shape.
  const { port } = taken.address() as AddressInfo;
  for (const option of ['--port', '--console-port']) {
    const { said, ended } = run('--port', '0', option, String(port));
    expect(await ended).toBe(2);
    expect(said).toEqual({ out: '', err: `Port ${port} is taken; --help shows how to choose another.\n` });
  }
});

test.each<[args: readonly string[], problem: string]>([
  [['--prot', '9503'], "Unknown option '--prot'; did you mean --port?"],
  [['--port', '0', '--generation', 'field'], 'generation is document or field-v1 or field-strict.'],
])('a wrong option gets one sentence and exit code 2: %s', async (args, problem) => {
  const { said, ended } = run(...args);
  expect(await ended).toBe(2);
  expect(said).toEqual({ out: '', err: `${problem}\n` });
});

test.each<[problem: string, args: readonly string[]]>([
  ["Unexpected argument 'now'; --help shows what there is.", ['now']],
  ['--port -1 is not a port number.', ['--port', '-1']],
  ['--port 70000 is not a port number.', ['--port', '70000']],
  ['--web-port 9e3 is not a port number.', ['--web-port', '9e3']],
  ['--key needs a key.', ['--key', '']],
])('a wrong option is explained in one sentence: %s', (problem, args) => {
  expect(() => readSettings(args)).toThrow(new NotPossible(problem));
});

test('--help lists every option', async () => {
  const { said, ended } = run('--help');
  expect(await ended).toBe(0);
  const ports = ['--port', '--web-port', '--directory-port', '--mirror-port', '--console-port'];
  for (const option of [...ports, '--key', '--https', '--generation', '--licence', '--proxy-mode'])
    expect(said.out).toContain(`  ${option} `);
  expect(said.out.match(/^ {2}--[\w-]+ [\w-]+\|/gm)).toHaveLength(switchNames.length);
});

test('every switch is an option', async () => {
  const { said } = run('--port', '0', '--licence', 'expired', '--category-list', 'B');
  await expect.poll(() => said.out).toContain('Ctrl+C');
  const [url] = said.out.match(/http:\/\/127\.0\.0\.1:\d+(?=\s)/) ?? [];
  expect(await (await fetch(`${url}/appliance_version`)).json()).toMatchObject({ status: false });
  expect(await (await fetch(`${url}/categories/list`)).json()).toMatchObject({ categories: { 252: {} } });
});

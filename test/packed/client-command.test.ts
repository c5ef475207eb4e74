import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inDashes, typedCalls } from '../../packages/appliance-client/src/cli/calls.ts';
import { callHelp } from '../../packages/appliance-client/src/cli/help.ts';
import { type SimulatedAppliance, startSimulatedAppliance } from '../../sandbox/appliance/index.ts';
import { machine } from '../../sandbox/machine.ts';
import { describedCombined, describedOperations } from '../../src/api/described.ts';
import { createAuthority } from '../certificates.ts';
import { startTlsFront } from '../tls-front.ts';
import { type Project, projectWith } from './project.ts';

const key = 'web-api-key-4711';
let project: Project;
let simulated: SimulatedAppliance;

beforeAll(async () => {
  project = await projectWith('appliance-client');
  simulated = await startSimulatedAppliance({ key });
}, 120_000);
afterAll(async () => {
  await simulated?.close();
  project?.remove();
});
beforeEach(() => simulated.faults.clear());

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The command as a process of its own, as npx runs it. */
async function appliance(words: readonly string[], input = '', more: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const { urls } = simulated;
  const env = {
    ...machine(),
    ...{ APPLIANCE_URL: urls.web, APPLIANCE_NAME: 'hq', APPLIANCE_KEY: key },
    ...{ APPLIANCE_DIRECTORY_URL: urls.directory, APPLIANCE_MIRROR_URL: urls.mirror },
    ...more,
  };
  const child = spawn(
    process.execPath,
    [join(project.installed('appliance-client'), 'bin/appliance.js'), ...words],
    {
      cwd: project.folder,
      env,
    },
  );
  child.stdin.end(input);
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ]);
  return { code, out, err };
}

const requests = (path: string) => simulated.requests.filter((one) => one.path.includes(path)).length;

describe('appliance', () => {
  test('prints a table, and JSON for scripts', async () => {
    const table = await appliance(['categories', 'query', 'example.com']);
    expect(table).toMatchObject({ code: 0, err: '' });
    expect(table.out).toContain('shopping');
    const sessions = await appliance(['rdp', 'list-sessions']);
    expect(sessions.out.split('\n')[0]).toMatch(/^id +user +target/);
    const json = await appliance(['rdp', 'list-sessions', '--json']);
    expect(JSON.parse(json.out)).toHaveLength(15);
  });

  test('sends a change with --yes, and without it and a terminal sends nothing', async () => {
    const asked = await appliance(['rdp', 'disconnect-session', '12']);
    expect(asked).toMatchObject({ code: 2, out: '' });
    expect(asked.err).toBe(
      'rdp disconnect-session changes hq, and without a terminal the tool can ask nobody. Nothing was sent. Add --yes to send it.\n',
    );
    expect(requests('/disconnect')).toBe(0);
    const dry = await appliance(['rdp', 'disconnect-session', '12', '--dry-run']);
    expect(dry.code).toBe(0);
    expect(dry.out).toContain('/rdpproxy/sessions/12/disconnect');
    expect(requests('/disconnect')).toBe(0);
    const sent = await appliance(['rdp', 'disconnect-session', '--id', '12', '--yes']);
    expect(sent).toMatchObject({ code: 0, err: '' });
    expect(simulated.state.rdp.sessions.has(12)).toBe(false);
  });

  test('asks the person at a terminal, and sends nothing without a yes', async () => {
    const id = [...simulated.state.rdp.sessions.keys()].at(-1) ?? 0;
    const inTerminal = (answer: string) =>
      new Promise<string>((resolve) => {
        const bin = join(project.installed('appliance-client'), 'bin/appliance.js');
        const words = [process.execPath, bin, 'rdp', 'disconnect-session', String(id)];
        const recorded =
          process.platform === 'darwin'
            ? ['-q', '/dev/null', ...words]
            : ['-qec', words.join(' '), '/dev/null'];
        const child = spawn('script', recorded, {
          env: {
            ...process.env,
            APPLIANCE_URL: simulated.urls.web,
            APPLIANCE_NAME: 'hq',
            APPLIANCE_KEY: key,
          },
        });
        let said = '';
        child.stdout.on('data', (chunk) => {
          said += chunk;
          if (said.includes('[y/N] ') && !child.stdin.writableEnded) child.stdin.end(answer);
        });
        child.once('close', (code) =>
          resolve(`${stripVTControlCharacters(said).replaceAll('\r', '')}${code}`),
        );
      });
    const no = await inTerminal('n\n');
    expect(no).toContain(
      `Disconnects a session.\nOn hq, as rdp disconnect-session (destructive):\n  id: ${id}\nSend it? [y/N]`,
    );
    expect(no).toMatch(/Nothing was sent\.\n4$/);
    // Ctrl+D, and Ctrl+C.
    expect(await inTerminal('\u0004')).toMatch(/Nothing was sent\.\n4$/);
    expect(await inTerminal('\u0003')).toMatch(/Nothing was sent\.\n4$/);
    expect(simulated.state.rdp.sessions.has(id)).toBe(true);
    expect(await inTerminal('y\n')).toMatch(/0$/);
    expect(simulated.state.rdp.sessions.has(id)).toBe(false);
  });

  test('takes no secret from the command line, but from a file, standard input or the environment', async () => {
    const refused = await appliance([
      'sqldb',
      'create-user',
      'carol',
      '%',
      '--password',
      'hush-hush-1',
      '--yes',
    ]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(
      'password is a secret, and others on this machine can read a command line.',
    );
    expect(refused.err).not.toContain('hush-hush-1');
    const byInput = ['sqldb', 'create-user', 'carol', '%', '--password-file', '-', '--yes'];
    expect(await appliance(byInput, 'hush-hush-1\n')).toMatchObject({ code: 0, err: '' });
    const byVariable = ['sqldb', 'create-user', 'dave', '%', '--password-env', 'PW', '--yes'];
    expect(await appliance(byVariable, '', { PW: 'hush-hush-2' })).toMatchObject({ code: 0, err: '' });
    const keyFile = join(project.folder, 'key');
    writeFileSync(keyFile, `${key}\n`);
    const fromFile = await appliance(['rdp', 'list-sessions'], '', {
      APPLIANCE_KEY: '',
      APPLIANCE_KEY_FILE: keyFile,
    });
    expect(fromFile.code).toBe(0);
  });

  test('trusts an appliance by an authority of its own, or by its certificate, and sends nothing to another', async () => {
    const authority = createAuthority();
    const certified = authority.certify('127.0.0.1');
    const front = await startTlsFront(simulated.urls.web, certified);
    const to = (more: NodeJS.ProcessEnv) =>
      appliance(['rdp', 'list-sessions', '--json'], '', { APPLIANCE_URL: front.url, ...more });
    expect(await to({ APPLIANCE_CA_FILE: authority.file })).toMatchObject({ code: 0, err: '' });
    const { fingerprint256 } = new X509Certificate(certified.cert);
    expect(await to({ APPLIANCE_PINS: fingerprint256 })).toMatchObject({ code: 0, err: '' });
    expect(await to({ APPLIANCE_PINS: 'ab'.repeat(32) })).toMatchObject({ code: 1, out: '' });
    expect((await to({})).err).toContain('"code": "unreachable"');
  });

  test('reads long lists from a file, and runs combined calls', async () => {
    writeFileSync(join(project.folder, 'sites'), 'a.example.net\nb.example.net\n\n');
    const many = await appliance([
      'categories',
      'add-many-sites',
      '260',
      '--sites-file',
      'sites',
      '--yes',
      '--json',
    ]);
    expect(many.err).toBe('');
    expect(JSON.parse(many.out)).toMatchObject({ accepted: 2, complete: true });
  });

  test('explains errors as the client does, and its exit code says whether to look first', async () => {
    const away = { APPLIANCE_URL: 'http://127.0.0.1:9', APPLIANCE_RELEASE: '4.50 SP5' };
    const unreachable = await appliance(['rdp', 'disconnect-session', '12', '--yes'], '', away);
    expect(unreachable).toMatchObject({ code: 1, out: '' });
    expect(unreachable.err).toBe(
      'rdp.disconnectSession: appliance unreachable (ECONNREFUSED)\nNo changes were made.\n',
    );
    simulated.faults.set('GET /rdpproxy/restart', { kind: 'reset' });
    const unknown = await appliance(['rdp', 'restart', '--yes', '--json']);
    expect(unknown.code).toBe(3);
    expect(JSON.parse(unknown.err)).toMatchObject({
      error: { operation: 'rdp.restart', mayHaveHappened: true },
    });
  });

  test('names the mistake and suggests the right word, and sends nothing', async () => {
    const before = simulated.requests.length;
    const lines: [string[], string][] = [
      [['rpd'], 'Unknown area rpd. Did you mean rdp? appliance --help lists them. Nothing was sent.\n'],
      [
        ['rdp', 'disconect-session', '12'],
        'Unknown call disconect-session. Did you mean disconnect-session? appliance rdp --help lists them. Nothing was sent.\n',
      ],
      [['rdp', 'disconnect-session', 'twelve', '--yes'], 'id must be a number.\n'],
      [
        ['rdp', 'disconnect-session', '--yes'],
        'Missing: id. The ID of the session, as `rdp list-sessions` gives it.\n',
      ],
      [['rdp', 'disconnect-session', '12', '13', '--yes'], 'Unexpected argument 13. Nothing was sent.\n'],
      [['rdp', 'list-sessions', '--jsn'], "Unknown option '--jsn'.\n"],
    ];
    for (const [words, said] of lines) {
      expect(await appliance(words)).toEqual({ code: 2, out: '', err: said });
    }
    expect(simulated.requests.length).toBe(before);
  });

  test('prints nothing from an appliance that a terminal would obey', async () => {
    simulated.faults.set('GET /rdpproxy/sessions', {
      kind: 'text',
      text: JSON.stringify({
        Status: true,
        Sessions: [{ id: 1, user: '\u001b[2J\u009b31mroot\u202e\u0007' }],
      }),
    });
    for (const words of [
      ['rdp', 'list-sessions'],
      ['rdp', 'list-sessions', '--json'],
    ]) {
      const { out } = await appliance(words);
      expect(out).toContain('root');
      expect(out).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
    }
  });

  test('has every operation and every combined call, each with its help', async () => {
    const whole = await appliance(['--help']);
    expect(whole.out).toContain('roles, approvals and audit records of\nAppliance Bot do not apply here');
    const all = [...describedOperations(), ...describedCombined()];
    for (const area of new Set(all.map((one) => one.area))) {
      expect(whole.out).toContain(`\n  ${area} `);
      const { out } = await appliance([area, '--help']);
      const own = all.filter((one) => one.area === area);
      expect(out.match(/^ {2}\S/gm)).toHaveLength(own.length);
    }
    const { out } = await appliance(['categories', 'move-site', '--help']);
    expect(out).toContain('Usage: appliance categories move-site ID SITE NEXT-ID [OPTIONS]');
    expect(out).toContain('The ID of the category to move it to.');
  });

  test('explains the arguments of every call, as declared', () => {
    for (const call of typedCalls()) {
      const help = callHelp(call);
      expect(help).toContain(call.summary);
      for (const { name, description = '' } of call.arguments) {
        expect(help, call.word).toContain(`--${inDashes(name)}`);
        expect(help, call.word).toContain(description);
      }
    }
  });

  test('ends quietly when its reader has gone', async () => {
    const bin = join(project.installed('appliance-client'), 'bin/appliance.js');
    const child = spawn('bash', ['-c', `${process.execPath} ${bin} software list --json | true`], {
      env: { ...process.env, APPLIANCE_URL: simulated.urls.web },
    });
    expect(await Promise.all([text(child.stdout), text(child.stderr)])).toEqual(['', '']);
  });

  test('has no argument of a call with the name of one of its switches', () => {
    const own = typedCalls().flatMap((call) => call.arguments.map(({ name }) => inDashes(name)));
    expect(own.filter((name) => ['json', 'yes', 'dry-run', 'help'].includes(name))).toEqual([]);
  });

  test('uploads a file by its path, and takes a name for the call’s own where a call wants it', async () => {
    writeFileSync(join(project.folder, 'hotfix-20261120-01.tgz'), 'not really an archive');
    const uploaded = await appliance(['directory', 'upload-hotfix', 'hotfix-20261120-01.tgz', '--yes']);
    expect(uploaded).toMatchObject({ code: 0, err: '' });
    const created = await appliance([
      'categories',
      'create',
      '--name',
      'trial',
      '--description',
      'For a trial.',
      '--yes',
    ]);
    expect(created).toMatchObject({ code: 0, err: '' });
    expect((await appliance(['categories', 'list'])).out).toContain('trial');
  });

  test('completes areas, calls and options in bash', async () => {
    const complete = async (...words: string[]) =>
      (await appliance(['complete', '--', ...words])).out.trim().split('\n');
    expect(await complete('rd')).toEqual(['rdp']);
    expect(await complete('rdp', 'disconnect-s')).toEqual(['disconnect-session']);
    expect(await complete('sqldb', 'create-user', '--pass')).toEqual(['--password-file', '--password-env']);
    const script = (await appliance(['completion', 'bash'])).out;
    const bin = join(project.installed('appliance-client'), 'bin/appliance.js');
    const typed = `appliance() { ${process.execPath} ${bin} "$@"; }
${script}
COMP_WORDS=(appliance rdp disconnect-s); COMP_CWORD=2; _appliance; echo "\${COMPREPLY[@]}"`;
    const child = spawn('bash', ['-c', typed]);
    expect(await text(child.stdout)).toBe('disconnect-session\n');
  });
});

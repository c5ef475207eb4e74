import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { expect, onTestFinished } from 'vitest';
import { connectAppliance, type DryRunRequest } from '../../src/api/index.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Environment } from '../../src/config/secret.ts';
import { keepPrivate } from '../../src/journal/file/private-files.ts';
import { openPostgres } from '../../src/journal/storage/postgres.ts';
import { carriesSecret, isSecretName, maskSecrets } from '../../src/secrets.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { anyEvent } from '../any-event.ts';
import { under } from '../approving.ts';
import { converse } from '../conversation.ts';
import { attacks } from './rows.ts';

/** This text occurs nowhere else, so each occurrence is a leak. */
const secret = 'hunter2-7f3a';

const names = [
  ...[
    'apikey',
    'api_key',
    'api-key',
    'x-api-key',
    'APIKey',
    'token',
    'botToken',
    'secret',
    'client_secret',
    'password',
  ],
  ...[
    'passwd',
    'pwd',
    'pw',
    'pass',
    'vnc_pass',
    'passphrase',
    'passcode',
    'psk',
    'wifi.psk',
    'privateKey',
    'private_key',
  ],
  ...[
    'credential',
    'credentials',
    'authorization',
    'Authorization',
    'cookie',
    'Set-Cookie',
    'license_key',
    'SHELL_PASS',
  ],
];

/** All that the bot keeps, as it lies on the disk. */
const kept = (folder: string): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name)).toString('latin1'))
    .join('\n');

function logged(): { readonly lines: string[]; readonly log: ReturnType<typeof createLog> } {
  const lines: string[] = [];
  return { lines, log: createLog('debug', { write: (line: string) => void lines.push(line) }) };
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'secrets-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

attacks('secrets that are typed', [
  {
    attack:
      'a secret under each of its names in --set, in a reason, in quotes, as JSON, as an option, in an address',
    must: 'the line is refused, and neither shown nor kept',
    tryIt: async () => {
      const house = await converse();
      const lines = [
        ...names.map((name) => `rdp target change 2 --set ${name}=${secret}`),
        `rdp disconnect 12 --reason "the wifi psk: ${secret}"`,
        `acl record add 3 "{\\"apikey\\":\\"${secret}\\"}"`,
        `categorize https://bob:${secret}@example.com/`,
        `categorize https://example.com/?access_token=${secret}`,
        `rdp disconnect 12 --api-key ${secret}`,
        `apikey=${secret}`,
      ];
      for (const line of lines) {
        await house.type(`/appliance ${line}`, 'dana');
      }
      const said = house.read('dana');
      expect(said.match(/contains a password/g)).toHaveLength(lines.length);
      expect(said).not.toContain(secret);
      const actions = await house.bot.journal.recent(100);
      expect(actions.map(({ line }) => line).filter((line) => !line.startsWith('(not stored'))).toEqual([]);
      expect(kept(house.data)).not.toContain(secret);
    },
  },
  {
    attack: 'a secret in the text of a form, where no line is looked through',
    must: 'the form says so, and neither channel nor journal has it',
    tryIt: async () => {
      const house = await converse();
      const dana = house.person('dana');
      await dana.type('helpdesk', '/appliance acl record add 3');
      await dana.fill({ Pattern: '.example.org', Note: `token=${secret}` });
      await dana.submit();
      expect(JSON.stringify(dana.form()?.errors)).toContain('looks like a password');
      expect(Object.keys(dana.form()?.errors ?? {}), 'at that input alone').toEqual(['Note']);
      await dana.fill({ Pattern: `.example.org\npassword: ${secret}`, Note: '' });
      await dana.submit();
      expect(JSON.stringify(dana.form()?.errors)).toContain('looks like a password');
      expect(house.read('dana')).not.toContain(secret);
      expect(kept(house.data)).not.toContain(secret);
    },
  },
  {
    attack:
      'a secret in the words that say why something is denied, that filter an answer, or that give a reason',
    must: 'each form says so, and neither channel nor journal has it',
    tryIt: async () => {
      const house = await under({
        approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: 'approver', reason: true }],
      });
      await house.type('/appliance rdp disconnect 12 --reason "phone call"', 'bob');
      await house.press('Deny…', 'carol');
      const carol = house.person('carol');
      await carol.fill({ Reason: `use password=${secret}` });
      await carol.submit();
      expect(JSON.stringify(carol.form()?.errors)).toContain('looks like a password');
      await house.type('/appliance acl records 3', 'bob');
      await house.press('Filter…', 'bob');
      const bob = house.person('bob');
      await bob.fill({ Words: `token: ${secret}` });
      await bob.submit();
      expect(JSON.stringify(bob.form()?.errors)).toContain('looks like a password');
      await bob.dismiss();
      await house.type('/appliance rdp disconnect', 'bob');
      await bob.fill({ 'Open session': '14', Reason: `pw=${secret}` });
      await bob.submit();
      expect(bob.form()?.errors).toEqual({
        Reason: expect.stringContaining('looks like a password'),
      });
      expect(house.read('bob')).not.toContain(secret);
      expect(kept(house.data)).not.toContain(secret);
    },
  },
  {
    attack: 'a secret in what is asked about a command, and in what the audit is searched for',
    must: 'the line is refused, and neither shown nor kept',
    tryIt: async () => {
      const house = await converse();
      const lines = [
        `can <@U0BOB00001> rdp target change 2 --set password=${secret}`,
        `who can rdp disconnect --reason "token: ${secret}"`,
        `help --password ${secret}`,
        `audit --command "--token ${secret}"`,
        `audit --since password=${secret}`,
        `acl records 3 --on apikey=${secret}`,
      ];
      for (const line of lines) {
        const said = await house.type(`/appliance ${line}`, 'dana');
        expect([line, said.includes(secret)]).toEqual([line, false]);
      }
      expect(kept(house.data)).not.toContain(secret);
    },
  },
  {
    attack: 'a masked line of ours that is typed again',
    must: 'the dots are not taken for the password',
    tryIt: async () => {
      const house = await converse();
      await house.type('/appliance rdp target password 2 --password •••', 'dana');
      expect(house.person('dana').form()).toBeDefined();
    },
  },
]);

attacks('secrets on their way', [
  {
    attack: 'a field that is called like a secret in what would be sent',
    must: 'the dry run shows a mask in its place, in JSON, in forms and in paths',
    tryIt: async () => {
      const appliance = connectAppliance({ name: 'lab', url: 'http://127.0.0.1:9', release: '4.50 SP5' });
      onTestFinished(() => appliance.close());
      const requests: DryRunRequest[] = [];
      const dryRunning = appliance.dryRun((one) => void requests.push(one));
      const others = Object.fromEntries(names.map((name) => [name, secret]));
      await dryRunning.rdp.createTarget({ fields: others });
      await dryRunning.rdp.createTarget({ fields: { description: `the api key: ${secret}` } });
      await dryRunning.categories.addSites({
        id: 252,
        sites: [`https://bob:${secret}@example.com/?token=${secret}`],
      });
      expect(requests).toHaveLength(3);
      expect(JSON.stringify(requests)).not.toContain(secret);
    },
  },
  {
    attack: 'an error of undici, with headers, causes, an aggregate and an address around a secret',
    must: 'no line of the log has it, and each is JSON',
    tryIt: async () => {
      const { lines, log } = logged();
      const address = `http://bot:${secret}@127.0.0.1:9/`;
      const failed = await request('http://127.0.0.1:9/', {
        headers: { authorization: `Bearer ${secret}` },
      }).catch((error: unknown) => error);
      const invalid = await request('http://127.0.0.1:9/', { headers: { 'x-api-key': `${secret}\n` } }).catch(
        (error: unknown) => error,
      );
      const cause = Object.assign(new Error(`GET ${address} with {"apikey":"${secret}"} failed`), {
        url: address,
      });
      log.tell(anyEvent(), { err: failed });
      log.tell(anyEvent(), { err: invalid });
      log.tell(anyEvent(), {
        err: new Error('outer', { cause: new AggregateError([cause, cause], `tried ${address}`) }),
      });
      log.tell(anyEvent(), {
        error: Object.assign(new Error('x'), {
          request: { headers: { cookie: `s=${secret}`, list: [{ psk: secret }] } },
        }),
      });
      log.tell(anyEvent(`Cookie: a=${secret}; b=${secret}`), {
        argv: ['--password', secret].join(' '),
        deep: { a: [{ privateKey: { d: secret } }] },
      });
      for (const line of lines) {
        expect(line).not.toContain(secret);
        expect(() => JSON.parse(line)).not.toThrow();
      }
    },
  },
  {
    attack: 'a name of a secret in every spelling, beside names that only sound like one',
    must: 'one rule knows them apart',
    tryIt: () => {
      for (const name of names) expect([name, isSecretName(name)]).toEqual([name, true]);
      for (const name of [
        'bypass',
        'public_key',
        'keyboard',
        'compass',
        'monkey',
        'path',
        'session',
        'key',
        'name',
      ]) {
        expect([name, isSecretName(name)]).toEqual([name, false]);
      }
      for (const text of [
        'the password is secret',
        'token.example.com:443',
        'a=1&b=2',
        'bypass=1',
        'rdp target password 2',
      ]) {
        expect([text, carriesSecret(text)]).toEqual([text, false]);
      }
      for (const name of names) {
        for (const text of [
          `${name}=${secret}`,
          `{"${name}":"${secret}"}`,
          `{\\"${name}\\":\\"${secret}\\"}`,
          `a=1&${name}=${secret}`,
          `${name}: "${secret}"`,
        ]) {
          expect(maskSecrets(text)).not.toContain(secret);
        }
      }
    },
  },
]);

attacks('secrets that lie about', [
  {
    attack: 'a data folder that exists already, open to everybody, with a journal that is too',
    must: 'every file of ours in it is for its owner alone, and the folder is named',
    tryIt: () => {
      const data = folder();
      chmodSync(data, 0o755);
      for (const name of [
        'journal.sqlite',
        'journal.sqlite-wal',
        'journal.sqlite.2026-11-22',
        'appliance-bot.yml',
      ]) {
        writeFileSync(join(data, name), '');
        chmodSync(join(data, name), 0o644);
      }
      expect(keepPrivate(data)).toEqual({
        openFolder: '755',
        tightened: ['journal.sqlite', 'journal.sqlite-wal', 'journal.sqlite.2026-11-22'],
      });
      for (const name of readdirSync(data)) {
        expect([name, modeOf(join(data, name))]).toEqual([
          name,
          name === 'appliance-bot.yml' ? '644' : '600',
        ]);
      }
    },
  },
  {
    attack: 'a data folder made before the bot, and a wide umask',
    must: 'the journal, what SQLite puts beside it, and the lock have mode 600, and the start says that the folder is open',
    tryIt: async () => {
      const { lines, log } = logged();
      const data = join(folder(), 'data');
      const before = process.umask(0);
      onTestFinished(() => void process.umask(before));
      mkdirSync(data, { mode: 0o755 });
      const house = await converse({ environment: { APPLIANCE_BOT_DATA: data }, world: { log } });
      await house.type('/appliance rdp sessions');
      const files = readdirSync(data);
      expect(files).toContain('journal.sqlite-wal');
      for (const name of files) expect([name, modeOf(join(data, name))]).toEqual([name, '600']);
      expect(lines.join()).toContain('The data folder is accessible to other users of this machine');
    },
  },
  {
    attack: 'a password with @, /, ? or # in DATABASE_URL, which is then taken for a host',
    must: 'no part of it stands in any error',
    tryIt: async () => {
      for (const sign of ['@', '@a/', '@a?', '@a#', '/', '?', '#', '/1', '#1']) {
        const url = `postgres://bot:lead@tail.invalid${sign}tail@db.invalid:5432/journal`;
        const failure = `${await attempt(url)} ${refusal({ DATABASE_URL: url })}`;
        expect([sign, failure.replaceAll('db.invalid', '')]).toEqual([
          sign,
          expect.not.stringMatching(/lead|tail/),
        ]);
      }
    },
  },
]);

/** The error of an environment in which the bot does not start. */
function refusal(environment: Environment): string {
  try {
    readConfig(environment);
    return '';
  } catch (error) {
    return String(error);
  }
}

/** The error of a database that cannot be reached. */
async function attempt(url: string): Promise<string> {
  try {
    const store = openPostgres(url);
    try {
      await store.migrate();
      return '';
    } finally {
      await store.close();
    }
  } catch (error) {
    const { lines, log } = logged();
    const cause = error instanceof Error ? error.cause : undefined;
    log.tell(anyEvent(String(error)), { err: error, reason: cause instanceof Error ? cause.message : '' });
    return lines.join('\n');
  }
}

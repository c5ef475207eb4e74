import { describe, expect, test } from 'vitest';
import type { Fault } from '../sandbox/appliance/kinds.ts';
import { converse } from './conversation.ts';

/** Lookups whose list comes in part, twice or not at all: they say so, and deny nothing. */

const cut: Fault = { kind: 'cut_lists', entries: 2 };
const none: Fault = { kind: 'empty_lists' };
const nulls: Fault = { kind: 'nulls' };

async function asked(line: string, fault: Fault, ...operations: readonly string[]): Promise<string> {
  const { type, appliance } = await converse();
  for (const operation of operations) appliance.faults.set(operation, fault);
  return type(`/appliance ${line}`, 'dana');
}

const objects = 'GET /proxy/acls/objects';
/** The gateway that lists something else is seen to run. */
const gateway = ['members', 'targets', 'policies'].map((things) => `GET /rdpproxy/${things}`);

describe('a list that came in part', () => {
  test.each<[string, string, RegExp]>([
    [
      'mfa users',
      'GET /rdpproxy/mfa/users',
      /2 of \d+ second-factor users[\s\S]*hq listed only 2 of \d+ second-factor users\./,
    ],
    ['rdp members', 'GET /rdpproxy/members', /2 of \d+ remote-desktop members/],
    ['engine versions', '- /autoupdate/index', /2 of \d+ versions of the REST engine, the newest of them is/],
    [
      'mirror stats',
      'GET /api/console/events/stats',
      /At least [\d,]+ syncs of 2 of \d+ repositories, at least/,
    ],
    ['sql processes', '- /sqldb/service/processes', /2 of \d+ connections to the SQL server/],
    ['rdp ciphers', 'GET /rdpproxy/tls/ciphers', /offers 2 of \d+ cipher suites/],
  ])('%s says how much of the list that is', async (line, operation, says) => {
    expect(await asked(line, cut, operation)).toMatch(says);
  });
});

describe('a list without entries', () => {
  test.each<[string, string, string]>([
    ['mfa users', 'GET /rdpproxy/mfa/users', 'second-factor users'],
    ['mirror stats', 'GET /api/console/events/stats', 'repositories'],
    ['engine versions', '- /autoupdate/index', 'versions of its REST engine'],
    ['acl find google', 'GET /proxy/acls/record/find/{pattern}', 'records with google'],
  ])('does not make %s say that there is none', async (line, operation, things) => {
    for (const fault of [none, nulls]) {
      const told = await asked(line, fault, operation, objects, ...gateway);
      expect(told).toContain(`hq lists no ${things}, which does not prove that there are none`);
      expect(told.split(`lists no ${things}`)).toHaveLength(2);
    }
  });

  test.each([
    ['mfa exempt sofia.rossi', 'GET /rdpproxy/mfa/users'],
    ['rdp video delete 130', 'GET /rdpproxy/videos'],
    ['engine update 1190', '- /autoupdate/index'],
  ])('does not make %s say that there is no such thing', async (line, operation) => {
    const told = await asked(line, none, operation, ...gateway);
    expect(told).toMatch(/which does not prove that there are none|although it counts \d+ elsewhere/);
    expect(told).not.toMatch(/hq has no |no longer exists/);
  });

  test('does not make mirror clients say that no machine fetches', async () => {
    expect(await asked('mirror clients', none, 'GET /api/clients')).toContain(
      'hq lists no machines, which does not prove that there are none',
    );
  });

  test('does not make sessions that are counted elsewhere look closed', async () => {
    expect(await asked('rdp sessions', none, 'GET /rdpproxy/sessions')).toMatch(
      /hq lists no open sessions, although it counts \d+ elsewhere/,
    );
  });

  test('makes ftp events say by whose account there is none', async () => {
    const search = 'GET /ftpd/events/{search}/{max}';
    expect(await asked('ftp events STOR', none, search)).toContain(
      'The FTP server of hq lists no event that contains STOR',
    );
    expect(await asked('ftp events STOR', nulls, search)).toContain(
      'hq lists no events with STOR, which does not prove that there are none',
    );
  });

  test('makes a search say that it found nothing where the appliance shows what it searches', async () => {
    expect(await asked('acl find nothing-like-this', { kind: 'extra_keys' }, objects)).toContain(
      'No ACL record contains nothing-like-this',
    );
  });
});

test('repeated lines of a log are all shown, and called repeated', async () => {
  const once = await asked('ftp events login', { kind: 'extra_keys' });
  const count = Number(/([\d,]+) events? of the FTP server/.exec(once)?.[1]);
  expect(count).toBeGreaterThan(0);
  expect(await asked('ftp events login', { kind: 'twice' }, 'GET /ftpd/events/{search}/{max}')).toContain(
    `${2 * count} events of the FTP server with login, ${count} of them repeated`,
  );
});

test('things with numbers are counted once each', async () => {
  const count = (told: string) => /([\d,]+) remote-desktop members/.exec(told)?.[1];
  const members = 'GET /rdpproxy/members';
  expect(count(await asked('rdp members', { kind: 'twice' }, members))).toBe(
    count(await asked('rdp members', { kind: 'extra_keys' }, members)),
  );
});

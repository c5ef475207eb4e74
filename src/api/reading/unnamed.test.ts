import { describe, expect, test } from 'vitest';
import { Misfit } from './bounds.ts';
import { openEnvelope } from './envelope.ts';
import type { ReplyReader } from './reply-reader.ts';
import { entries, entry, named, rows } from './unnamed.ts';

/** The sent schema matters only for the documentation. */
const one = { type: 'object' };

function read<T>(reply: ReplyReader<T>, body: unknown): T {
  return reply.read(openEnvelope(body));
}

/** The place and reason of a misfit; the value if it was readable. */
function misfit(reply: ReplyReader<unknown>, body: unknown) {
  try {
    return read(reply, body);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    return `${error.at}: ${error.problem}`;
  }
}

const ids = (reply: ReplyReader<{ readonly id: number }[]>, body: unknown) =>
  read(reply, body).map(({ id }) => id);

describe('a list of things with identifiers', () => {
  const targets = entries('target', one, ['hostname']);

  test('a thing has its ID, its name, whether it is enabled, and all its fields', () => {
    const record = {
      target_id: '4',
      Name: 'Files',
      hostname: 'srv-files-01',
      Enabled: 1,
      port: 3389,
      tags: ['a'],
    };
    expect(read(targets, { Status: true, Error: '', Targets: [record] })).toEqual([
      {
        id: 4,
        name: 'srv-files-01',
        enabled: true,
        fields: {
          target_id: '4',
          Name: 'Files',
          hostname: 'srv-files-01',
          Enabled: '1',
          port: '3389',
          tags: '["a"]',
        },
      },
    ]);
  });

  test('a thing with nothing but its ID gets no invented fields', () => {
    expect(read(targets, [{ id: 4, name: '', enabled: null }])).toEqual([
      { id: 4, fields: { id: '4', name: '', enabled: '' } },
    ]);
  });

  test.each([
    [1, true],
    ['1', true],
    ['Y', true],
    ['True', true],
    ['on', true],
    [0, false],
    ['N', false],
    ['False', false],
    ['no', false],
  ])('enabled written as %j is %j', (enabled, expected) => {
    expect(read(targets, [{ id: 4, enabled }])).toMatchObject([{ enabled: expected }]);
  });

  test('a flag without yes or no does not mean "disabled"', () => {
    expect(read(targets, [{ id: 4, enabled: 'pending' }])[0]).not.toHaveProperty('enabled');
    expect(read(targets, [{ id: 4, enabled: 'pending', active: 'yes' }])).toMatchObject([{ enabled: true }]);
  });

  test.each<[string, unknown]>([
    ['a list called like the things', { Status: true, Targets: [{ id: 3 }, { id: 4 }] }],
    ['the singular', { target: [{ id: 3 }, { id: 4 }] }],
    ['another casing and punctuation', { 'TAR-GETS': [{ id: 3 }, { id: 4 }] }],
    ['a list that only speaks of them', { target_list: [{ id: 3 }, { id: 4 }] }],
    ['the only list with something in it', { Rows: [{ id: 3 }, { id: 4 }], More: [] }],
    ['a bare array', [{ id: 3 }, { id: 4 }]],
    ['a map by ID', { Targets: { 3: { name: 'a' }, 4: { name: 'b' } } }],
    ['a map with IDs inside', { Targets: { a: { id: 3 }, b: { id: 4 } } }],
    ['a list with keys that count', { Targets: { 0: { id: 3 }, 1: { id: 4 } } }],
    [
      'what is called like the things before what speaks of them',
      {
        TargetGroups: [],
        Targets: [{ id: 3 }, { id: 4 }],
      },
    ],
    ['a list beside a null', { target_warnings: null, target_list: [{ id: 3 }, { id: 4 }] }],
  ])('%s is read', (_, body) => {
    expect(ids(targets, body)).toEqual([3, 4]);
  });

  test.each<[unknown]>([
    [{ Status: true, Targets: [] }],
    [{ Status: true, Targets: null }],
    [{ Status: true, Targets: {} }],
    [{ Status: true, Targets: [], Groups: [{ id: 1 }] }],
    [{ Status: true, Error: null, Rows: [] }],
    [[]],
  ])('%j says that there is none', (body) => {
    expect(read(targets, body)).toEqual([]);
  });

  test.each<[unknown, string]>([
    [{ Status: true, Error: '' }, ': has no list of targets'],
    [{ Status: true, Rows: {} }, ': has no list of targets'],
    [{ Status: true, Rows: [], Groups: [] }, ': has no list of targets'],
    [{ open_targets: [], closed_targets: [{ id: 1 }] }, ': has more than one list of targets'],
    [{ Rows: [{ id: 1 }], Groups: [{ id: 2 }] }, ': has more than one list of targets'],
    [{ Targets: 'none' }, 'Targets: is not a list of targets'],
    [{ Targets: { id: 4, name: 'a' } }, 'Targets: is not a list of targets'],
    [{ Policies: [{ id: 4 }], Targets: 'none' }, 'Targets: is not a list of targets'],
    [{ Data: [{ id: 4 }], Targets: 0 }, 'Targets: is not a list of targets'],
    [undefined, ': has no list of targets'],
    ['none', ': has no list of targets'],
    [{ Targets: [{ id: 1 }, null] }, 'Targets.1: is not a target'],
    [{ Targets: [{ id: 1 }, [2]] }, 'Targets.1: is not a target'],
    [{ Targets: [12] }, 'Targets.0: is not a target'],
    [{ Targets: { 3: 'srv-files-01' } }, 'Targets.3: is not a target'],
    [{ Targets: [{ name: 'a' }] }, 'Targets.0: has no usable target ID'],
    [{ Targets: { 0: { name: 'a' }, 1: { name: 'b' } } }, 'Targets.0: has no usable target ID'],
    [{ Targets: [{ id: '1.5' }] }, 'Targets.0: has no usable target ID'],
    [{ Targets: [{ id: '99999999999999999999' }] }, 'Targets.0: has no usable target ID'],
    [{ Targets: [{ id: 3, target_id: 4 }] }, 'Targets.0: has more than one target ID'],
  ])('%j is not understood, and says where', (body, said) => {
    expect(misfit(targets, body)).toBe(said);
  });

  test.each([
    'Closed',
    'history',
    'Policies',
    'closed_targets',
    'Past-Targets',
    'target_history',
    'TargetGroups',
    'members',
  ])('a list called %s is about something else, even as the only content', (name) => {
    expect(misfit(targets, { Status: true, [name]: [{ id: 4 }] })).toBe(': has no list of targets');
    expect(misfit(targets, { Status: true, [name]: [] })).toBe(': has no list of targets');
    expect(misfit(targets, { Status: true, [name]: [{ id: 4 }], Rows: [] })).toBe(': has no list of targets');
  });

  test.each([
    'data',
    'Result',
    'results',
    'Items',
    'record',
    'list',
    'entries',
    'Answer',
    'response',
    'content',
    'result_list',
    'open_targets',
    'target_data',
    'GatewayTargets',
    'target_list',
  ])('a list called %s may be the requested one', (name) => {
    expect(ids(targets, { Status: true, [name]: [{ id: 4 }], Others: [] })).toEqual([4]);
  });

  test('a map’s key stays known if the ID differs', () => {
    expect(read(targets, { Targets: { files: { id: 3 }, 4: { port: 22 } } })).toEqual([
      { id: 4, fields: { port: '22' } },
      { id: 3, fields: { key: 'files', id: '3' } },
    ]);
  });

  test('a thing ending in y has its list under the plural too', () => {
    expect(ids(entries('policy', one), { Policies: [{ policy_id: 3 }], Patterns: [{ id: 9 }] })).toEqual([3]);
  });
});

describe('one thing with an identifier', () => {
  const member = entry('member', one, ['username']);

  test.each<[string, unknown]>([
    ['under its name', { Status: true, Error: '', Member: { id: 7, username: 'bob' } }],
    ['under the plural', { Status: true, Members: [{ id: 7, username: 'bob' }] }],
    ['in a map by ID', { Status: true, Members: { 7: { username: 'bob' } } }],
    ['with its ID beside it', { Status: true, ID: 7, Member: { username: 'bob' } }],
    ['under any key', { Status: true, Error: '', Data: { id: 7, username: 'bob' } }],
    ['under a key that speaks of it', { Status: true, member_data: { id: 7, username: 'bob' }, links: {} }],
    ['flat in the answer', { Status: true, Error: '', Info: '', id: '7', username: 'bob' }],
    ['alone in an array', [{ id: 7, username: 'bob' }]],
    ['alone in a map', { 7: { username: 'bob' } }],
  ])('it is read %s', (_, body) => {
    expect(read(member, body)).toMatchObject({ id: 7, name: 'bob', fields: { username: 'bob' } });
  });

  test('excludes things that a record refers to', () => {
    const body = { Status: true, id: 7, username: 'bob', member_group: { id: 9 }, links: [{ id: 3 }] };
    expect(read(member, body)).toEqual({
      id: 7,
      name: 'bob',
      fields: { id: '7', username: 'bob', member_group: '{"id":9}', links: '[{"id":3}]' },
    });
  });

  test('loses the answer’s status, but keeps its own, if it is flat in the answer', () => {
    expect(read(member, { id: 7, status: 'locked', version: 2 }).fields).toEqual({
      id: '7',
      status: 'locked',
      version: '2',
    });
    expect(read(member, { id: 7, Status: 'True', Error: null, Info: 'ok' }).fields).toEqual({ id: '7' });
    expect(read(member, { id: 7, error: 'two logins', info: ['a'] }).fields).toEqual({
      id: '7',
      error: 'two logins',
      info: '["a"]',
    });
  });

  test.each<[unknown, string]>([
    [{ Status: true, Error: '' }, ': has no usable member ID'],
    [{ Status: true, Member: {} }, 'Member: has no usable member ID'],
    [{ Status: true, Member: [] }, ': has no usable member ID'],
    [{ Status: true, Member: null }, ': has no usable member ID'],
    [{ Status: true, Members: [{ id: 7 }, { id: 8 }] }, ': has no usable member ID'],
    [{ Status: true, Member: { id: 7 }, Members: [{ id: 8 }] }, ': has more than one member'],
    [{ Status: true, ID: 7, Member: { id: 8 } }, 'Member: has more than one member ID'],
    [{ Status: true, Member: { 0: { username: 'bob' } } }, 'Member: has no usable member ID'],
    [{ Status: true, User: { id: 7 }, Group: { id: 8 } }, ': has no usable member ID'],
    [{ Status: true, Group: { id: 8 } }, ': has no usable member ID'],
    [{ Status: true, member_group: { id: 8 } }, ': has no usable member ID'],
    [{ Status: true, Member: 'none', Data: { id: 8 } }, ': has no usable member ID'],
    [[], ': is not a member'],
    [undefined, ': is not a member'],
    ['bob', ': is not a member'],
  ])('%j is not understood: a Status true alone is nobody', (body, said) => {
    expect(misfit(member, body)).toBe(said);
  });
});

describe('a list of things with names', () => {
  const databases = named('database', one, ['schema']);

  test.each<[string, unknown]>([
    ['bare names', { Databases: ['proxydb', 'events'] }],
    ['bare names in a list with gaps', { Databases: { 1: 'proxydb', 4: 'events' } }],
  ])('%s are names without fields', (_, body) => {
    expect(read(databases, body)).toEqual([
      { name: 'proxydb', fields: {} },
      { name: 'events', fields: {} },
    ]);
  });

  test.each<[unknown]>([
    [[{ schema: 'proxydb', name: 'The proxy’s' }]],
    [[{ Name: 'proxydb', database: 3 }]],
    [[{ database_name: 'proxydb' }]],
    [[{ Database: 'proxydb' }]],
    [{ Databases: { proxydb: { size: '12 MB' } } }],
  ])('%j is called proxydb', (body) => {
    expect(read(databases, body)).toMatchObject([{ name: 'proxydb' }]);
  });

  test('a map’s key stays known if the name differs', () => {
    expect(read(databases, { Databases: { 17: { name: 'proxydb' }, 18: { name: 'events' } } })).toEqual([
      { name: 'proxydb', fields: { key: '17', name: 'proxydb' } },
      { name: 'events', fields: { key: '18', name: 'events' } },
    ]);
  });

  test.each<[unknown, string]>([
    [{ Databases: ['proxydb', ''] }, 'Databases.1: has no usable database name'],
    [{ Databases: ['proxydb', null] }, 'Databases.1: is not a database'],
    [{ Databases: [{ size: '12 MB' }] }, 'Databases.0: has no usable database name'],
  ])('one without a name is not left out: %j', (body, said) => {
    expect(misfit(databases, body)).toBe(said);
  });
});

describe('a list of records of any kind', () => {
  test('every record is there with all its fields', () => {
    expect(read(rows('event', one), { Events: [{ user: 'bob', ok: true }, 'gateway started', ''] })).toEqual([
      { user: 'bob', ok: 'true' },
      { event: 'gateway started' },
      { event: '' },
    ]);
  });

  test('a map’s key stays known, unless it is only a count', () => {
    const processes = { 41: { user: 'root' }, 57: { user: 'proxy' } };
    expect(read(rows('process', one), { Processes: processes })).toEqual([
      { key: '41', user: 'root' },
      { key: '57', user: 'proxy' },
    ]);
    expect(read(rows('process', one), { Processes: { 0: { user: 'root' } } })).toEqual([{ user: 'root' }]);
  });
});

describe('secrets', () => {
  test.each([
    'password',
    'Password_hash',
    'user_passwd',
    'PWD',
    'totp_secret',
    'api-key',
    'access_token',
    'authentication_string',
  ])('the value of %s is hidden, even deep inside', (name) => {
    const [found] = read(rows('user', one), [
      { [name]: 'sesame-4711', auth: [{ [name]: { salt: 'sesame-4711' } }] },
    ]);
    expect(found?.[name]).toBe('(hidden)');
    expect(JSON.stringify(found)).not.toContain('sesame');
  });

  test('the presence of a secret is no secret', () => {
    const record = { has_password: true, password_expired: 'N', secret: '' };
    expect(read(rows('user', one), [record])).toEqual([
      { has_password: 'true', password_expired: 'N', secret: '' },
    ]);
  });
});

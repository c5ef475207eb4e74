import { describe, expect, test } from 'vitest';
import { run } from '../../packages/appliance-client/src/cli/main.ts';
import { asText } from '../../packages/appliance-client/src/cli/show.ts';

const lines = (value: unknown, columns?: number) => asText(value, columns).split('\n');

describe('an answer on the command line', () => {
  test('is words and names, and no JSON', () => {
    const answers = [
      [{ id: 3, since: { at: new Date(0) } }, '3   1970-01-01T00:00:00.000Z'],
      [{ id: 3, since: { written: 'this morning' } }, '3   this morning'],
      [{ id: 3, average: { text: '11 msec', milliseconds: 11 } }, '3   11 msec'],
      [
        {
          id: 3,
          objects: [
            { id: 7, name: 'banks' },
            { id: 8, name: 'health' },
          ],
        },
        '3   banks, health',
      ],
      [{ id: 3, items: ['a', 'b', 'c', 'd', 'e'] }, '3   a, b, c and 2 more'],
      [{ id: 3, versions: [{ keyVer: 59, version: '5.9' }] }, '3   59 (5.9)'],
      [{ id: 3, rights: { read: true, write: false, list: true } }, '3   read, list'],
      [{ id: 3, rpz: { enabled: false, action: 0, redirect: '' } }, '3   enabled false, action 0'],
    ] as const;
    for (const [answer, row] of answers) expect(lines([answer])[1]).toBe(row);
  });

  test('shows the appliance’s own names only where there is little else', () => {
    const fields = { ID: '3', Name: 'eth1.31', State: 'down' };
    expect(lines([{ id: 3, name: 'eth1.31', fields }])).toEqual(['id  name     State', '3   eth1.31  down']);
    expect(lines([{ id: 3, name: 'eth1.31', state: 'down', fields }])[0]).toBe('id  name     state');
  });

  test('has long values below their names, and keeps lines that the appliance has written', () => {
    expect(
      lines({ events: [{ id: 8, user: 'alice' }], traces: 'one\r\ntwo\n', info: '', mayBeCut: true }),
    ).toEqual([
      ...['events:', '  id  user', '  8   alice'],
      ...['traces:', '  one', '  two'],
      'mayBeCut  true',
    ]);
    expect(lines('search corp.example\noptions rotate\n')).toEqual(['search corp.example', 'options rotate']);
    expect(lines({ info: '' })).toEqual(['(nothing)']);
    expect(lines('\u001b[2Jone\n\u009b31mtwo')).toEqual(['one', 'two']);
  });

  test('is a table where a terminal is wide enough, and a list where it is not', () => {
    const sessions = [
      { id: 3, user: 'alice.carter', target: 'srv-db-02' },
      { id: 4, user: 'bob', target: undefined },
    ];
    expect(lines(sessions, 27)).toEqual([
      'id  user          target',
      '3   alice.carter  srv-db-02',
      '4   bob',
    ]);
    const blocks = ['id      3', 'user    alice.carter', 'target  srv-db-02', '', 'id    4', 'user  bob'];
    expect(lines(sessions, 26)).toEqual(blocks);
  });

  test('stands in columns also with letters that are twice as wide, or made of two', () => {
    const people = [
      { user: '田中', on: 1 },
      { user: 'Lo\u0301pez', on: 2 },
      { user: 'alice', on: 3 },
    ];
    expect(lines(people)).toEqual(['user   on', '田中   1', 'Lo\u0301pez  2', 'alice  3']);
  });
});

describe('a command line', () => {
  async function said(...words: string[]) {
    let all = '';
    const stream = { write: (text: string) => (all += text) } as never;
    const code = await run(words, {
      stdin: process.stdin,
      stdout: stream,
      stderr: stream,
      env: { APPLIANCE_URL: 'http://127.0.0.1:9' },
    });
    return { code, all };
  }

  test('may have its options anywhere', async () => {
    for (const words of [
      ['--dry-run', 'rdp', 'restart'],
      ['rdp', '--url', 'http://127.0.0.1:9', '--dry-run', 'restart'],
      ['--url', 'http://127.0.0.1:9', 'rdp', 'restart', '--dry-run'],
    ]) {
      expect(await said(...words)).toMatchObject({
        code: 0,
        all: expect.stringContaining('/rdpproxy/restart'),
      });
    }
    expect(await said('--json')).toEqual({
      code: 2,
      all: 'Missing area. appliance --help lists the areas.\n',
    });
  });

  test('gets suggestions that are near to the typed word, or contain it, and no others', async () => {
    const offered = async (...words: string[]) =>
      /Did you mean (.*)\? /.exec((await said(...words)).all)?.[1];
    expect(await offered('resolver', 'config')).toBe('configuration');
    expect(await offered('rdp', 'disconect-session')).toBe('disconnect-session');
    expect(await offered('mirror', 'clients')).toBe('list-clients');
    expect(await offered('analysis', 'direct')).toBeUndefined();
    expect(await offered('resolver', 'settings')).toBeUndefined();
    expect(await offered('kitchen')).toBeUndefined();
  });

  test('has its help behind help as well, in the typed words', async () => {
    const help = await said('rdp', 'disconnect-session', '--help');
    expect(help.all).toContain('as `rdp list-sessions` gives it');
    expect(await said('help', 'rdp', 'disconnect-session')).toEqual(help);
    expect(await said('help', 'rdp')).toEqual(await said('rdp', '--help'));
    expect(await said('help')).toEqual(await said('--help'));
  });

  test('with the mirror names the missing variable', async () => {
    expect((await said('mirror', 'status')).all).toBe(
      'mirror.status: mirrorUrl is not configured for this appliance. Set APPLIANCE_MIRROR_URL, or use --mirror-url.\n',
    );
  });
});

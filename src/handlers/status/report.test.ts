import { describe, expect, test } from 'vitest';
import { span } from '../argument.ts';
import { downloadProxyIn, hostAndPort } from '../proxy/download.ts';
import { plainText } from '../reply.ts';
import { measuredName, measuredValue } from '../wording/measured.ts';
import { entriesIn, isUp, nameOf, stateOf, valueUnder } from './report.ts';

describe('a report of unknown shape', () => {
  test('is split into things, with deeper fields kept in them', () => {
    const fields = { 's.A.name': 'Proxy', 's.A.cpu.user': '3', 's.B.name': 'FTP', total: '2' };
    expect(entriesIn({ fields })).toEqual([
      { key: 'A', fields: { name: 'Proxy', 'cpu.user': '3' } },
      { key: 'B', fields: { name: 'FTP' } },
      { key: '', fields: { total: '2' } },
    ]);
  });

  test('survives names such as __proto__', () => {
    const [one] = entriesIn({ fields: { 'x.__proto__': '1', 'x.constructor': '2' } });
    expect(valueUnder(one?.fields ?? {}, 'tostring', 'hasownproperty')).toBeUndefined();
    expect(Object.keys(one?.fields ?? {})).toContain('constructor');
  });

  test('is read under likely names in any spelling, by the first non-empty value', () => {
    expect(valueUnder({ Port_Number: '80', port: '' }, 'port', 'portnumber')).toBe('80');
    expect(stateOf({ key: 'a', fields: { status: 'fresh', State: 'Stopped' } })).toBe(false);
    expect(stateOf({ key: 'a', fields: { mood: 'good' } })).toBeUndefined();
    expect(nameOf({ key: 'eth0', fields: { mac: '…' } })).toBe('eth0');
    expect([isUp('Running'), isUp(' 0 '), isUp('perhaps'), isUp(undefined)]).toEqual([
      true,
      false,
      undefined,
      undefined,
    ]);
  });

  test('is shown in units', () => {
    expect([measuredName('memory_kb'), plainText(measuredValue('memory_kb', '2048'))]).toEqual([
      'Memory',
      '2.1 MB',
    ]);
    expect([measuredName('rx_bytes'), plainText(measuredValue('rx_bytes', '1500'))]).toEqual([
      'Received',
      '1.5 kB',
    ]);
    expect(plainText(measuredValue('memory_kb', undefined))).toBe('not reported');
  });
});

describe('the proxy for downloads', () => {
  test.each([
    [{ enabled: '0', host: 'old.example.com', port: '3128' }, 'none'],
    [
      { enabled: '1', host: 'p.example.com', port: '3128' },
      { host: 'p.example.com', port: 3128 },
    ],
    [{ proxy: 'p.example.com:3128' }, { host: 'p.example.com', port: 3128 }],
    [{ host: '', port: '0' }, 'none'],
    [{}, undefined],
    [{ enabled: '1' }, 'some'],
  ])('is %j for %j', (fields, expected) => {
    expect(downloadProxyIn({ info: '', fields })).toEqual(expected);
  });

  test.each(['p.example.com:3128', 'http://p.example.com:3128/', '10.0.0.1:80', '[2001:db8::1]:3128'])(
    '%s is accepted',
    (word) => expect(hostAndPort.read(word).ok).toBe(true),
  );

  test.each([
    'p.example.com',
    'p.example.com:0',
    'p.example.com:70000',
    'a..b:80',
    'a b:80',
    'x/y:80',
    ':80',
    '2001:db8::1:3128',
  ])('%s is refused', (word) =>
    expect(hostAndPort.read(word)).toMatchObject({ ok: false, problem: { code: 'malformed' } }),
  );
});

describe('a span of time', () => {
  const time = span('a duration', '30m', { minutes: 1, days: 7 });

  test.each([
    ['1m', 60_000],
    ['7d', 604_800_000],
    ['1h30m', 5_400_000],
    ['30', 1_800_000],
  ])('%s fits', (word, value) => expect(time.read(word)).toEqual({ ok: true, value }));

  test.each(['30s', '168h1m', '9d', '0'])('%s is out of bounds, and the answer names them', (word) =>
    expect(time.read(word)).toEqual({
      ok: false,
      problem: { code: 'malformed', wanted: 'from 1 minute to 7 days' },
    }),
  );

  test.each(['-5m', 'soon', '0.5h', ''])('%j is no time', (word) =>
    expect(time.read(word)).toMatchObject({ ok: false, problem: { code: 'not_a_duration' } }),
  );
});

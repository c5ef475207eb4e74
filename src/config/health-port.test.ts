import { describe, expect, test } from 'vitest';
import type { Problem } from '../problem.ts';
import { readHealthPort } from './telemetry.ts';

function read(given: string | undefined) {
  const problems: Problem[] = [];
  return { settings: readHealthPort({ HEALTH_PORT: given }, problems), problems };
}

describe('HEALTH_PORT', () => {
  test.each([undefined, ''])('is off for %j', (given) => {
    expect(read(given)).toEqual({ settings: undefined, problems: [] });
  });

  test.each([
    ['9464', '127.0.0.1', 9_464],
    ['0', '127.0.0.1', 0],
    ['0.0.0.0:9464', '0.0.0.0', 9_464],
    ['10.20.0.7:65535', '10.20.0.7', 65_535],
    ['[::]:9464', '::', 9_464],
    ['[::1]:9464', '::1', 9_464],
  ])('%s is %s, port %d', (given, host, port) => {
    expect(read(given)).toEqual({ settings: { host, port }, problems: [] });
  });

  test.each([
    'on',
    '65536',
    '-1',
    '94 64',
    'localhost:9464',
    ':9464',
    '0.0.0.0:',
    'http://127.0.0.1:9464',
    '9464/metrics',
    '256.0.0.1:9464',
  ])('%s is a problem, reported with an example', (given) => {
    const { settings, problems } = read(given);
    expect(settings).toBeUndefined();
    expect(problems).toMatchObject([{ key: 'HEALTH_PORT', example: 'HEALTH_PORT=9464' }]);
  });
});

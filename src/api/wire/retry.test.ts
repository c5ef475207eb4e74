import { expect, test } from 'vitest';
import type { Effect } from '../endpoint.ts';
import {
  type ApplianceFailure,
  ConnectionLost,
  HttpStatus,
  Refused,
  TimedOut,
  Unreachable,
} from '../errors.ts';
import { maySendAgain, waitBeforeNext } from './retry.ts';

const operation = 'area.operation';
const refusedConnection = new Unreachable('ECONNREFUSED', { operation });
const outOfFiles = new Unreachable('EMFILE', { operation });
const lost = new ConnectionLost('ECONNRESET', { operation, sent: 'maybe' });
const gateway = new HttpStatus(503, { operation, sent: 'yes' });
const changes: Effect[] = ['write', 'destructive', 'unknown'];

test.each([refusedConnection, outOfFiles, lost, gateway])('a read is retried after $code', (failure) => {
  expect(maySendAgain('read', failure, 1)).toBe(true);
});

test.each<ApplianceFailure>([
  new HttpStatus(500, { operation, sent: 'yes' }),
  new HttpStatus(404, { operation, sent: 'yes' }),
  new TimedOut('read', 10, { operation, sent: 'maybe' }),
  new Refused('no', { operation, sent: 'yes' }),
  new Unreachable('DEPTH_ZERO_SELF_SIGNED_CERT', { operation }),
])('a read is not sent again after $code, which would only come again', (failure) => {
  expect(maySendAgain('read', failure, 1)).toBe(false);
});

test.each(changes)('an operation of effect %s is retried only if it certainly never left', (effect) => {
  expect(maySendAgain(effect, refusedConnection, 1)).toBe(true);
  expect(maySendAgain(effect, outOfFiles, 1)).toBe(true);
  expect(maySendAgain(effect, lost, 1)).toBe(false);
  expect(maySendAgain(effect, gateway, 1)).toBe(false);
});

test('a request is sent at most three times', () => {
  expect(maySendAgain('read', refusedConnection, 2)).toBe(true);
  expect(maySendAgain('read', refusedConnection, 3)).toBe(false);
});

test('the wait is random below a bound that doubles, up to two seconds', () => {
  expect(waitBeforeNext(1, 0)).toBe(0);
  expect(waitBeforeNext(1, 0.5)).toBe(50);
  expect(waitBeforeNext(2, 0.5)).toBe(100);
  expect(waitBeforeNext(20, 0.5)).toBe(1_000);
});

import { describe, expect, test } from 'vitest';
import { plainText } from '../reply.ts';
import { fingerprintOf, processOf, readRestart, stateOf } from './service-process.ts';

describe('the status of a process', () => {
  test('is found under its likely names, in any part of it', () => {
    expect(processOf({ 'pdns.Running': '1', 'pdns.PID': '12', 'recursor.pid': '13', uptime: '60' })).toEqual({
      running: true,
      pid: '12 and 13',
      uptime: 60_000,
    });
    expect(processOf({ installed: '0', running: '0', master_pid: '0', master_version: '3.8' })).toEqual({
      running: false,
      installed: false,
      version: '3.8',
    });
    expect(processOf({ colour: 'green', state: 'dreaming' })).toEqual({});
  });

  test('with several programs is running only if all of them are', () => {
    expect(processOf({ 'pdns.state': 'running', 'recursor.state': 'stopped' }).running).toBe(false);
  });

  test('reads as people say it', () => {
    const said = (fields: Record<string, string>) => plainText(stateOf(processOf(fields)));
    expect(said({ running: '1', uptime: '90' })).toBe('running for 1 min 30 s');
    expect(said({ state: 'restarting' })).toBe('not running');
    expect(said({ installed: '0', running: '0' })).toBe('not installed');
    expect(said({})).toBe('not reported');
  });
});

describe('a restart', () => {
  const before = { ...fingerprintOf({ running: true, pid: '12', started: 'Monday' }), uptime: 60_000 };

  test.each([
    ['another process', { running: true, pid: '13' }],
    ['another start', { running: true, started: 'Tuesday' }],
    ['a shorter life', { running: true, uptime: 2_000 }],
    ['another process whose state is not reported', { pid: '13' }],
  ])('shows by %s', (_, after) => {
    expect(readRestart('it', before, after).kind).toBe('happened');
  });

  test('has not happened to an unchanged process', () => {
    expect(readRestart('it', before, { running: true, pid: '12', uptime: 61_000 }).kind).toBe('not_happened');
  });

  test('is not over before the service runs', () => {
    expect(readRestart('it', before, { running: false, pid: '13' }).kind).toBe('under_way');
  });

  test('is not called done if nothing distinguishes one run from another', () => {
    const nothing = fingerprintOf({ running: true });
    expect(readRestart('it', nothing, { running: true, pid: '13' }).kind).toBe('not_checkable');
    expect(readRestart('it', before, { running: true }).kind).toBe('not_checkable');
  });
});

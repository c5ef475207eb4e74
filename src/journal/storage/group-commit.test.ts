import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Committing, createGroupCommit, type Survives } from './group-commit.ts';

/** A connection that writes down what it is told; `full`: a commit finds no room on the disk. */
function connection(name: string, told: string[], { full = false } = {}): Committing {
  let isOpen = false;
  return {
    isOpen: () => isOpen,
    survive: (what) => {
      if (what === 'power_cut') told.push(`${name} waits for the disk`);
    },
    run: (order) => {
      if (order === 'commit' && full) throw new Error('database or disk is full');
      isOpen = order.startsWith('begin');
      told.push(`${name} ${order}`);
    },
  };
}

function start(options: { readonly full?: boolean } = {}) {
  const told: string[] = [];
  const commits = createGroupCommit();
  const quick = connection('quick', told, options);
  const write = async (on: Committing, what: string, survives: Survives = 'crash') => {
    const end = await commits.take(on);
    commits.open(on, survives);
    told.push(what);
    await end();
    told.push(`${what} is known`);
  };
  return { told, commits, quick, durable: connection('durable', told), write };
}

describe('what is written in one turn of the event loop', () => {
  test('is committed once, and nobody hears of it before', async () => {
    const { told, quick, write } = start();
    await Promise.all([write(quick, 'one'), write(quick, 'other')]);
    expect(told).toEqual([
      'quick begin immediate',
      'one',
      'other',
      'quick commit',
      'one is known',
      'other is known',
    ]);
  });

  test('waits for the disk where it must outlive a power cut, without what came before and with what comes after', async () => {
    const { told, quick, write } = start();
    const all = [write(quick, 'one'), write(quick, 'order', 'power_cut'), write(quick, 'other')];
    await Promise.all(all);
    expect(told).toEqual([
      'quick begin immediate',
      'one',
      'quick commit',
      'quick waits for the disk',
      'quick begin immediate',
      'order',
      'one is known',
      'other',
      'quick commit',
      'order is known',
      'other is known',
    ]);
  });

  test('on another connection is committed by itself, after what came before', async () => {
    const { told, quick, durable, write } = start();
    await Promise.all([write(quick, 'one'), write(durable, 'other')]);
    expect(told.filter((what) => !what.endsWith('known'))).toEqual([
      ...['quick begin immediate', 'one', 'quick commit'],
      ...['durable begin immediate', 'other', 'durable commit'],
    ]);
  });

  test('fails for all of them where it cannot be committed, and the next one begins anew', async () => {
    const { told, quick, durable, write } = start({ full: true });
    const both = await Promise.allSettled([write(quick, 'one'), write(quick, 'other')]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(told).toEqual(['quick begin immediate', 'one', 'other', 'quick rollback']);
    await write(durable, 'next');
    expect(told.slice(-4)).toEqual(['durable begin immediate', 'next', 'durable commit', 'next is known']);
  });
});

test('what is only read meanwhile is not told before the commit either, and without one waits for none', async () => {
  const { told, quick, commits, write } = start();
  const read = async (what: string) => {
    const end = await commits.take(quick);
    await end();
    told.push(what);
  };
  await Promise.all([write(quick, 'one'), read('read')]);
  expect(told).toEqual(['quick begin immediate', 'one', 'quick commit', 'one is known', 'read']);
  await read('later');
  expect(told).toHaveLength(6);
});

test('what takes longer than a turn is committed when it has ended, and not in the middle of it', async () => {
  const { told, quick, commits, write } = start();
  const end = await commits.take(quick);
  commits.open(quick, 'crash');
  const other = write(quick, 'other');
  await turn();
  await turn();
  expect(told).toEqual(['quick begin immediate']);
  await end();
  expect(told.slice(0, 2)).toEqual(['quick begin immediate', 'quick commit']);
  await other;
  expect(told.slice(2)).toEqual(['quick begin immediate', 'other', 'quick commit', 'other is known']);
});

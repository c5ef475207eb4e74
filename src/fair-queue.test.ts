import { expect, test } from 'vitest';
import type { Caller } from './caller.ts';
import { createFairQueue } from './fair-queue.ts';

const low = (person: string): Caller => ({ person, priority: 'low' });
const high = (person: string): Caller => ({ person, priority: 'high' });

/** Puts in so many of one caller, named and numbered. */
function filled(...waiting: readonly (readonly [Caller, number])[]) {
  const queue = createFairQueue<string>();
  for (const [caller, count] of waiting) {
    for (let number = 1; number <= count; number += 1) {
      queue.add(`${caller.person}${caller.priority === 'high' ? '!' : ''}${number}`, caller);
    }
  }
  return queue;
}

function drained(queue: ReturnType<typeof filled>): string {
  const taken: string[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) taken.push(next);
  return taken.join(' ');
}

test('people are served in turn, and what is one person’s in its order', () => {
  expect(drained(filled([low('a'), 4], [low('b'), 2], [low('c'), 1]))).toBe('a1 b1 c1 a2 b2 a3 a4');
});

test('who comes late waits for nobody’s second', () => {
  const queue = filled([low('a'), 100]);
  queue.take();
  queue.add('b1', low('b'));
  expect([queue.take(), queue.take()]).toEqual(['a2', 'b1']);
});

test('what has piled up goes when nobody else may, and gives way first where there is no room', () => {
  const queue = filled([{ person: 'p', priority: 'background' }, 3], [low('a'), 2], [high('b'), 9]);
  expect(queue.last()).toBe('p3');
  expect(drained(queue).split(' ').slice(-3)).toEqual(['p1', 'p2', 'p3']);
});

test('what is urgent goes first', () => {
  const queue = filled([low('a'), 100]);
  queue.add('b!1', high('b'));
  expect(queue.take()).toBe('b!1');
});

test('every fourth turn is of what is not, however much is urgent', () => {
  expect(drained(filled([low('a'), 2], [high('b'), 8]))).toBe('b!1 b!2 b!3 a1 b!4 b!5 b!6 a2 b!7 b!8');
});

test('urgent or not, people are served in turn', () => {
  expect(drained(filled([high('a'), 3], [high('b'), 1]))).toBe('a!1 b!1 a!2 a!3');
});

test('what was taken for nothing comes before the rest of its person', () => {
  const queue = filled([low('a'), 3]);
  const first = queue.take() ?? '';
  queue.add(first, low('a'), 'again');
  expect(drained(queue)).toBe('a1 a2 a3');
});

test('who may not go now is passed over, and keeps their place', () => {
  const queue = filled([low('a'), 2], [low('b'), 2]);
  expect(queue.take((_, { person }) => person !== 'a')).toBe('b1');
  expect(queue.take(() => false)).toBeUndefined();
  expect(drained(queue)).toBe('a1 b2 a2');
});

test('what can best wait is the newest of whoever has most waiting, and is not urgent', () => {
  expect(filled([low('a'), 3], [low('b'), 2], [high('c'), 9]).last()).toBe('a3');
  expect(filled([high('a'), 1], [high('b'), 2]).last()).toBe('b!2');
  expect(filled().last()).toBeUndefined();
});

test('who gives up is not served, and leaves nothing behind', () => {
  const queue = filled([low('a'), 2], [low('b'), 1]);
  expect(queue.remove('a1')).toBe(true);
  expect(queue.remove('a1')).toBe(false);
  expect([...queue]).toEqual(['a2', 'b1']);
  expect(drained(queue)).toBe('a2 b1');
  expect(queue.size).toBe(0);
});

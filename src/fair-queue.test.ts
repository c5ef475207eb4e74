import { expect, test } from 'vitest';
import type { Caller } from './caller.ts';
import { createFairQueue } from './fair-queue.ts';

const low = (person: string): Caller => ({ person, priority: 'low' });
const high = (person: string): Caller => ({ person, priority: 'high' });

/** A queue with this many items of each caller, named and numbered. */
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

test('people are served in turn, and one person’s items in their order', () => {
  expect(drained(filled([low('a'), 4], [low('b'), 2], [low('c'), 1]))).toBe('a1 b1 c1 a2 b2 a3 a4');
});

test('a late person waits for nobody’s second item', () => {
  const queue = filled([low('a'), 100]);
  queue.take();
  queue.add('b1', low('b'));
  expect([queue.take(), queue.take()]).toEqual(['a2', 'b1']);
});

test('the backlog is served when nobody else may go, and is the first to make room', () => {
  const queue = filled([{ person: 'p', priority: 'background' }, 3], [low('a'), 2], [high('b'), 9]);
  expect(queue.last()).toBe('p3');
  expect(drained(queue).split(' ').slice(-3)).toEqual(['p1', 'p2', 'p3']);
});

test('urgent items go first', () => {
  const queue = filled([low('a'), 100]);
  queue.add('b!1', high('b'));
  expect(queue.take()).toBe('b!1');
});

test('every fourth turn goes to an item that is not urgent', () => {
  expect(drained(filled([low('a'), 2], [high('b'), 8]))).toBe('b!1 b!2 b!3 a1 b!4 b!5 b!6 a2 b!7 b!8');
});

test('people are served in turn, urgent or not', () => {
  expect(drained(filled([high('a'), 3], [high('b'), 1]))).toBe('a!1 b!1 a!2 a!3');
});

test('an item that was taken in vain comes before the rest of its person', () => {
  const queue = filled([low('a'), 3]);
  const first = queue.take() ?? '';
  queue.add(first, low('a'), 'again');
  expect(drained(queue)).toBe('a1 a2 a3');
});

test('a person who may not go now is skipped, and keeps their place', () => {
  const queue = filled([low('a'), 2], [low('b'), 2]);
  expect(queue.take((_, { person }) => person !== 'a')).toBe('b1');
  expect(queue.take(() => false)).toBeUndefined();
  expect(drained(queue)).toBe('a1 b2 a2');
});

test('the last item is the newest of the person with the most waiting, and not urgent', () => {
  expect(filled([low('a'), 3], [low('b'), 2], [high('c'), 9]).last()).toBe('a3');
  expect(filled([high('a'), 1], [high('b'), 2]).last()).toBe('b!2');
  expect(filled().last()).toBeUndefined();
});

test('an item that is withdrawn is not served, and leaves nothing behind', () => {
  const queue = filled([low('a'), 2], [low('b'), 1]);
  expect(queue.remove('a1')).toBe(true);
  expect(queue.remove('a1')).toBe(false);
  expect([...queue]).toEqual(['a2', 'b1']);
  expect(drained(queue)).toBe('a2 b1');
  expect(queue.size).toBe(0);
});

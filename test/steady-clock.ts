import { Worker } from 'node:worker_threads';

const interval = 10;
const watch = `
  const { workerData: { lost, interval } } = require('node:worker_threads');
  const all = new BigInt64Array(lost);
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (let before = performance.now(); ; ) {
    Atomics.wait(sleeper, 0, 0, interval);
    const now = performance.now();
    const late = now - before - interval;
    if (late > interval) Atomics.add(all, 0, BigInt(Math.round(late * 1_000)));
    before = now;
  }
`;
let lost: BigInt64Array | undefined;

/**
 * Milliseconds that stand still while the whole machine does, or this process gets none of it: a thread that only sleeps
 * tells how much later it wakes than it should. Whoever blocks another thread of the process does not stop it.
 */
export function steadyNow(): number {
  lost ??= begin();
  return performance.now() - Number(Atomics.load(lost, 0)) / 1_000;
}

function begin(): BigInt64Array {
  const shared = new SharedArrayBuffer(8);
  new Worker(watch, { eval: true, workerData: { lost: shared, interval } }).unref();
  return new BigInt64Array(shared);
}

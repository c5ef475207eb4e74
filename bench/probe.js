/**
 * Loaded before a measured program (`--import`, with `--expose-gc`): reports the memory of the process after a
 * collection, on request. Plain JavaScript, because a TypeScript loader would add to the memory.
 */
process.on('message', () => {
  // An ordinary collection keeps the emptied pages: after a busy minute they are 150 MB that say nothing.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ resident: rss, heap: heapUsed });
});
// Being asked must not keep the program alive.
process.channel?.unref();

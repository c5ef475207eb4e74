/**
 * Loaded before a measured program (`--import`, with `--expose-gc`): tells the bench, whenever it asks, what the
 * process holds once everything that can be given back has been given back. JavaScript, because a single file of
 * TypeScript would bring along what reads it.
 */
process.on('message', () => {
  // An ordinary collection keeps the emptied pages: after a busy minute they are 150 MB that say nothing.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ resident: rss, heap: heapUsed });
});
// Being asked must not keep the program alive.
process.channel?.unref();

/**
 * Loaded before a measured program (`--import`, with `--expose-gc`): tells the bench, whenever it asks, what the
 * process holds once everything that can be given back has been given back.
 */
export interface Memory {
  /** Resident memory of the process. */
  readonly resident: number;
  /** Live objects of the JavaScript heap. */
  readonly heap: number;
}

process.on('message', () => {
  // An ordinary collection keeps the emptied pages: after a busy minute they are 150 MB that say nothing.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ resident: rss, heap: heapUsed } satisfies Memory);
});
// Being asked must not keep the program alive.
process.channel?.unref();

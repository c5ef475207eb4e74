/**
 * Does something for one at a time as long as few ask, and for all together that have asked while it was under way: as many
 * statements as there is time for, and not as many as there are rows. Whoever asks hears when theirs is done, or why not.
 */
export function inBatches<One>(does: (all: readonly One[]) => Promise<void>): (one: One) => Promise<void> {
  let isBusy = false;
  let next: { readonly all: One[]; readonly done: PromiseWithResolvers<void> } | undefined;

  async function work(): Promise<void> {
    isBusy = true;
    for (let batch = next; batch !== undefined; batch = next) {
      next = undefined;
      await does(batch.all).then(batch.done.resolve, batch.done.reject);
    }
    isBusy = false;
  }

  return (one) => {
    next ??= { all: [], done: Promise.withResolvers() };
    next.all.push(one);
    const { promise } = next.done;
    if (!isBusy) void work();
    return promise;
  };
}

import type { OnAppliance } from '../context.ts';

/** Parallel requests; each waits for its answer. */
const atOnce = 4;
/** Up to this number, requests are sent in turn. */
const few = 50;
/** Requests between two turns of other commands on the appliance. */
const wave = 40;

/** Sends one request for each item, some in parallel if there are many. Other commands get their turn regularly. */
export async function inWaves<Item>(
  items: readonly Item[],
  { giveWay }: Pick<OnAppliance<unknown>, 'giveWay'>,
  send: (item: Item, at: number) => Promise<void>,
): Promise<void> {
  for (let first = 0; first < items.length; first += wave) {
    if (first > 0) await giveWay();
    const left = items.slice(first, first + wave).entries();
    const work = async () => {
      for (const [at, item] of left) await send(item, first + at);
    };
    await Promise.all(Array.from({ length: items.length > few ? atOnce : 1 }, work));
  }
}

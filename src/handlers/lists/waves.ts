import type { OnAppliance } from '../context.ts';

/** Of many, so many requests at once: each waits for its answer. */
const atOnce = 4;
/** So few follow one another. */
const few = 50;
/** After so many requests others may have their turn on the appliance. */
const wave = 40;

/** One request for each of them, some side by side where they are many; every now and then others have their turn. */
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

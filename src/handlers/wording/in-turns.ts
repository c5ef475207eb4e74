import { setImmediate as turn } from 'node:timers/promises';

/** Some tens of milliseconds of whatever is done with a row. */
const atOnce = 2_000;

/** The same as `map`, but others have their turn in between: an appliance may answer with rows by the ten thousand. */
export async function mapInTurns<Item, Made>(
  items: readonly Item[],
  make: (item: Item) => Made,
): Promise<readonly Made[]> {
  const made: Made[] = [];
  for (const item of items) {
    if (made.length % atOnce === atOnce - 1) await turn();
    made.push(make(item));
  }
  return made;
}

import { setImmediate as turn } from 'node:timers/promises';

/** Rows that take some tens of milliseconds. */
const atOnce = 2_000;

/** Like `map`, but yields to other work: an appliance may answer with tens of thousands of rows. */
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

import type { Journal } from '../../../src/journal/journal.ts';
import type { World } from '../../../src/world.ts';

/** A mistake of the bot's own, from some moment on: these functions of its journal throw what nobody has thought of. */
export function mistakeIn(...names: readonly (keyof Journal)[]): {
  readonly world: World;
  readonly begin: () => void;
} {
  let hasBegun = false;
  return {
    begin: () => {
      hasBegun = true;
    },
    world: {
      journal: (journal) => {
        const others = names.map((name) => [
          name,
          async (...given: never[]) => {
            if (hasBegun) throw new Error('a mistake');
            return (journal[name] as (...given: never[]) => unknown)(...given);
          },
        ]);
        return { ...journal, ...Object.fromEntries(others) };
      },
    },
  };
}

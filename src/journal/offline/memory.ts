const mostSeen = 500;

/** The newest of what was seen: enough for what is under way. */
export function memoryOf<Thing>(keyOf: (thing: Thing) => string | number) {
  const things = new Map<string | number, Thing>();
  return {
    see: (thing: Thing): Thing => {
      const key = keyOf(thing);
      things.delete(key);
      things.set(key, thing);
      const [oldest] = things.keys();
      if (things.size > mostSeen && oldest !== undefined) things.delete(oldest);
      return thing;
    },
    get: (key: string | number): Thing | undefined => things.get(key),
    all: (): readonly Thing[] => [...things.values()],
  };
}

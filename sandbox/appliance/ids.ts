/**
 * The number that an ID is. Undefined for what no ID is written as: `007`, `+7`, `7.0`, `seven`. A number is written
 * in one way only, so that two texts never mean the same record.
 */
export function idOf(text: string): number | undefined {
  return /^(0|[1-9]\d*)$/.test(text) ? Number(text) : undefined;
}

/** The thing with this ID; undefined when nothing has it, or when the text is no ID. */
export function withId<Kept>(all: ReadonlyMap<number, Kept>, text: string): Kept | undefined {
  const id = idOf(text);
  return id === undefined ? undefined : all.get(id);
}

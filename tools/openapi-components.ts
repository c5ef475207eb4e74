import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../src/api/reading/envelope.ts';
import type { JsonSchema } from '../src/api/reading/shape.ts';

/** Gathers the schemas that have a name, and puts references in their places. */
export function components() {
  const found = new Map<string, JsonSchema>();

  function referring(schema: JsonSchema): JsonSchema {
    const inside = Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) => [keyword, within(value)]),
    );
    const { title, description, allOf, ...others } = inside;
    if (typeof title === 'string')
      return added(title, { description, ...(allOf ? { allOf } : {}), ...others });
    // The reference adds its own description to the component.
    const [only, ...more] = Array.isArray(allOf) ? allOf : [];
    if (isRecord(only) && '$ref' in only && more.length === 0) return { ...only, description };
    return inside;
  }

  function added(title: string, schema: JsonSchema): JsonSchema {
    const before = found.get(title);
    if (before !== undefined && !isDeepStrictEqual(before, schema)) {
      throw new Error(`Two different schemas are called ${title}.`);
    }
    found.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  }

  function within(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(within);
    return isRecord(value) ? referring(value) : value;
  }

  return {
    referring,
    /** All that were found so far, by name. */
    schemas: (): Readonly<Record<string, JsonSchema>> =>
      Object.fromEntries([...found].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
}

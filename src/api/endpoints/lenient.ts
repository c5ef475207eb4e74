import { keysOf } from '../reading/bounds.ts';
import { isRecord } from '../reading/envelope.ts';
import { textOf } from '../reading/said.ts';
import { type Fields, Misfit, type RecordOf, record, type Shape } from '../reading/shape.ts';
import { type WithoutNever, withoutNever } from './never.ts';

/** A record of which one odd field does not take the others along. */
export type Lenient<F extends Fields> = WithoutNever<RecordOf<F>> & Unread extends infer Joined
  ? { readonly [Name in keyof Joined]: Joined[Name] }
  : never;

export interface Unread {
  /**
   * The optional fields that could not be understood, as text under the document's names; absent when there is none.
   * Hostile text.
   */
  readonly unread?: Readonly<Record<string, string>>;
}

/**
 * Like `record`, for the reads that people make when something is wrong, where the essential answer must survive: an
 * optional field that cannot be understood is left out and stays visible in `unread`. A required one is still a Misfit.
 */
export function lenient<const F extends Fields>(fields: F): Shape<Lenient<F>> {
  const documented = record(fields);
  const whole = withoutNever(documented);
  const optional = new Map(
    Object.values(fields).flatMap((field) => (field.optional ? [[field.key.toLowerCase(), field]] : [])),
  );
  return {
    read(value) {
      const readable: Record<string, unknown> = {};
      const unread: Record<string, string> = {};
      if (!isRecord(value)) throw new Misfit('', 'is not an object');
      for (const name of keysOf(value)) {
        const written = value[name];
        const field = optional.get(name.trim().toLowerCase());
        if (field === undefined || fits(field.shape, written)) readable[name] = written;
        else unread[field.key] = textOf(written);
      }
      const read = whole.read(readable);
      const joined: unknown = Object.keys(unread).length === 0 ? read : { ...read, unread };
      // `Lenient` is these two, written as one type.
      return joined as Lenient<F>;
    },
    wire: documented.wire,
  };
}

function fits(shape: Shape<unknown>, written: unknown): boolean {
  // As with every record, nothing is no odd value.
  if (written === null || written === '') return true;
  try {
    shape.read(written);
    return true;
  } catch (error) {
    if (error instanceof Misfit) return false;
    throw error;
  }
}

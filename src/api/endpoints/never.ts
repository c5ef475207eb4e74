import { moment, type Shape } from '../reading/shape.ts';

/** A moment that may not have come yet: undefined for the year 1 and for 1970, which is how servers write "never". */
export const momentOrNever: Shape<Date | undefined> = {
  ...moment,
  read(value) {
    const at = moment.read(value);
    return at.getTime() > 0 ? at : undefined;
  },
};

/** With `infer`, the compiler tells the fields themselves wherever it tells the type, as in `RecordOf`. */
export type WithoutNever<T> = T extends infer Told
  ? { readonly [Name in keyof Told]: Exclude<Told[Name], undefined> }
  : never;

/** The record without the moments that never were: they are absent, as if nothing had been said. */
export function withoutNever<T extends object>(shape: Shape<T>): Shape<WithoutNever<T>> {
  return {
    ...shape,
    read(value) {
      const told = Object.entries(shape.read(value)).filter(([, one]) => one !== undefined);
      // Only what may be absent can have been undefined.
      return Object.fromEntries(told) as WithoutNever<T>;
    },
  };
}

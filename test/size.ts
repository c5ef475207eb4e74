const { LONG_TESTS } = process.env;

/** How many random cases are tried: few each time, more with the long tests, all of them with `LONG_TESTS=all`. */
export function sized<Size>(little: Size, long: Size, all: Size = long): Size {
  if (LONG_TESTS === undefined) return little;
  return LONG_TESTS === 'all' ? all : long;
}

/** Every so manieth combination is tried in the long tests, and each with `LONG_TESTS=all`. */
export const everyNth = (nth: number): number => (LONG_TESTS === 'all' ? 1 : nth);

const isLong = process.env.LONG_TESTS === 'true';

/** How many random cases are tried: few each time, all of them with the long tests. */
export const sized = <Size>(little: Size, all: Size): Size => (isLong ? all : little);

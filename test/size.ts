/** Whether the long tests run: attacks that take seconds, and random cases in their full number. */
export const isLong = process.env.LONG_TESTS === 'true';

/** How much of something is tried: little each time, all of it with the long tests. */
export const sized = <Size>(little: Size, all: Size): Size => (isLong ? all : little);

/** Echoes at most a line's worth of what was typed, and says so when it was more. */
export const shorten = (typed: string): string =>
  typed.length <= 60 ? typed : `${typed.slice(0, 60)}… (${typed.length} characters)`;

/** Names of commands and operations are headings, because a reader who types one wants its own entry. */
export const searchOptions = {
  boost: { title: 4, titles: 2, text: 1 },
  fuzzy: 0.15,
  prefix: true,
  combineWith: 'AND',
} as const;

/** Spans and moments as people write them in several words, put into the one word that commands take: "30 minutes", "last hour". */
const spoken: readonly (readonly [RegExp, string | ((...found: string[]) => string)])[] = [
  [
    /\b(\d+) ?(seconds?|minutes?|mins?|hours?|hrs?|days?)\b/gi,
    (_, count = '', unit = '') => `${count}${unit[0]?.toLowerCase()}`,
  ],
  [/\b(?:half an hour|half hour)\b/gi, '30m'],
  [/\b(?:an|one|a) hour\b/gi, '1h'],
  [/\b(?:a|one) day\b/gi, '1d'],
  [/\b(?:since|in|within|during|over|for)? ?(?:the )?(?:last|past) (\d+[smhd])\b/gi, ' since $1'],
  [/\b(?:in |during |within )?(?:the )?(?:last|past|this) hour\b/gi, 'since 1h'],
  [/\b(?:in |during |within )?(?:the )?(?:last|past|this) (?:day|24 ?h)\b/gi, 'since 1d'],
  [/\b(?:in |during |within )?(?:the )?(?:last|past|this) week\b/gi, 'since 7d'],
  [/\b(?:since )?yesterday\b/gi, 'since 2d'],
  [/\b(?:since )?(?:today|this morning)\b/gi, 'since 00:00'],
  [/\b(?:last night|tonight)\b/gi, 'since 12h'],
];

export const withMoments = (line: string): string =>
  spoken.reduce((text, [shape, word]) => text.replace(shape, word as string), line);

/** Durations in words: "two hours", "half an hour", "the next 30 minutes", "1.5 h", "2 weeks". */

const inWords: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  'forty-five': 45,
  sixty: 60,
  ninety: 90,
};

const units: readonly (readonly [RegExp, number])[] = [
  [/^m(?:in(?:ute)?s?)?$/, 1],
  [/^h(?:(?:ou)?rs?)?$/, 60],
  [/^d(?:ays?)?$/, 24 * 60],
  [/^w(?:(?:ee)?ks?)?$/, 7 * 24 * 60],
];

/** Milliseconds; undefined for other text, and for a number without a unit. */
export function readSpoken(said: string): number | undefined {
  const plain = said
    .replace(/^(?:(?:the )?(?:next|coming|following)|another) (?=\S)/, '')
    .replace(/^(?=(?:minute|hour|day|week)$)/, '1 ')
    .replace(/^(?:an? )?half (?:an? )?(?=\S)/, '0.5 ')
    .replace(/^(?:a )?quarter of an (?=\S)/, '0.25 ')
    .replace(
      /^(\S+) (\S+) and a half$/,
      (_, count: string, unit: string) => `${numberIn(count) + 0.5} ${unit}`,
    )
    .replace(
      /^(\S+) and a half (\S+)$/,
      (_, count: string, unit: string) => `${numberIn(count) + 0.5} ${unit}`,
    )
    .replace(/,(?=\d)/g, '.')
    .replace(/ and /g, ' ');
  // "1h30m" as well as "1 h 30 m".
  const words = plain.replace(/(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)/g, ' ').split(' ');
  if (words.length % 2 !== 0) return undefined;
  const minutes = words.reduce(
    (sum, unit, index) => (index % 2 === 0 ? sum : sum + numberIn(words[index - 1] ?? '') * minutesIn(unit)),
    0,
  );
  return Number.isFinite(minutes) ? Math.round(minutes * 60_000) : undefined;
}

const numberIn = (count: string): number => inWords[count] ?? Number(count);
const minutesIn = (unit: string): number => units.find(([name]) => name.test(unit))?.[1] ?? Number.NaN;

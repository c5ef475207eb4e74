import { word } from '../argument.ts';
import { info } from '../declare.ts';
import { endOf, readTerm, type TypedTerm } from '../language/term.ts';
import { code, type InfoReply, type Offer, plainText, say, type Text } from '../reply.ts';
import { when } from '../wording/when.ts';
import type { TemporaryThing } from './list.ts';

/** The words for the buttons: the only one that is meant goes the way of its button, and of several people choose. */
const shared = {
  anywhere: false,
  args: { thing: { ...word('what is temporary', 'shop.example.net'), isLine: 'words' } },
  before: ['category add shop.example.net to 252 --for 2h'],
} as const;

export const end = info({
  ...shared,
  phrase: 'temporary end [thing]…',
  also: ['end [thing]…', 'end temporary [thing]…'],
  summary: 'End now what is temporary here: it is undone',
  example: 'temporary end shop.example.net',
  answer: async ({ args: { thing }, temporary, now }): Promise<InfoReply> => {
    const words = thing.join(' ').replace(/ now$/i, '');
    if (isEmergency(words)) return { ...nothing(words, 'ended'), next: { line: 'emergency disable' } };
    return meant(await temporary(), words, now, { undone: 'ended', offerOf: ({ end: way }) => way });
  },
});

export const extend = info({
  ...shared,
  phrase: 'temporary extend [thing]…',
  also: ['extend [thing]…', 'extend temporary [thing]…'],
  summary: 'Extend what is temporary here: by 1h, or until 18:00',
  example: 'temporary extend shop.example.net by 1h',
  answer: async ({ args: { thing }, temporary, calendar, now }): Promise<InfoReply> => {
    const { words, term } = termIn(thing.join(' '));
    const read = term && readTerm(term);
    if (term !== undefined && read === undefined)
      return {
        headline: say`${code(term.text)} is no time that can be read. Nothing was extended. Write ${code('by 1h')} or ${code('until 18:00')} behind it.`,
      };
    if (isEmergency(words)) {
      const minutes = read?.kind === 'for' ? ` --for ${Math.round(read.milliseconds / 60_000)}m` : '';
      return { ...nothing(words, 'extended'), next: { line: `emergency extend${minutes}` } };
    }
    const { timeZone } = calendar();
    const to = (until: number) => read && endOf(read, read.kind === 'for' ? until : now, timeZone);
    const things = await temporary();
    const isTooLong = ({ until }: Pick<TemporaryThing, 'until'>) => (to(until) ?? 0) > now + longest;
    const isTooFar =
      things.length === 0 ? read?.kind === 'until' && isTooLong({ until: now }) : things.every(isTooLong);
    if (isTooFar)
      return {
        headline: say`${code(term?.text ?? '')} is too far ahead: a change can be temporary for 90 days at most. Nothing was extended.`,
      };
    const offerOf = (one: TemporaryThing) => (isTooLong(one) ? undefined : one.extend(to(one.until)));
    return meant(things, words, now, { undone: 'extended', offerOf });
  },
});

export const keep = info({
  ...shared,
  phrase: 'temporary keep [thing]…',
  also: ['keep [thing]…', 'keep temporary [thing]…'],
  summary: 'Keep for good what is temporary here',
  example: 'temporary keep shop.example.net',
  answer: async ({ args: { thing }, temporary, now }): Promise<InfoReply> => {
    const words = thing.join(' ').replace(/ for good$/i, '');
    return meant(await temporary(), words, now, { undone: 'kept', offerOf: (one) => one.keep });
  },
});

/** As for what is made temporary, in milliseconds. */
const longest = 90 * 24 * 60 * 60_000;

const isEmergency = (words: string): boolean => /^(?:the )?emergency(?: mode)?$/i.test(words);

/** What is to be done about those whose words all of these are among. `undone`: "ended". */
function meant(
  all: readonly TemporaryThing[],
  words: string,
  now: number,
  how: { readonly undone: string; readonly offerOf: (one: TemporaryThing) => Offer | undefined },
): InfoReply {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((one) => one !== '');
  const found = all.flatMap((one) => {
    const named = namesIn(one);
    const isNamed = (part: string) =>
      named.some((name) => name === part || (isWord(part) && name.includes(part)));
    const offer = how.offerOf(one);
    return offer !== undefined && wanted.every(isNamed) ? [{ one, offer }] : [];
  });
  const [only, ...others] = found;
  if (only === undefined) return nothing(words, how.undone);
  const isClear = others.length === 0 && wanted.some(isWord);
  const { line, moves } = only.offer;
  const described = ({ what, appliance, until }: TemporaryThing): Text =>
    say`${what} on ${appliance}, until ${when(until, now)}`;
  return {
    ...(isClear && { next: { line, moves } }),
    headline: isClear
      ? say`${described(only.one)}. Nothing was ${how.undone} so far.`
      : say`${words === '' ? 'Which one?' : say`${code(words)} can be each of these. Which one?`} Nothing was ${how.undone}.`,
    details: [
      ...(isClear
        ? []
        : [
            {
              kind: 'list',
              items: found.map(({ one }, index) => say`${index + 1}: ${described(one)}`),
            } as const,
          ]),
      {
        kind: 'offers',
        offers: found.slice(0, mostButtons).map(({ offer }, index) => ({
          ...offer,
          label: isClear ? offer.label : `${index + 1}: ${offer.label}`,
        })),
      },
      ...(found.length <= mostButtons ? [] : [{ kind: 'text', text: notAll } as const]),
    ],
  };
}

/** What names it: the words of what it is, of its line without its options, and of its appliance. */
const namesIn = ({ what, line, appliance }: TemporaryThing): readonly string[] =>
  `${plainText(what)} ${line.replace(/ --.*$/, '')} ${appliance}`
    .toLowerCase()
    .split(/[\s,;()"“”]+/)
    .filter((name) => name !== '');

/** Whether it says what is meant, be it only a part of the name: a number, or a word like "to", stands in many lines. */
const isWord = (part: string): boolean => part.length > 3 && /[a-z]{3}/.test(part);

/** More would be a wall of buttons. */
const mostButtons = 10;
const notAll = say`Buttons for the first ${mostButtons}; say more of what you mean for the others.`;

function nothing(words: string, undone: string): InfoReply {
  const lines = others.flatMap(([said, line]) => {
    const found = said.exec(`${undone} ${words}`);
    return found === null ? [] : [line(found[1] ?? '').trim()];
  });
  return {
    headline: say`Nothing ${words === '' ? '' : say`called ${code(words)} `}is temporary in this channel, so nothing was ${undone}. ${code('/appliance temporary')} lists what is.`,
    ...(lines.length > 0 && {
      details: [
        { kind: 'text', text: say`Or did you mean:` },
        { kind: 'offers', offers: lines.map((line) => ({ label: line, line, guess: true })) },
      ],
    }),
  };
}

/** What else people end, extend and keep, which is no temporary change, by what they say of it. */
const others: readonly (readonly [RegExp, (named: string) => string])[] = [
  [/^ended .*\bsessions? ?(\d+)?/i, (id) => `rdp disconnect ${id}`],
  [/^ended .*\bemergency\b/i, () => 'emergency disable'],
  [/^ended .*\b(?:watch(?:ing)?|alerts?|schedule)\b ?(.*)/i, (what) => `unwatch ${what}`],
  [/^extended .*\bmember (\S+)/i, (name) => `rdp member change ${name}`],
  [/^extended .*\bemergency\b/i, () => 'emergency extend'],
  [/^kept (?:an eye on|watching) (.+)/i, (what) => `watch ${what}`],
];

/** "shop.example.net by 1h", "shop.example.net until 18:00" */
function termIn(typed: string): { readonly words: string; readonly term: TypedTerm | undefined } {
  const said = typed.replace(/ please$/i, '');
  const [, words = '', lead = '', text = ''] =
    /^(.*?) ?(?:--)?\b(by|for|until|till|to(?= \d{1,2}:\d\d)) (.+)$/i.exec(said) ?? [];
  if (text === '') return termBehind(said);
  const option = /^(?:by|for)$/i.test(lead) ? 'for' : 'until';
  return { words: words.trim(), term: { option, text } };
}

/** "shop.example.net 1h", "shop.example.net 1 hour" */
function termBehind(said: string): { readonly words: string; readonly term: TypedTerm | undefined } {
  const words = said.split(' ');
  for (const count of [2, 1]) {
    const term = { option: 'for', text: words.slice(-count).join(' ') } as const;
    if (words.length >= count && /^\d/.test(term.text) && readTerm(term) !== undefined)
      return { words: words.slice(0, -count).join(' '), term };
  }
  return { words: said, term: undefined };
}

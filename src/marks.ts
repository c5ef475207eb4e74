/**
 * The one rule by which text that an appliance or a person wrote is made safe to look at: what cannot be seen, or turns
 * other letters round, is shown as `�`, and a word of letters that look alike and are none of one alphabet ends in `⚠`.
 */

/** Controls, marks, tags, and letters without any ink (default-ignorable code points, and the blank of Braille). */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Scripts whose letters take other shapes beside a joiner. */
const joining = String.raw`\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}`;

/** First what is meant to be there: an emoji made of several, its colour or its black and white, a joiner inside of a word. */
const unseenOrMeant = new RegExp(
  [
    String.raw`((?=\p{Emoji})\p{RGI_Emoji}|\p{Extended_Pictographic}[\ufe0e\ufe0f]|(?<=[${joining}])[\u200c\u200d](?=[${joining}])|(?<=\p{Script=Mongolian})[\u180b-\u180d](?=\p{Script=Mongolian}))`,
    unseen.source,
  ].join('|'),
  'gv',
);

const replacement = '\ufffd';
const warning = '⚠';

/** Letters of one word, with what an earlier look has put behind it. */
const words = /[\p{L}\p{M}]+⚠?/gu;
const latin = /\p{Script=Latin}/u;
/** Alphabets with letters that look like those of another one. */
const lookalikes = [
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}|\p{Script=Cherokee}|\p{Script=Coptic}|\p{Script=Lisu}/u,
];
/** Greek letters that look like no other, as in μs, kΩ and ΔT. */
const unmistakable = /[αβγδεζθλμξπσφψωΓΔΘΛΞΠΣΦΨΩ]/gu;

/** The same text, with every such place in it visible. Marked text stays as it is. */
export function marked(text: string): string {
  if (plain.test(text)) return text;
  return withoutUnseen(text).replace(words, (word) =>
    isMixed(word) ? `${word.replace(/⚠$/, '')}${warning}` : word,
  );
}

/** All that needs a closer look; a digit or a sign may begin an emoji. */
const foreign = /[0-9#*]?[^\x20-\x7e]+/g;

/** The first half of the rule: for what leaves the chat, where words stay as they are. */
export function withoutUnseen(text: string): string {
  // Nearly all text is plain, and then there is nothing to do.
  if (plain.test(text) || !unseen.test(text)) return text;
  return text.replace(foreign, (part) =>
    part.replace(unseenOrMeant, (_, meant?: string) => meant ?? replacement),
  );
}

const plain = /^[\x20-\x7e]*$/;

function isMixed(word: string): boolean {
  const letters = word.replace(unmistakable, '');
  const alphabets = lookalikes.filter((alphabet) => alphabet.test(letters)).length;
  return alphabets > 1 || (alphabets === 1 && latin.test(letters));
}

/** What would be marked in a text, for a sentence about it. */
export function strangeIn(text: string): { readonly unseen: boolean; readonly mixed: boolean } {
  return { unseen: withoutUnseen(text) !== text, mixed: (text.match(words) ?? []).some(isMixed) };
}

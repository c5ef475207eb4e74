/**
 * The one rule that makes text from appliances and people safe to read. Characters that are invisible or
 * reverse others become `�`. A word that mixes look-alike letters of several alphabets gets `⚠`.
 */

/** Controls, marks, tags, and letters without any ink (default-ignorable code points, and the blank of Braille). */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Scripts whose letters take other shapes beside a joiner. */
const joining = String.raw`\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}`;

/** Intended characters first: a composed emoji, its colour variant, a joiner inside a word. */
const unseenOrMeant = new RegExp(
  [
    String.raw`((?=\p{Emoji})\p{RGI_Emoji}|\p{Extended_Pictographic}[\ufe0e\ufe0f]|(?<=[${joining}])[\u200c\u200d](?=[${joining}])|(?<=\p{Script=Mongolian})[\u180b-\u180d](?=\p{Script=Mongolian}))`,
    unseen.source,
  ].join('|'),
  'gv',
);

const replacement = '\ufffd';
const warning = '⚠';

/** The letters of a word, with a mark from an earlier pass. */
const words = /[\p{L}\p{M}]+⚠?/gu;
const latin = /\p{Script=Latin}/u;
/** Alphabets with letters that resemble those of another. */
const lookalikes = [
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}|\p{Script=Cherokee}|\p{Script=Coptic}|\p{Script=Lisu}/u,
];
/** Greek letters that resemble no others, as in μs, kΩ and ΔT. */
const unmistakable = /[αβγδεζθλμξπσφψωΓΔΘΛΞΠΣΦΨΩ]/gu;

/** Marks all such characters. Marked text stays unchanged. */
export function marked(text: string): string {
  if (plain.test(text)) return text;
  return withoutUnseen(text).replace(words, (word) =>
    isMixed(word) ? `${word.replace(/⚠$/, '')}${warning}` : word,
  );
}

/** Everything that needs a closer look; a digit or a sign may begin an emoji. */
const foreign = /[0-9#*]?[^\x20-\x7e]+/g;

/** Only removes invisible characters: for text that leaves the chat unchanged otherwise. */
export function withoutUnseen(text: string): string {
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

/** The findings in a text, for a sentence about it. */
export function strangeIn(text: string): { readonly unseen: boolean; readonly mixed: boolean } {
  return { unseen: withoutUnseen(text) !== text, mixed: (text.match(words) ?? []).some(isMixed) };
}

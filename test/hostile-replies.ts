/**
 * Replies that somebody could write so that reading them takes long: each at about a size, in bytes. Some are no JSON;
 * all must be answered, or refused, in the time that their size takes.
 */
export const hostileReplies: Readonly<Record<string, (size: number) => string>> = {
  ...madeOf({
    ...{ letters: 'a', spaces: ' ', brackets: '<', ampersands: '&', stars: '*', dots: '.', digits: '9' },
    ...{ quotes: '\\"', backslashes: '\\\\', 'lone surrogates': '\\ud800', 'combining marks': '\u0301' },
    ...{ 'unclosed tags': '<script ', 'unclosed heads': '<head>', 'line ends': '\\n', slashes: '/' },
    ...{
      denials: 'no emergency? not ',
      upgrades: 'UPGRADE ',
      links: '<http://a',
      commas: ', ',
      seconds: '1 s',
    },
  }),
  'arrays in arrays': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'objects in objects': (size) => `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`,
  'a list in a field': (size) => `{"Sessions":[{"id":1,"x":[${'0,'.repeat(size / 2)}0]}]}`,
  'many short keys': (size) =>
    `{"Sessions":{${Array.from({ length: size / 14 }, (_, index) => `"k${index.toString(36)}":0`).join()}}}`,
  'a record of many fields': (size) =>
    `{"Session":{"id":1,${Array.from({ length: size / 14 }, (_, index) => `"k${index.toString(36)}":"a"`).join()}}}`,
  'many lists': (size) =>
    `{${Array.from({ length: size / 12 }, (_, index) => `"k${index.toString(36)}":[]`).join()}}`,
  'many records': (size) =>
    `{"Status":true,"Sessions":[${Array.from({ length: size / 30 }, (_, index) => `{"id":${index},"name":"a","x":""}`).join()}]}`,
  'a number of many digits': (size) => `{"id":${'9'.repeat(size)}}`,
  'an unclosed text': (size) => `{"info":"${'a"b'.repeat(size / 3)}`,
  'no JSON but a page': (size) => `<html><style>${'<div class="a">&lt;'.repeat(size / 19)}`,
  'open brackets': (size) => '[{"a":'.repeat(size / 6),
  'broken UTF-8': (size) => `{"info":"${'\ufffd\ufffd'.repeat(size / 6)}"}`,
};

/** A text of nothing but these, in a value and in a key, where an answer has them. */
function madeOf(pieces: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(pieces).flatMap(([name, piece]) => {
      const text = (size: number) => piece.repeat(Math.ceil(size / piece.length));
      return [
        [`a text of ${name}`, (size: number) => `{"info":"${text(size)}x"}`],
        [`a refusal of ${name}`, (size: number) => `{"status":false,"error":"x${text(size)}x"}`],
        [`a key of ${name}`, (size: number) => `{"x${text(size)}x":[{"id":1,"name":"a"}]}`],
        [
          `a key of sessions and ${name}`,
          (size: number) => `{"${text(size / 2)}${'session'.repeat(size / 14)}x":[{"id":1}]}`,
        ],
        [`a name of ${name}`, (size: number) => `[{"id":1,"name":"x${text(size)}x","x":"${piece}"}]`],
      ] as const;
    }),
  );
}

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
  'many short keys': (size) => `{"Sessions":{${times(size, 14, (index) => `"k${index.toString(36)}":0`)}}}`,
  'a record of many fields': (size) =>
    `{"Session":{"id":1,${times(size, 14, (index) => `"k${index.toString(36)}":"a"`)}}}`,
  'many lists': (size) => `{${times(size, 12, (index) => `"k${index.toString(36)}":[]`)}}`,
  'many records': (size) =>
    `{"Status":true,"Sessions":[${times(size, 30, (index) => `{"id":${index},"name":"a","x":""}`)}]}`,
  'things of few bytes': (size) => `{"Sessions":[${times(size, 11, (index) => `{"id":${index}}`)}]}`,
  'as many records as are read': (size) =>
    `{"Sessions":[${times(size, 81, (index) => `{"id":${index},"user":"a","created":"1","x":[${'0,'.repeat(18)}0]}`)}]}`,
  'records without a field': (size) => `{"Sessions":[${times(size, 3, () => '{}')}]}`,
  'a list of bare values': (size) => `{"Sessions":[${times(size, 2, () => '0')}],"id":1}`,
  'lists in a list': (size) => `{"Session":{"id":1,"x":[${times(size, 3, () => '[]')}]}}`,
  'records with ever other names': (size) =>
    `{"Sessions":[${times(size, 20, (index) => `{"id":1,"k${index.toString(36)}":0}`)}]}`,
  'records with as many names as are read': (size) =>
    `[${times(size, 100_000, () => `{"id":1,${times(Math.min(size, 99_990), 10, (index) => `"${index.toString(36)}a":0`)}}`)}]`,
  'records in which the names take turns': (size) =>
    `{"Sessions":[${times(size, 35, (index) => `{"id":${index},"${(index % 9_000).toString(36)}k":0,"${(index % 89).toString(36)}u":0}`)}]}`,
  'maps of records': (size) =>
    `{${times(size, 900_000, (map) => `"map${map}":{${times(Math.min(size, 900_000), 12, (index) => `"${index.toString(36)}k":{}`)}}`)}}`,
  'a map of records': (size) =>
    `{"Sessions":{${times(size, 81, (index) => `"${index.toString(36)}k":{"id":${index},"x":"${'a'.repeat(48)}"}`)}}}`,
  'places far from each other': (size) =>
    `{"Sessions":{${times(size, 14, (index) => `"${(index * 7_919) % 4_294_967_291}":0`)}}}`,
  'records with secrets in them': (size) =>
    `{"Sessions":[${times(size, 40, (index) => `{"id":${index},"x":{"password":"${index}"}}`)}]}`,
  'a field full of secrets': (size) =>
    `{"Session":{"id":1,"x":[${times(size, 18, () => '{"password":"ab"}')}]}}`,
  'as many SQL users as are read': (size) =>
    `{"Users":[${times(size, 81, (index) => `{"User":"a","k${index % 500}_priv":"Y","x":"${'a'.repeat(42)}"}`)}]}`,
  'SQL users with ever other names': (size) =>
    `{"Users":[${times(size, 24, (index) => `{"User":"","k${index}":0}`)}]}`,
  'SQL users with as many names as are read': (size) =>
    `{"Users":[${times(size, 100_000, () => `{"User":"",${times(Math.min(size, 99_980), 10, (index) => `"${index.toString(36)}a":0`)}}`)}]}`,
  'a number of many digits': (size) => `{"id":${'9'.repeat(size)}}`,
  'an unclosed text': (size) => `{"info":"${'a"b'.repeat(size / 3)}`,
  'no JSON but a page': (size) => `<html><style>${'<div class="a">&lt;'.repeat(size / 19)}`,
  'open brackets': (size) => '[{"a":'.repeat(size / 6),
  'broken UTF-8': (size) => `{"info":"${'\ufffd\ufffd'.repeat(size / 6)}"}`,
};

/** As many of these as have place in that many bytes, if each takes so many. */
function times(size: number, each: number, make: (index: number) => string): string {
  return Array.from({ length: Math.ceil(size / each) }, (_, index) => make(index)).join();
}

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

/**
 * The text in a file, in whatever encoding the program has written it that it comes from: UTF-8 with or without its mark,
 * UTF-16 as Excel and Notepad save it, and what is no UTF-8 as the Latin letters of Windows. Undefined where it is no text.
 */
export function decode(bytes: Uint8Array): string | undefined {
  // Some programs end lines with marks of their own, and pages.
  const text = decoded(bytes)
    .replace(/^\ufeff+/, '')
    .replace(/[\u2028\u2029\u0085\v\f]/g, '\n');
  return hasControls.test(text) ? undefined : text;
}

/** What no text has but tabs, line ends and page breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const hasControls = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

function decoded(bytes: Uint8Array): string {
  const wide = wideIn(bytes);
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** By its mark; without one every other byte of Latin letters is empty. */
function wideIn(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const head = bytes.subarray(0, 512);
  if (head.length < 4 || head.length % 2 === 1) return undefined;
  const empty = [0, 1].map((odd) => head.every((byte, index) => index % 2 !== odd || byte === 0));
  if (empty[0] === empty[1]) return undefined;
  return empty[1] ? 'utf-16le' : 'utf-16be';
}

/**
 * The one rule that makes text storable, so that stored, searched, digested and compared text is the same.
 * PostgreSQL refuses zero characters, SQLite cuts text at one, and UTF-8 has no half surrogate pairs: each
 * becomes `�`. Everything else stays.
 */
export const storedText = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();

export const isStoredText = (text: string): boolean => storedText(text) === text;

/** The rule for all texts in JSON, including names. `JSON.stringify` escapes exactly these characters. */
export const storedJson = (json: string): string =>
  json.replaceAll(/\\\\|\\u(?:0000|d[89a-f][0-9a-f]{2})/g, (found) => (found === '\\\\' ? found : '\ufffd'));

export const isStoredJson = (json: string): boolean => storedJson(json) === json;

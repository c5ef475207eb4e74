/** A short, harmless quotation of what an appliance answered, for error messages and logs. */

const longest = 200;
/** Enough to find 200 characters of text in an HTML page, little enough to stay fast on a 4 MiB one. */
const looked = 8_000;

/**
 * One line of at most 200 characters: no tags, no control characters, no marks that turn text around.
 * Escaping for Slack is not done here: this text is still an appliance's, so treat it as hostile.
 * @param secrets texts that must not appear, such as the Web API key of a server that echoes its request
 */
export function excerptOf(text: string, secrets: readonly string[] = []): string {
  let plain = text;
  // Before anything is cut off: half a secret would no longer be found.
  for (const secret of secrets) plain = plain.replaceAll(secret, '[hidden]');
  plain = plain
    .slice(0, looked)
    .replaceAll(/<(script|style|head)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replaceAll(/<[^<>]*>/g, ' ')
    // Control characters, zero-width and direction marks, the byte order mark, lone surrogates.
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = Array.from(plain);
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : plain;
}

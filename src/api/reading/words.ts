import { maskSecrets } from '../../secrets.ts';
import { bodyIn } from './documents.ts';
import { field, isRecord } from './envelope.ts';
import { withoutSecrets } from './excerpt.ts';
import { isEnvelope } from './reply.ts';
import { isNested, shownText, textOf } from './said.ts';

/** In characters, of what an appliance said; and of the text that is looked through for it. */
const longest = 100_000;

/**
 * All that an appliance said, for people, in lines: its own words first, then every other field under its name. Of a page,
 * its text. Without secrets, control characters and tags; still hostile text. '' when it said nothing.
 */
export function wordsOf(text: string, secrets: readonly string[]): string {
  const all = withoutSecrets(linesOf(text.slice(0, longest)).join('\n'), secrets);
  return maskSecrets(cleaned(all), '[hidden]').slice(0, longest);
}

function linesOf(text: string): readonly string[] {
  try {
    return fieldsIn(bodyIn(text));
  } catch {
    // No JSON, or nested deeper than any text can be made of.
    return [withoutTags(text)];
  }
}

function fieldsIn(body: unknown): readonly string[] {
  if (!isRecord(body)) return isNested(body) ? [shownText('', body)] : [textOf(body)];
  const own = [field(body, 'error'), field(body, 'info')].filter((one) => typeof one === 'string');
  const others = Object.entries(body).flatMap(([name, value]) => {
    if (isEnvelope(name, value) || own.includes(value as string)) return [];
    const isLog = Array.isArray(value) && !value.some(isNested);
    return isLog
      ? [`${name}:`, ...value.map((line) => textOf(line))]
      : [`${name}: ${shownText(name, value)}`];
  });
  const all = [...own, ...others].filter((line) => line !== '');
  // A bare yes or no is all it said.
  return all.length === 0 && Object.keys(body).length > 0 ? [JSON.stringify(body)] : all;
}

const withoutTags = (text: string): string =>
  text.replaceAll(/<(script|style|head)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ').replaceAll(/<[^<>]*>/g, ' ');

/** No control characters, zero-width and direction marks, lone surrogates; blanks and empty lines once. */
const cleaned = (text: string): string =>
  text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) =>
      line
        .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '')
    .join('\n');

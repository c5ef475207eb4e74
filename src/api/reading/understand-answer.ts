import { isDeepStrictEqual } from 'node:util';
import { cut, shortened } from '../../graphemes.ts';
import { maskSecrets } from '../../secrets.ts';
import type { Endpoint } from '../endpoint.ts';
import { DefectiveBuild, Empty, NotJson, NotServed, Refused, UnexpectedReply } from '../errors.ts';
import { keysOf, Misfit } from './bounds.ts';
import { type Envelope, field, isRecord, openEnvelope } from './envelope.ts';
import { excerptOf, hiding, isPage, withoutSecrets } from './excerpt.ts';
import { extentOf, withExtent, withExtents } from './extent.ts';
import { obstacleAt, obstacleOf } from './obstacles.ts';
import { isEnvelope, Refusal } from './reply-reader.ts';
import { isNested, shownText, textOf } from './said.ts';

/**
 * Turns the text of an answer into the value of the call.
 * @param asked the checked arguments of the call
 * @param secrets texts that must not be repeated
 * @throws ApplianceError with the appliance's answer, if it gives no value
 */
export function understand<Value>(
  operation: string,
  endpoint: Endpoint<object, Value>,
  text: string,
  asked: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
): Value {
  const answer = open(text.replace(/^\uFEFF/, '').trim());
  const obstacle = obstacleAt(endpoint.service, obstacleOf(answer));
  if (obstacle !== undefined && !endpoint.tellsOf.includes(obstacle)) {
    throw new NotServed(obstacle, excerptOf(answer.error || answer.info, secrets), circumstances());
  }
  if (answer.status === false && !endpoint.falseIsAnswer) throw refused();
  // A question with an Error text (§7.2) and no Status true is unanswered, whatever else it contains: an empty
  // list would pass for proof that there is nothing.
  if (endpoint.effect === 'read' && answer.error !== '' && answer.status === undefined) throw refused();
  try {
    const value = withoutEchoes(endpoint.reply.read(answer, asked), text, secrets);
    return withExtents(value, operation, answer.body);
  } catch (error) {
    if (error instanceof Refusal) throw refused(error.log);
    throw unexpected(error);
  }

  function open(json: string): Envelope {
    // An order may be confirmed silently, but a question needs an answer.
    if (json === '' && endpoint.effect === 'read') throw new Empty({ operation, sent: 'yes' });
    let body: unknown;
    let isBlank = false;
    try {
      body = json === '' ? undefined : bodyIn(json);
      // Listing the keys of a large answer takes half as long as parsing it, so it is done once.
      isBlank = isRecord(body) && keysOf(body).length === 0;
    } catch (error) {
      if (error instanceof Misfit) throw unexpected(error);
      throw new NotJson(circumstances(), isPage(json));
    }
    if (endpoint.effect === 'read' && isBlank) throw new Empty({ operation, sent: 'yes' });
    try {
      const opened = openEnvelope(body);
      // Readers may shorten these, and half a secret would no longer be found.
      const hide = (said: string) => withoutSecrets(said, longOnes(secrets));
      return { ...opened, info: hide(opened.info), error: hide(opened.error) };
    } catch (error) {
      // Nested too deeply to print.
      throw unexpected(error);
    }
  }

  function refused(log?: readonly string[]) {
    const { knownDefect } = endpoint;
    if (knownDefect?.says.test(`${answer.error} ${answer.info}`)) {
      return new DefectiveBuild(knownDefect, circumstances());
    }
    return new Refused(
      excerptOf(answer.error || answer.info, secrets),
      circumstances(),
      log?.map((line) => withoutSecrets(line, secrets)),
    );
  }

  function unexpected(error: unknown) {
    // A reader's unexpected error means that the answer is unreadable.
    const misfit = error instanceof Misfit ? error : new Misfit('', String(error));
    // Both may contain the appliance's words, so they are withoutControls like those.
    const [at, problem] = [excerptOf(misfit.at, secrets), excerptOf(misfit.problem, secrets)];
    return new UnexpectedReply(at, problem, circumstances(), misfit.tooMuch);
  }

  function circumstances() {
    return {
      operation,
      sent: 'yes',
      excerpt: excerptOf(text, secrets),
      words: wordsOf(text, secrets),
    } as const;
  }
}

/**
 * Parses an answer. Some engines send two documents in sequence, such as the same refusal twice (field notes).
 * A document that repeats another, or only reports success, adds nothing. A refusal beside anything else makes
 * the answer a refusal.
 * @throws SyntaxError if it is no JSON
 * @throws Misfit if several documents differ
 */
export function bodyIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const documents = documentsIn(text);
    if (documents === undefined) throw error;
    return whatTheySay(documents);
  }
}

function whatTheySay(documents: readonly unknown[]): unknown {
  const [first] = documents;
  if (documents.every((one) => isDeepStrictEqual(one, first))) return first;
  const refusal = documents.find(isRefusal);
  if (refusal !== undefined) return refusal;
  const telling = documents.filter((one) => !isBare(one));
  const [only = documents.find((one) => openEnvelope(one).info !== '') ?? first] = telling;
  if (telling.length > 1) throw new Misfit('', 'has several JSON documents that differ');
  return only;
}

function isRefusal(document: unknown): boolean {
  const { status, error } = openEnvelope(document);
  return status === false || (error !== '' && status === undefined);
}

const isBare = (document: unknown): boolean =>
  isRecord(document) && Object.entries(document).every(([key, value]) => isEnvelope(key, value));

/** More documents are a stream, and no answer. */
const mostDocuments = 8;

/** Undefined unless it consists of several documents. */
function documentsIn(text: string): readonly unknown[] | undefined {
  const documents: unknown[] = [];
  let at = 0;
  try {
    while (at < text.length) {
      if (documents.length === mostDocuments) return undefined;
      const end = endOf(text, at);
      // A single one, which its parser has refused already.
      if (at === 0 && end === text.length) return undefined;
      documents.push(JSON.parse(text.slice(at, end)));
      at = end;
      while (/\s/.test(text[at] ?? '')) at += 1;
    }
  } catch {
    return undefined;
  }
  return documents.length > 1 ? documents : undefined;
}

/** The end of the document that begins there. Its parser finds errors inside. */
function endOf(text: string, start: number): number {
  let depth = 0;
  let isText = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (isText) {
      if (character === '\\') at += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') {
      isText = true;
    } else if (character === '{' || character === '[') {
      depth += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
    }
    if (depth === 0 && !isText && /[\s}\]"]/.test(character ?? '')) return at + 1;
  }
  return text.length;
}

/** In characters: the maximum result, and the maximum text to search for it. */
const longest = 100_000;

/**
 * An appliance's whole answer for people, in lines: its own words first, then every other field with its name.
 * For a page, its text. Without secrets, control characters and tags; still hostile text. '' if empty.
 */
export function wordsOf(text: string, secrets: readonly string[]): string {
  const all = withoutSecrets(linesOf(cut(text, longest)).join('\n'), secrets);
  return shortened(maskSecrets(withoutControls(all), '[hidden]'), longest);
}

function linesOf(text: string): readonly string[] {
  try {
    return fieldsIn(bodyIn(text));
  } catch {
    // No JSON, or nested too deeply to print.
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
  // The answer is a bare yes or no.
  return all.length === 0 && Object.keys(body).length > 0 ? [JSON.stringify(body)] : all;
}

const withoutTags = (text: string): string =>
  text.replaceAll(/<(script|style|head)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ').replaceAll(/<[^<>]*>/g, ' ');

/**
 * Removes control characters, zero-width and direction marks and lone surrogates, and repeated blanks and empty
 * lines.
 */
const withoutControls = (text: string): string =>
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

/**
 * The minimum length of a secret that is searched in values, and of a key. A shorter one occurs in unrelated
 * words, names and numbers.
 */
export const shortestSecret = 8;

/** Secrets to search in text other than sentences. */
const longOnes = (secrets: readonly string[]): readonly string[] =>
  secrets.filter(({ length }) => length >= shortestSecret);

/**
 * Removes secrets from the value of a call, in case a server repeats the key or a password: from its texts, and
 * from the appliance's own names. The value is read first, so that hiding a secret cannot change its meaning.
 * The appliance's words (`info`) lose every secret; other texts are usually names, and lose the long ones only.
 */
function withoutEchoes<Value>(value: Value, text: string, secrets: readonly string[]): Value {
  const long = longOnes(secrets);
  const info = isRecord(value) ? value.info : undefined;
  const clean = mayHold(text, long) ? cleaned(value, hiding(long), false) : value;
  // Both are copies of `value` with only texts replaced.
  return typeof info !== 'string'
    ? (clean as Value)
    : ({ ...(clean as object), info: withoutSecrets(info, secrets) } as Value);
}

/** Most answers repeat nothing, and a text search is cheaper than a walk through a large value. */
function mayHold(text: string, secrets: readonly string[]): boolean {
  // JSON may escape a letter.
  const [hasAny, hasAscii] = [text.includes('\\u'), /\\u00[2-7]/.test(text)];
  return secrets.some(
    (secret) =>
      text.includes(secret) || /["\\/]/.test(secret) || (/^[\x20-\x7e]*$/.test(secret) ? hasAscii : hasAny),
  );
}

/** @param areNamesTheirs whether the names in it are the appliance's own */
function cleaned(value: unknown, hide: (text: string) => string, areNamesTheirs: boolean): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) {
    const list = value.map((one) => cleaned(one, hide, areNamesTheirs));
    return withExtent(list, extentOf(value));
  }
  if (!isRecord(value) || value instanceof Date) return value;
  const record = Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      areNamesTheirs ? hide(name) : name,
      cleaned(one, hide, areNamesTheirs || name === 'fields'),
    ]),
  );
  return withExtent(record, extentOf(value));
}

import { isDeepStrictEqual } from 'node:util';
import { isRecord, openEnvelope } from './envelope.ts';
import { Misfit } from './misfit.ts';
import { isEnvelope } from './reply.ts';

/**
 * What an answer is, as JSON. Some engines send two documents one after the other, such as the same refusal twice (field
 * notes): a document that only repeats another, or says no more than that all went well, adds nothing to it, and a refusal
 * beside anything else is one.
 * @throws SyntaxError where it is no JSON
 * @throws Misfit where several documents each say something else
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

/** Nothing but an envelope. */
const isBare = (document: unknown): boolean =>
  isRecord(document) && Object.entries(document).every(([key, value]) => isEnvelope(key, value));

/** More are no answer but a stream of something else. */
const mostDocuments = 8;

/** Undefined where it is not several documents and nothing else. */
function documentsIn(text: string): readonly unknown[] | undefined {
  const documents: unknown[] = [];
  let at = 0;
  try {
    while (at < text.length) {
      if (documents.length === mostDocuments) return undefined;
      const end = endOf(text, at);
      documents.push(JSON.parse(text.slice(at, end)));
      at = end;
      while (/\s/.test(text[at] ?? '')) at += 1;
    }
  } catch {
    return undefined;
  }
  return documents.length > 1 ? documents : undefined;
}

/** Where the document ends that begins there. What is wrong inside of it is left to its parser. */
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

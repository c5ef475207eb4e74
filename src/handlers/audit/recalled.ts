import { moment, plainText, type Span, type Text } from '../text.ts';

/** A person, group or channel in a text: its position, kind and ID. */
interface Named {
  readonly at: number;
  readonly kind: 'person' | 'group' | 'channel';
  readonly id: string;
}

/**
 * The people, groups and channels in a text. They are stored beside the plain words. An appliance may write
 * something like any ID, so words alone must never become a mention.
 */
export function namedIn(text: Text): { readonly named?: readonly Named[] } {
  const named: Named[] = [];
  let at = 0;
  for (const span of text) {
    if (
      typeof span !== 'string' &&
      (span.kind === 'person' || span.kind === 'group' || span.kind === 'channel')
    )
      named.push({ at, kind: span.kind, id: span.id });
    at += plainText([span]).length;
  }
  return named.length === 0 ? {} : { named };
}

/** A text as the journal stores it: plain words, and the mentions in them. */
export const inWords = (text: Text): { readonly says: string; readonly named?: readonly Named[] } => ({
  says: plainText(text),
  ...namedIn(text),
});

/** Restores a text from plain words (`plainText`): moments in each reader's time zone, and the recorded mentions. */
export function recalled(words: string, named: readonly Named[] = []): Text {
  const whole = words.replace(halfMoment, '…');
  const spans: Span[] = [];
  let from = 0;
  for (const { at, kind, id } of named) {
    // A shortened text may lack its end.
    if (at < from || id === '' || whole.slice(at, at + id.length) !== id) continue;
    spans.push(...withMoments(whole.slice(from, at)), { kind, id });
    from = at + id.length;
  }
  return [...spans, ...withMoments(whole.slice(from))];
}

const withMoments = (words: string): Text =>
  words.split(written).flatMap((part, at, parts): readonly Span[] => {
    if (part === '') return [];
    // The separators are at every other position. A moment includes its own "at": "today 20:27".
    if (at % 2 === 0) return [at + 1 < parts.length ? part.replace(/\bat $/, '') : part];
    const time = Date.parse(part);
    return [Number.isNaN(time) ? part : moment(time)];
  });

/** A moment as `plainText` or an appliance writes it. */
const written = /(\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z)/;

/** What is left of a moment where a shortened text ends in it. */
const halfMoment = /\b\d{4}-[\d.:T-]*…$/;

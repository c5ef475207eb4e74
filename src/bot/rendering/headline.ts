import { type Span, strong, type Text } from '../../handlers/reply.ts';
import { byMarks } from './emoji.ts';
import { joined, lengthOf } from './text.ts';

/** Characters of a headline that is read at a glance; what is longer and has a colon is over there. */
const glance = 80;

/** The first sentence in bold, and what follows it as it is. */
export function oneWeight(text: Text): readonly [lead: Text, rest: Text] {
  const [lead, rest] = split(joined(text), /[.?!](?=\s)/);
  const [short, more] = lengthOf(lead) > glance ? split(lead, /:(?=\s)/) : [lead, []];
  return [together(short.flatMap(bold)), [...more, ...rest]];
}

/** Before the end of this mark, where it first stands among the words, and after it. */
function split(text: Text, mark: RegExp): readonly [before: Text, after: Text] {
  for (const [index, span] of text.entries()) {
    if (typeof span !== 'string') continue;
    const at = span.search(mark);
    if (at === -1) continue;
    const end = at + 1;
    return [
      [...text.slice(0, index), span.slice(0, end)],
      [span.slice(end), ...text.slice(index + 1)],
    ];
  }
  return [text, []];
}

const bold = (span: Span): Text =>
  typeof span !== 'string'
    ? [span]
    : byMarks(span).map((part) => (typeof part === 'string' ? strong(part) : part.mark));

/** Neighbours in bold are one piece, however many values a sentence was written with. */
const together = (text: Text): Text =>
  text.reduce<Span[]>((whole, span) => {
    const [last, now] = [boldIn(whole.at(-1)), boldIn(span)];
    if (last === undefined || now === undefined) whole.push(span);
    else whole[whole.length - 1] = strong(last + now);
    return whole;
  }, []);

const boldIn = (span: Span | undefined): string | undefined =>
  typeof span === 'object' && span.kind === 'strong' ? span.text : undefined;

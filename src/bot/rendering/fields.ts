import type { KnownBlock, MrkdwnElement, RichTextBlock, SectionBlock } from '@slack/types';
import type { Field, Span } from '../../handlers/reply.ts';
import { byMarks } from './emoji.ts';
import { limits } from './limits.ts';
import { isLiteral, lengthOf, mrkdwn } from './text.ts';

/** Characters of a fact that has room beside another one. */
const short = 48;

/**
 * Facts, two beside each other where they are short: each with its name above it. What is a sentence follows them, and it, what stands
 * alone, and what would be read as formatting by Slack is a line, as `lines` draws it.
 */
export function factBlocks(
  fields: readonly Field[],
  lines: (fields: readonly Field[]) => RichTextBlock,
): readonly KnownBlock[] {
  const facts = fields.filter(hasRoom);
  if (facts.length < 2) return [lines(fields)];
  const sentences = fields.filter((field) => !hasRoom(field));
  const grids = Array.from({ length: Math.ceil(facts.length / limits.fields) }, (_, at) =>
    grid(facts.slice(at * limits.fields, (at + 1) * limits.fields)),
  );
  return [...grids, ...(sentences.length === 0 ? [] : [lines(sentences)])];
}

function hasRoom({ name, value }: Field): boolean {
  const said = value.map((span) => (typeof span === 'string' ? span : 'text' in span ? span.text : ''));
  return name.length <= short && lengthOf(value) <= short && isLiteral(name) && isLiteral(said.join(''));
}

const grid = (fields: readonly Field[]): SectionBlock => ({ type: 'section', fields: fields.map(fact) });

const fact = ({ name, value }: Field): MrkdwnElement => ({
  type: 'mrkdwn',
  text: `*${mrkdwn([name])}*\n${value.map(drawn).join('') || '–'}`,
  verbatim: true,
});

function drawn(span: Span): string {
  if (typeof span !== 'string') return mrkdwn([span]);
  return byMarks(span)
    .map((part) => (typeof part === 'string' ? mrkdwn([part]) : `:${part.emoji}:`))
    .join('');
}

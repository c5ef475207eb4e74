import type { Said, SaidPart } from '../../action/base/chat.ts';
import { inWords, type Text } from '../../handlers/reply.ts';

/**
 * A message in words: all that a screen reader reads of it, and the line of a notification (slack-facts.md §1). It begins with
 * what matters most, and says all that is seen but the labels of buttons, which are read out where they stand.
 */
export function spoken({ headline, details = [] }: Said): Text {
  const told = [headline, ...details.map(wordsOf)];
  const whole = told.filter((text) => text.length > 0);
  return whole.length === 0
    ? ['Details']
    : whole.flatMap((text, index) => (index === 0 ? text : [' · ', ...text]));
}

const wordsOf = (part: SaidPart): Text =>
  part.kind === 'buttons' ? (part.beside ?? []) : part.kind === 'section' ? [part.title] : inWords(part);

import type { Said, SaidPart } from '../../action/base/chat.ts';
import { inWords, type Text } from '../../handlers/reply.ts';

/**
 * A message in words: all that a screen reader reads of it, and the line of a notification (slack-facts.md §1). The
 * headline stands alone; a message without one is read out. What only charts show is said in any case, and what may have
 * been meant where a line was not understood.
 */
export function spoken({ headline, details = [] }: Said): Text {
  const parts = headline.length === 0 ? details : details.filter(isHeard);
  const told = parts
    .map((part) => (part.kind === 'buttons' ? [] : inWords(part)))
    .filter((text) => text.length > 0);
  const whole = headline.length === 0 ? told : [headline, ...told];
  return whole.length === 0
    ? ['Details']
    : whole.flatMap((text, index) => (index === 0 ? text : [' · ', ...text]));
}

const isHeard = (part: SaidPart): boolean =>
  part.kind === 'chart' || (part.kind === 'list' && part.heard === true);

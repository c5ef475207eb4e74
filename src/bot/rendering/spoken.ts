import type { Said, SaidPart } from '../../action/base/chat.ts';
import type { Text } from '../../handlers/reply.ts';
import { chartSummary } from './chart.ts';

/**
 * A message in words: all that a screen reader reads of it, and the line of a notification (slack-facts.md §1). The
 * headline stands alone; a message without one is read out. What only charts show is said in any case.
 */
export function spoken({ headline, details = [] }: Said): Text {
  const parts = headline.length === 0 ? details : details.filter(({ kind }) => kind === 'chart');
  const told = parts.map(partInWords).filter((text) => text.length > 0);
  const whole = headline.length === 0 ? told : [headline, ...told];
  return whole.length === 0
    ? ['Details']
    : whole.flatMap((text, index) => (index === 0 ? text : [' · ', ...text]));
}

function partInWords(part: SaidPart): Text {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'fields':
      return part.fields.flatMap(({ name, value }, index) => [
        `${index === 0 ? '' : ', '}${name}: `,
        ...value,
      ]);
    case 'list':
      return joined(part.items, ', ');
    case 'table':
      return [
        `Table of ${part.columns.join(', ')}${part.rows.length === 0 ? '' : ': '}`,
        ...joined(
          part.rows.map((row) => joined(row, ', ')),
          '; ',
        ),
      ];
    case 'log':
      return [`${part.name}: ${part.text.replaceAll('\n', ' / ')}`];
    case 'chart':
      return [chartSummary(part)];
    case 'buttons':
      return [];
  }
}

const joined = (texts: readonly Text[], separator: string): Text =>
  texts.flatMap((text, index) => (index === 0 ? text : [separator, ...text]));

import { Read } from './Draw.tsx';
import { writeDate } from './dates.ts';
import type { TextObject } from './elements.ts';
import { mrkdwn, plain, unescaped } from './mrkdwn.ts';

export const isText = (value: unknown): value is TextObject =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  (value.type === 'mrkdwn' || value.type === 'plain_text') &&
  'text' in value &&
  typeof value.text === 'string';

/** A text object as its sender meant it. */
export function Text({ of, className }: { readonly of: TextObject; readonly className?: string }) {
  const text =
    of.type === 'mrkdwn'
      ? mrkdwn(of.text, (seconds, format, fallback) => writeDate(seconds, format, fallback, new Date()))
      : plain(of.text);
  return (
    <span className={className}>
      <Read text={text} />
    </span>
  );
}

/** A text object in one line of characters, for labels and titles. */
export const words = (text: unknown): string => (isText(text) ? unescaped(text.text) : '');

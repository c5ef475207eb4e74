import type { Attachment } from '../protocol.ts';
import { blockLines } from './blocks.ts';
import { mrkdwn, type Reading } from './text.ts';

/** The content under a message's own text, behind a bar as on the page. */
export function attachmentLines(attachments: readonly Attachment[], reading: Reading): string[] {
  return attachments.flatMap((attachment) => {
    const {
      pretext,
      author_name,
      title,
      text,
      fields = [],
      blocks = [],
      footer,
      fallback,
      files = [],
    } = attachment;
    const read = (given: string | undefined) => (given ? mrkdwn(given, reading).split('\n') : []);
    const body = [
      ...read(title),
      ...read(text),
      ...fields.map((field) => read([field.title, field.value].filter(Boolean).join(': ')).join(' ')),
      ...blockLines(blocks, reading),
      ...files.map(({ name }) => `[file ${name}]`),
    ];
    const inside = [
      ...read(author_name),
      ...(body.length === 0 && !pretext ? read(fallback) : body),
      ...read(footer),
    ];
    return [...read(pretext), ...inside.map((line) => `▏ ${line}`)];
  });
}

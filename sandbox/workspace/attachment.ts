import type { Attachment, Block } from './protocol.ts';

/** The blocks of a message in the order in which they are read: its own, and those of its attachments. */
export function allBlocks(message: {
  readonly blocks?: readonly Block[] | undefined;
  readonly attachments?: readonly unknown[] | undefined;
}): readonly Block[] {
  const attachments = (message.attachments ?? []) as readonly Attachment[];
  return [...(message.blocks ?? []), ...attachments.flatMap(({ blocks = [] }) => blocks)];
}

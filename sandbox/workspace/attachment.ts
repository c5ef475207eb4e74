import type { Block, SharedFile } from './protocol.ts';

/** What stands under a message's text, or is shown of one of its links (`from_url`). As the app sent it: anything may be missing. */
export interface Attachment {
  readonly from_url?: string;
  readonly color?: string;
  readonly pretext?: string;
  readonly author_name?: string;
  readonly title?: string;
  readonly title_link?: string;
  readonly text?: string;
  readonly fields?: readonly { readonly title?: string; readonly value?: string }[];
  readonly image_url?: string;
  readonly footer?: string;
  /** Shown where there is nothing else to show. */
  readonly fallback?: string;
  readonly blocks?: readonly Block[];
  /** Set when it is a message that somebody has forwarded, whose files these are. */
  readonly is_share?: boolean;
  readonly files?: readonly SharedFile[];
}

/** The blocks of a message in the order in which they are read: its own, and those of its attachments. */
export function allBlocks(message: {
  readonly blocks?: readonly Block[] | undefined;
  readonly attachments?: readonly unknown[] | undefined;
}): readonly Block[] {
  const attachments = (message.attachments ?? []) as readonly Attachment[];
  return [...(message.blocks ?? []), ...attachments.flatMap(({ blocks = [] }) => blocks)];
}

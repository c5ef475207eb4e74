import { createContext, type ReactNode, useContext } from 'react';
import { type Block as DrawnBlock, type MessageProps, Message as Renderer } from 'slack-blocks-to-jsx';
import type { Block } from '../../protocol.ts';
import { channelOf, nameOf, useWorkspace } from '../workspace.ts';
import { writeDate } from './dates.ts';
import { Emoji } from './Emoji.tsx';
import type { RichText } from './mrkdwn.ts';
import { withEmoji } from './symbols.ts';

/**
 * The renderer draws, but we must draw some parts ourselves: texts (see mrkdwn.ts) and everything that can be used. Each
 * such part travels as a mention of a made-up person, `<@slot-…>`, which the renderer's hook for mentions replaces. So
 * every frame around it stays the renderer's.
 */
export const Slots = createContext<ReadonlyMap<string, ReactNode>>(new Map());

function Mention({ id }: { readonly id: string }) {
  const slots = useContext(Slots);
  const { directory } = useWorkspace();
  if (slots.has(id)) return slots.get(id);
  const toViewer = id === directory.viewer;
  return <span className={`mention${toViewer ? ' mention-you' : ''}`}>@{nameOf(directory, id)}</span>;
}

function ChannelMention({ id }: { readonly id: string }) {
  const { directory } = useWorkspace();
  return <span className="mention">#{channelOf(directory, id)?.name ?? id}</span>;
}

function GroupMention({ id }: { readonly id: string }) {
  const { directory } = useWorkspace();
  return <span className="mention">@{directory.groups[id] ?? id}</span>;
}

/** The renderer keeps the first hooks that it gets, so they are made once and read the page's contexts instead. */
const hooks: NonNullable<MessageProps['hooks']> = {
  user: ({ id }) => <Mention id={id} />,
  channel: ({ id }) => <ChannelMention id={id} />,
  usergroup: ({ id }) => <GroupMention id={id} />,
  emoji: (emoji, unicode) => <Emoji name={emoji.name} unicode={unicode(emoji)} />,
  date: ({ timestamp, format, fallback }) =>
    writeDate(Number(timestamp), format, fallback || timestamp, new Date()),
  link: ({ href, children, className }) => (
    <a href={href} className={className} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ),
};

export function Draw({
  blocks,
  className,
}: {
  readonly blocks: readonly Block[];
  readonly className: string;
}) {
  const { theme } = useWorkspace();
  return (
    <Renderer
      withoutWrapper
      name=""
      logo=""
      theme={theme}
      className={className}
      hooks={hooks}
      // The renderer skips blocks that it does not know.
      blocks={[...blocks] as unknown as DrawnBlock[]}
    />
  );
}

/** Text that is already read, drawn inside of whatever stands around it. */
export function Read({ text }: { readonly text: readonly RichText[] }) {
  return <Draw className="read" blocks={[withEmoji({ type: 'rich_text', elements: text })]} />;
}

import { memo, useState } from 'react';
import type { Message as Said } from '../protocol.ts';
import { Attachments } from './Attachments.tsx';
import { Avatar } from './Avatar.tsx';
import { Blocks } from './blocks/Blocks.tsx';
import { SurfaceProvider, useEntered } from './blocks/surface.tsx';
import { Text } from './blocks/Text.tsx';
import { Entities } from './Entities.tsx';
import { Files } from './Files.tsx';
import { Forward } from './Forward.tsx';
import { EyeIcon, MoreIcon, ReplyIcon } from './icons.tsx';
import { Menu } from './Menu.tsx';
import { MessageEditor } from './MessageEditor.tsx';
import { ReactionMenu, Reactions } from './Reactions.tsx';
import { clockTime, dateOf, dayName, gutterTime } from './time.ts';
import { nameOf, personOf, useWorkspace } from './workspace.ts';

interface Props {
  readonly message: Said;
  /** Follows another message of the same author: name and avatar are not said again. */
  readonly follows: boolean;
  readonly inThread?: boolean;
  /** The ts of the last reply in the message's thread. */
  readonly lastReply?: string | undefined;
}

export const Message = memo(function Message({ message, follows, inThread = false, lastReply }: Props) {
  const { directory } = useWorkspace();
  const [editing, setEditing] = useState(false);
  const [forwarding, setForwarding] = useState(false);
  const person = personOf(directory, message.user);
  const name = nameOf(directory, message.user);
  const ephemeral = message.ephemeral_to !== undefined;
  const time = (
    <time className="message-time" dateTime={dateOf(message.ts).toISOString()}>
      {follows ? gutterTime(message.ts) : clockTime(message.ts)}
    </time>
  );
  return (
    <article
      className={`message${follows ? ' message-follows' : ''}${ephemeral ? ' message-ephemeral' : ''}`}
      aria-label={`${name}, ${clockTime(message.ts)}`}
      data-ts={message.ts}
      // Takes the focus when what had it inside is gone (see kept-focus.ts).
      tabIndex={-1}
    >
      <div className="message-gutter">
        {follows ? time : <Avatar person={{ ...person, isBot: person.id === directory.app.botUser }} />}
      </div>
      <div className="message-main">
        {ephemeral && (
          <div className="only-you">
            <EyeIcon /> Only visible to you
          </div>
        )}
        {!follows && (
          <header className="message-head">
            <span className="message-author">{name}</span>
            {person.id === directory.app.botUser && <span className="app-badge">APP</span>}
            {person.isGuest && <span className="guest">Guest</span>}
            {time}
          </header>
        )}
        {!inThread && message.is_broadcast && <Origin message={message} />}
        {editing ? (
          <MessageEditor message={message} onDone={() => setEditing(false)} />
        ) : (
          <Body message={message} />
        )}
        {message.attachments && <Attachments message={message} />}
        {message.files && <Files files={message.files} />}
        {message.entities && <Entities message={message} />}
        {message.edited && <span className="edited">(edited)</span>}
        {message.reactions && <Reactions message={message} />}
        {!inThread && message.reply_count > 0 && <Replies message={message} last={lastReply} />}
      </div>
      {!ephemeral && (
        <Toolbar
          message={message}
          inThread={inThread}
          onEdit={() => setEditing(true)}
          onForward={() => setForwarding(true)}
        />
      )}
      {forwarding && <Forward message={message} onDone={() => setForwarding(false)} />}
    </article>
  );
});

function Body({ message }: { readonly message: Said }) {
  const entered = useEntered();
  const { blocks } = message;
  if (message.text === '' && (message.files || message.attachments)) return null;
  if (!blocks || blocks.length === 0)
    return (
      <div className="message-text">
        <Text of={{ type: 'mrkdwn', text: message.text }} />
      </div>
    );
  return (
    <SurfaceProvider
      container={{ kind: 'message', channel: message.channel, ts: message.ts }}
      blocks={blocks}
      entered={entered}
    >
      <Blocks blocks={blocks} />
    </SurfaceProvider>
  );
}

/** Above a reply that stands in the channel, too: the way to its thread. */
function Origin({ message: { channel, ts, thread_ts: thread = ts } }: { readonly message: Said }) {
  const { openThread } = useWorkspace();
  return (
    <div className="origin">
      replied to{' '}
      <button type="button" onClick={() => openThread(channel, thread)}>
        a thread
      </button>
    </div>
  );
}

function Replies({ message, last }: { readonly message: Said; readonly last: string | undefined }) {
  const { directory, openThread } = useWorkspace();
  const count = `${message.reply_count} ${message.reply_count === 1 ? 'reply' : 'replies'}`;
  return (
    <button type="button" className="replies" onClick={() => openThread(message.channel, message.ts)}>
      {message.reply_users.slice(0, 5).map((user) => (
        <Avatar key={user} person={personOf(directory, user)} size={24} />
      ))}
      <span className="replies-count">{count}</span>
      {last && (
        <span className="replies-last">
          Last reply {dayName(last, new Date()).toLowerCase()} at {clockTime(last)}
        </span>
      )}
    </button>
  );
}

interface ToolbarProps {
  readonly message: Said;
  readonly inThread: boolean;
  readonly onEdit: () => void;
  readonly onForward: () => void;
}

function Toolbar({ message, inThread, onEdit, onForward }: ToolbarProps) {
  const { directory, act, openThread } = useWorkspace();
  const parent = message.thread_ts ?? message.ts;
  const items = [
    ...(message.user === directory.viewer
      ? [{ key: 'edit', content: 'Edit message', onSelect: onEdit }]
      : []),
    { key: 'forward', content: 'Forward message', onSelect: onForward },
    ...directory.shortcuts.map((shortcut) => ({
      key: shortcut.callback_id,
      onSelect: () =>
        void act({
          act: 'shortcut',
          callback_id: shortcut.callback_id,
          channel: message.channel,
          ts: message.ts,
        }),
      content: (
        <span className="switcher-who">
          {shortcut.name}
          <span className="choice-description">{directory.app.name}</span>
        </span>
      ),
    })),
  ];
  return (
    <div className="toolbar" role="toolbar" aria-label="Message actions">
      <ReactionMenu message={message} />
      {!inThread && (
        <button
          type="button"
          title="Reply in thread"
          aria-label="Reply in thread"
          onClick={() => openThread(message.channel, parent)}
        >
          <ReplyIcon />
        </button>
      )}
      <Menu label="More actions" trigger={<MoreIcon />} items={items} />
    </div>
  );
}

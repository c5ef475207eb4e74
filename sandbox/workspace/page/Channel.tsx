import { useState } from 'react';
import type { CommandHint, Channel as InChannel } from '../protocol.ts';
import { Composer } from './Composer.tsx';
import { HashIcon, ReplyIcon } from './icons.tsx';
import { MessageList } from './MessageList.tsx';
import { isDirect, titleOf, useChannelMessages, useLastReplies, useWorkspace } from './workspace.ts';

export function Channel({ channel }: { readonly channel: InChannel }) {
  const { directory, act } = useWorkspace();
  const messages = useChannelMessages(channel.id);
  const lastReplies = useLastReplies(channel.id);
  const [start, setStart] = useState<{ readonly text: string }>();
  const [sent, setSent] = useState(0);
  const title = titleOf(channel);
  return (
    <section className="channel" aria-label={title}>
      <header className="pane-head">
        <h2>
          {!isDirect(channel) && <HashIcon />}
          {channel.name}
        </h2>
        <span className="topic">{channel.topic}</span>
        {channel.lacksApp && (
          <button
            type="button"
            className="button"
            onClick={() => void act({ act: 'invite', channel: channel.id, user: directory.app.botUser })}
          >
            Add {directory.app.name}
          </button>
        )}
      </header>
      <MessageList label={`Messages in ${title}`} messages={messages} lastReplies={lastReplies} sent={sent}>
        <Beginning
          channel={channel}
          empty={messages.length === 0 && !channel.isReadOnly}
          onTry={(text) => setStart({ text })}
        />
      </MessageList>
      {channel.isReadOnly ? (
        <p className="read-only">Sending messages to this app has been turned off.</p>
      ) : (
        <Composer
          label={`Message ${title}`}
          channel={channel.id}
          start={start}
          onSend={() => setSent((count) => count + 1)}
        />
      )}
    </section>
  );
}

/** A usage hint names several uses with bars between them; each is a line that can be tried. */
const linesOf = (hint: CommandHint) =>
  hint.usage_hint.split('|').map((use) => `${hint.command} ${use.trim()}`.trim());

interface BeginningProps {
  readonly channel: InChannel;
  readonly empty: boolean;
  readonly onTry: (text: string) => void;
}

/** The top of the channel, and in an empty one what to try. */
function Beginning({ channel, empty, onTry }: BeginningProps) {
  const { directory } = useWorkspace();
  return (
    <div className="beginning">
      <span className="beginning-mark">{isDirect(channel) ? <ReplyIcon /> : <HashIcon />}</span>
      <h3>{channel.name}</h3>
      <p>
        This is the very beginning of <b>{titleOf(channel)}</b>. {channel.topic}
      </p>
      {empty &&
        directory.commands.map((hint) => (
          <div className="try" key={hint.command}>
            <p>{hint.description}. Try one of these:</p>
            <ul>
              {linesOf(hint).map((line) => (
                <li key={line}>
                  <button type="button" onClick={() => onTry(line)}>
                    {line}
                  </button>
                </li>
              ))}
            </ul>
          </div>
        ))}
    </div>
  );
}

import { useState } from 'react';
import { Composer } from './Composer.tsx';
import { CloseIcon } from './icons.tsx';
import { MessageList } from './MessageList.tsx';
import { channelOf, titleOf, useThread, useWorkspace } from './workspace.ts';

interface Props {
  readonly channel: string;
  readonly ts: string;
  readonly onClose: () => void;
}

export function Thread({ channel, ts, onClose }: Props) {
  const { directory } = useWorkspace();
  const inChannel = channelOf(directory, channel);
  const { parent, replies } = useThread(channel, ts);
  const [sent, setSent] = useState(0);
  return (
    <aside
      className="thread"
      aria-label="Thread"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose();
      }}
    >
      <header className="pane-head">
        <h2>Thread</h2>
        <span className="topic">{inChannel && titleOf(inChannel)}</span>
        <button type="button" className="plain-button" aria-label="Close thread" onClick={onClose}>
          <CloseIcon />
        </button>
      </header>
      <MessageList
        key={ts}
        inThread
        label="Messages in this thread"
        messages={parent ? [parent, ...replies] : replies}
        sent={sent}
      />
      {!inChannel?.isReadOnly && (
        <Composer
          key={`${directory.viewer}/${ts}`}
          label="Reply in thread"
          channel={channel}
          thread={ts}
          onSend={() => setSent((count) => count + 1)}
        />
      )}
    </aside>
  );
}

import { Fragment, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import type { Message as Said } from '../protocol.ts';
import { useKeptFocus } from './kept-focus.ts';
import { Message } from './Message.tsx';
import { dateOf, dayName, sameDay } from './time.ts';

interface Props {
  readonly label: string;
  readonly messages: readonly Said[];
  readonly inThread?: boolean;
  /** When each thread was last replied to, by the parent's ts. */
  readonly lastReplies?: ReadonlyMap<string, string>;
  /** How many lines the viewer has sent here: the answer to the next one is in view, too. */
  readonly sent: number;
  /** Stands above the messages and scrolls with them. */
  readonly children?: ReactNode;
}

const fiveMinutes = 5 * 60_000;

function follows(message: Said, before: Said | undefined): boolean {
  return (
    before !== undefined &&
    before.user === message.user &&
    before.ephemeral_to === message.ephemeral_to &&
    before.reply_count === 0 &&
    sameDay(before.ts, message.ts) &&
    dateOf(message.ts).getTime() - dateOf(before.ts).getTime() < fiveMinutes
  );
}

/** The newest message is at the bottom, and stays in view until the reader scrolls up; it is in view again when they send a line. */
function useStickToBottom(sent: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const atBottom = useRef(true);
  const stick = () => {
    if (scroller.current && atBottom.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each line that is sent brings the reader back to the bottom
  useLayoutEffect(() => {
    atBottom.current = true;
  }, [sent]);
  useLayoutEffect(stick);
  useEffect(() => {
    const watch = new ResizeObserver(stick);
    for (const part of [content.current, scroller.current]) if (part) watch.observe(part);
    return () => watch.disconnect();
  });
  const onScroll = () => {
    const box = scroller.current;
    if (box) atBottom.current = box.scrollHeight - box.scrollTop - box.clientHeight < 60;
  };
  return { scroller, content, onScroll };
}

export function MessageList({ label, messages, inThread = false, lastReplies, sent, children }: Props) {
  const { scroller, content, onScroll } = useStickToBottom(sent);
  useKeptFocus(content);
  const now = new Date();
  return (
    <div className="messages" ref={scroller} onScroll={onScroll}>
      <div className="messages-content" ref={content} tabIndex={-1}>
        {children}
        <div role="log" aria-label={label}>
          {messages.map((message, index) => {
            const before = messages[index - 1];
            const newDay = !inThread && (!before || !sameDay(before.ts, message.ts));
            return (
              <Fragment key={`${message.ts}${message.ephemeral_to ?? ''}`}>
                {newDay && (
                  <div className="day">
                    <span>{dayName(message.ts, now)}</span>
                  </div>
                )}
                {inThread && index === 1 && (
                  <div className="thread-count">
                    <span>{messages.length === 2 ? '1 reply' : `${messages.length - 1} replies`}</span>
                  </div>
                )}
                <Message
                  message={message}
                  inThread={inThread}
                  lastReply={lastReplies?.get(message.ts)}
                  follows={!(inThread && index === 1) && follows(message, before)}
                />
              </Fragment>
            );
          })}
        </div>
      </div>
    </div>
  );
}

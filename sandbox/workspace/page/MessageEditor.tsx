import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Message } from '../protocol.ts';
import { typed } from './typed.ts';
import { useWorkspace } from './workspace.ts';

/** A message of one's own, in the box in which it is written anew: Enter saves, Escape leaves it as it is. */
export function MessageEditor({
  message,
  onDone,
}: {
  readonly message: Message;
  readonly onDone: () => void;
}) {
  const { directory, act } = useWorkspace();
  const [text, setText] = useState(() => typed(message.text, directory));
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    box.current?.focus();
    box.current?.setSelectionRange(box.current.value.length, box.current.value.length);
  }, []);
  const save = async () => {
    const saved = await act({ act: 'edit', channel: message.channel, ts: message.ts, text });
    if (saved.ok) onDone();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onDone();
    else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) void save();
    else return;
    event.preventDefault();
  };
  return (
    <form
      className="editor"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <textarea
        ref={box}
        className="field"
        rows={Math.min(12, text.split('\n').length)}
        aria-label="Edit message"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <span className="actions">
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
        <button type="submit" className="button button-primary">
          Save
        </button>
      </span>
    </form>
  );
}

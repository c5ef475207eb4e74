import { type ReactNode, useEffect, useRef } from 'react';
import { CloseIcon } from '../icons.tsx';

interface Props {
  readonly title: string;
  readonly topic: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A panel beside the channel. The focus moves into it, and returns when it closes. */
export function Panel({ title, topic, onClose, children }: Props) {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    // A page that is opened with the panel in its address leaves the focus where the browser puts it.
    if (!(before instanceof HTMLElement) || before === document.body) return;
    close.current?.focus();
    return () => before.focus();
  }, []);
  return (
    <aside
      className="panel"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose();
      }}
    >
      <header className="pane-head">
        <h2>{title}</h2>
        <span className="topic">{topic}</span>
        <button
          ref={close}
          type="button"
          className="plain-button"
          aria-label={`Close the panel ${title}`}
          onClick={onClose}
        >
          <CloseIcon />
        </button>
      </header>
      <div className="panel-body">{children}</div>
    </aside>
  );
}

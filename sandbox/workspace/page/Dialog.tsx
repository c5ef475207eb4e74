import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useKeptFocus } from './kept-focus.ts';

const firstField = '.dialog-body :is(input, textarea):not([type=checkbox], [type=radio], [hidden])';
const answer = '.dialog-foot button:last-child';

interface Props {
  readonly label: string;
  readonly className: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The browser's own modal dialog keeps the focus inside, makes the rest inert and gives the focus back. */
export function Dialog({ label, className, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useKeptFocus(dialog);
  // A layout effect: its end comes before the dialog leaves the page, so that closing can still give the focus back.
  useLayoutEffect(() => {
    const shown = dialog.current;
    if (shown && !shown.open) {
      shown.showModal();
      // The dialog's first field comes before the button that closes it.
      const first = shown.querySelector<HTMLElement>(firstField) ?? shown.querySelector<HTMLElement>(answer);
      first?.focus();
    }
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        // A select inside handles its own Escape; any other one closes the dialog, once.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      {children}
    </dialog>
  );
}

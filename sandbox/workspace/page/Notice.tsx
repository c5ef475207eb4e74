import { CloseIcon } from './icons.tsx';

/** An error in one sentence, until the reader closes it. */
export function Notice({ text, onClose }: { readonly text: string; readonly onClose: () => void }) {
  return (
    <div className="notice" role="alert">
      <span>{text}</span>
      <button type="button" className="plain-button" aria-label="Dismiss" onClick={onClose}>
        <CloseIcon />
      </button>
    </div>
  );
}

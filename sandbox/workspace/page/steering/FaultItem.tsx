import type { ReactNode } from 'react';
import { CloseIcon } from '../icons.tsx';

interface Props {
  readonly title: ReactNode;
  /** How it goes wrong, and for whom. */
  readonly words: ReactNode;
  /** For how many it still does; undefined until it is cleared. */
  readonly times: number | undefined;
  readonly noun: string;
  /** Several of it, where that is more than an s. */
  readonly nouns?: string;
  /** The name of the cleared fault, for screen readers. */
  readonly name: string;
  readonly onClear: () => void;
}

/** Something that goes wrong now, and the way back. */
export function FaultItem({ title, words, times, noun, nouns = `${noun}s`, name, onClear }: Props) {
  return (
    <li className="fault">
      <span className="fault-text">
        {title}
        <span className="fault-words">
          {words}
          {times !== undefined && (
            <span className="panel-chip">
              {times === 1 ? `the next ${noun}` : `the next ${times} ${nouns}`}
            </span>
          )}
        </span>
      </span>
      <button type="button" className="plain-button" aria-label={`Clear ${name}`} onClick={onClear}>
        <CloseIcon />
      </button>
    </li>
  );
}

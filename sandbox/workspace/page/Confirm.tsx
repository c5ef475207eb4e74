import { Blocks } from './blocks/Blocks.tsx';
import type { ConfirmObject } from './blocks/elements.ts';
import { words } from './blocks/Text.tsx';
import { Dialog } from './Dialog.tsx';
import { CloseIcon } from './icons.tsx';

interface Props {
  readonly question: ConfirmObject;
  readonly onAnswer: (yes: boolean) => void;
}

/** Slack's confirmation dialog. */
export function Confirm({ question, onAnswer }: Props) {
  const title = words(question.title);
  return (
    <Dialog className="dialog dialog-confirm" label={title} onClose={() => onAnswer(false)}>
      <header className="dialog-head">
        <h2>{title}</h2>
        <button type="button" className="plain-button" aria-label="Close" onClick={() => onAnswer(false)}>
          <CloseIcon />
        </button>
      </header>
      <div className="dialog-body">
        <Blocks blocks={[{ type: 'section', text: question.text }]} />
      </div>
      <footer className="dialog-foot">
        <button type="button" className="button button-large" onClick={() => onAnswer(false)}>
          {words(question.deny) || 'Cancel'}
        </button>
        <button
          type="button"
          className={`button button-large button-${question.style === 'danger' ? 'danger' : 'primary'}`}
          onClick={() => onAnswer(true)}
        >
          {words(question.confirm) || 'Yes'}
        </button>
      </footer>
    </Dialog>
  );
}

import { useId, useState } from 'react';
import { shortened } from '../../../src/graphemes.ts';
import type { Message } from '../protocol.ts';
import { Dialog } from './Dialog.tsx';
import { CloseIcon } from './icons.tsx';
import { Select } from './steering/Select.tsx';
import { typed } from './typed.ts';
import { type Directory, nameOf, titleOf, useWorkspace } from './workspace.ts';

const title = 'Forward this message';

/** Slack's dialog for sharing a message: the channel, and an optional line. */
export function Forward({ message, onDone }: { readonly message: Message; readonly onDone: () => void }) {
  const { directory, act } = useWorkspace();
  const [channel, setChannel] = useState(message.channel);
  const [text, setText] = useState('');
  const id = useId();
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    const { channel: from, ts } = message;
    await act({ act: 'forward', messages: [{ channel: from, ts }], channel, text });
    // A refusal is shown as a notice, which the dialog would hide.
    onDone();
  };
  return (
    <Dialog className="dialog" label={title} onClose={onDone}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void send();
        }}
      >
        <header className="dialog-head">
          <h2>{title}</h2>
          <button type="button" className="plain-button" aria-label="Close" onClick={onDone}>
            <CloseIcon />
          </button>
        </header>
        <div className="dialog-body forward">
          <div>
            <label className="input-label" htmlFor={id}>
              Channel
            </label>
            <Select id={id} value={channel} onChange={(event) => setChannel(event.target.value)}>
              {directory.channels.map((one) => (
                <option key={one.id} value={one.id}>
                  {titleOf(one)}
                </option>
              ))}
            </Select>
          </div>
          <label>
            <span className="input-label">Message (optional)</span>
            <textarea
              className="field"
              rows={3}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </label>
          <blockquote className="forward-original">
            <b>{nameOf(directory, message.user)}</b>
            <span>{excerptOf(message, directory)}</span>
          </blockquote>
        </div>
        <footer className="dialog-foot">
          <button type="button" className="button button-large" onClick={onDone}>
            Cancel
          </button>
          <button type="submit" className="button button-large button-primary" aria-busy={busy}>
            Forward
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** Enough to know which message it is; one that holds nothing but files is known by their names. */
const excerptOf = ({ text, files = [] }: Message, directory: Directory): string =>
  text === '' ? files.map(({ name }) => name).join(', ') : shortened(typed(text, directory), 300);

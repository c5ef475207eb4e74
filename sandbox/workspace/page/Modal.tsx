import { type ReactNode, useState } from 'react';
import type { OpenView } from '../protocol.ts';
import { Avatar } from './Avatar.tsx';
import { Blocks } from './blocks/Blocks.tsx';
import { stateOf, withBlockIds } from './blocks/elements.ts';
import { SurfaceProvider, useEntered } from './blocks/surface.tsx';
import { words } from './blocks/Text.tsx';
import { Dialog } from './Dialog.tsx';
import { CloseIcon } from './icons.tsx';
import { personOf, useWorkspace } from './workspace.ts';

interface Props {
  readonly open: OpenView;
  /** Content above the modal, such as the notice bar. */
  readonly children: ReactNode;
}

/** A modal of the app. Its submit button is shown when the view has one; Escape and the close button say `close`. */
export function Modal({ open, children }: Props) {
  const { directory, act } = useWorkspace();
  const entered = useEntered();
  const [busy, setBusy] = useState(false);
  const { view } = open;
  const blocks = withBlockIds(view.blocks);
  const close = () => void act({ act: 'close', view: open.id });
  const submit = async () => {
    setBusy(true);
    await act({ act: 'submit', view: open.id, state: stateOf(blocks, entered[0]) });
    setBusy(false);
  };
  const submitLabel = words(view.submit);
  const bot = personOf(directory, directory.app.botUser);
  return (
    <Dialog className="dialog" label={words(view.title)} onClose={close}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <header className="dialog-head">
          <Avatar person={{ ...bot, isBot: true }} size={28} />
          <h2>{words(view.title)}</h2>
          <button type="button" className="plain-button" aria-label="Close" onClick={close}>
            <CloseIcon />
          </button>
        </header>
        {children}
        <div className="dialog-body">
          <SurfaceProvider
            container={{ kind: 'view', id: open.id }}
            blocks={blocks}
            entered={entered}
            errors={open.errors}
          >
            <Blocks blocks={blocks} />
          </SurfaceProvider>
        </div>
        <footer className="dialog-foot">
          <button type="button" className="button button-large" onClick={close}>
            {words(view.close) || (submitLabel ? 'Cancel' : 'Close')}
          </button>
          {submitLabel && (
            <button type="submit" className="button button-large button-primary" aria-busy={busy}>
              {submitLabel}
            </button>
          )}
        </footer>
      </form>
    </Dialog>
  );
}

import { useEffect, useRef, useState } from 'react';
import type { ApplianceCatalogue, ApplianceNow } from '../../protocol.ts';
import { CloseIcon } from '../icons.tsx';
import { useWorkspace } from '../workspace.ts';
import { ActiveFaults } from './ActiveFaults.tsx';
import { MisbehaveForm } from './MisbehaveForm.tsx';
import { PendingChanges } from './PendingChanges.tsx';
import { Requests } from './Requests.tsx';
import { Switches } from './Switches.tsx';
import { Problem, useSteering } from './steering.tsx';

interface Props {
  readonly catalogue: ApplianceCatalogue;
  readonly now: ApplianceNow;
  readonly onClose: () => void;
}

/** The simulated appliance: what reaches it, and the ways to make it misbehave. */
export function AppliancePanel({ catalogue, now, onClose }: Props) {
  const { confirm } = useWorkspace();
  const [operation, setOperation] = useState<string>();
  const [steer, problem] = useSteering();
  const form = useRef<HTMLFormElement>(null);
  const close = useRef<HTMLButtonElement>(null);

  // Whoever opened the panel goes on in it, and goes back to where they were.
  useEffect(() => {
    const before = document.activeElement;
    // A page that is opened with the panel in its address leaves the focus where the browser puts it.
    if (!(before instanceof HTMLElement) || before === document.body) return;
    close.current?.focus();
    return () => before.focus();
  }, []);

  const startOver = async () => {
    if (await confirm(startOverQuestion)) await steer({ act: 'reset' });
  };
  const choose = (name: string) => {
    setOperation(name);
    form.current?.scrollIntoView({ block: 'nearest' });
    form.current?.querySelector('select')?.focus({ preventScroll: true });
  };

  return (
    <aside
      className="appliance"
      aria-label="Appliance"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose();
      }}
    >
      <header className="pane-head">
        <h2>Appliance</h2>
        <span className="topic">simulated, {catalogue.operations.length} operations</span>
        <button
          ref={close}
          type="button"
          className="plain-button"
          aria-label="Close the appliance panel"
          onClick={onClose}
        >
          <CloseIcon />
        </button>
      </header>
      <div className="appliance-body">
        <ActiveFaults faults={now.faults} />
        <PendingChanges pending={now.pending} />
        <MisbehaveForm
          ref={form}
          operations={catalogue.operations}
          operation={operation}
          onOperation={setOperation}
        />
        <Requests requests={now.requests} onChoose={choose} />
        <Switches switches={now.switches} />
        <div className="appliance-foot">
          <button type="button" className="button" onClick={() => void startOver()}>
            Start the appliance over…
          </button>
          <Problem text={problem} />
        </div>
      </div>
    </aside>
  );
}

const plain = (text: string) => ({ type: 'plain_text' as const, text });

const startOverQuestion = {
  title: plain('Start the appliance over?'),
  text: plain(
    'Sessions, categories and everything else are again as at the start. Misbehaviours and the list of requests are cleared.',
  ),
  confirm: plain('Start over'),
  deny: plain('Cancel'),
};

import { useRef, useState } from 'react';
import type { BesidePanel } from '../beside.ts';
import { ApplianceIcon } from '../icons.tsx';
import { Panel } from '../steering/Panel.tsx';
import { Switches } from '../steering/Switches.tsx';
import { Problem, useSteering } from '../steering/steering.tsx';
import { useWorkspace } from '../workspace.ts';
import { ActiveFaults } from './ActiveFaults.tsx';
import { MisbehaveForm } from './MisbehaveForm.tsx';
import { PendingChanges } from './PendingChanges.tsx';
import type { ApplianceCatalogue, ApplianceNow } from './protocol.ts';
import { Requests } from './Requests.tsx';
import { sendToAppliance } from './send.ts';

interface Props {
  readonly catalogue: ApplianceCatalogue;
  readonly now: ApplianceNow;
  readonly onClose: () => void;
}

/** The simulated appliance: its requests, and its faults. */
function AppliancePanel({ catalogue, now, onClose }: Props) {
  const { confirm } = useWorkspace();
  const [operation, setOperation] = useState<string>();
  const [steer, problem] = useSteering(sendToAppliance);
  const form = useRef<HTMLFormElement>(null);

  const startOver = async () => {
    if (await confirm(startOverQuestion)) await steer({ act: 'reset' });
  };
  const choose = (name: string) => {
    setOperation(name);
    form.current?.scrollIntoView({ block: 'nearest' });
    form.current?.querySelector('select')?.focus({ preventScroll: true });
  };

  return (
    <Panel title="Appliance" topic={`simulated, ${catalogue.operations.length} operations`} onClose={onClose}>
      <ActiveFaults faults={now.faults} />
      <PendingChanges pending={now.pending} />
      <MisbehaveForm
        ref={form}
        operations={catalogue.operations}
        operation={operation}
        onOperation={setOperation}
      />
      <Requests requests={now.requests} onChoose={choose} />
      <Switches
        title="Ways of the appliance"
        switches={now.switches}
        turn={(switches) => sendToAppliance({ act: 'turn', switches })}
      />
      <div className="panel-foot">
        <button type="button" className="button" onClick={() => void startOver()}>
          Start the appliance over…
        </button>
        <Problem text={problem} />
      </div>
    </Panel>
  );
}

/** The server is ours, and speaks the types of protocol.ts. */
export const appliancePanel: BesidePanel = {
  name: 'appliance',
  title: 'Appliance',
  Icon: ApplianceIcon,
  noun: 'misbehaviour',
  troubles: (now) => (now as ApplianceNow).faults.length,
  Panel: ({ catalogue, now, onClose }) => (
    <AppliancePanel catalogue={catalogue as ApplianceCatalogue} now={now as ApplianceNow} onClose={onClose} />
  ),
};

const plain = (text: string) => ({ type: 'plain_text' as const, text });

const startOverQuestion = {
  title: plain('Start the appliance over?'),
  text: plain(
    'Sessions, categories and everything else are again as at the start. Misbehaviours and the list of requests are cleared.',
  ),
  confirm: plain('Start over'),
  deny: plain('Cancel'),
};

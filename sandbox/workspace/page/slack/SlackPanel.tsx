import type { SlackNow } from '../../protocol.ts';
import { sendToSlack } from '../connection.ts';
import { Panel } from '../steering/Panel.tsx';
import { Switches } from '../steering/Switches.tsx';
import { Problem, useSteering } from '../steering/steering.tsx';
import { ActiveTroubles } from './ActiveTroubles.tsx';
import { Connections } from './Connections.tsx';
import { Deliveries } from './Deliveries.tsx';
import { TroubleForm } from './TroubleForm.tsx';

interface Props {
  readonly now: SlackNow;
  readonly onClose: () => void;
}

/** Bad days on request: faults of Slack, call by call and for the whole workspace. */
export function SlackPanel({ now, onClose }: Props) {
  const [steer, problem] = useSteering(sendToSlack);
  return (
    <Panel title="Slack" topic="bad days on request" onClose={onClose}>
      <ActiveTroubles troubles={now.troubles} deliveries={now.deliveries} />
      <TroubleForm calls={now.calls} />
      <Deliveries />
      <Connections connections={now.connections} />
      <Switches
        title="The workspace"
        switches={now.switches}
        turn={(switches) => sendToSlack({ act: 'turn', switches })}
      />
      <details className="panel-part">
        <summary>Scopes of the bot token</summary>
        {Object.entries(now.scopes).map(([scope, granted]) => (
          <label key={scope} className="choice">
            <input
              className="choice-box"
              type="checkbox"
              checked={granted}
              onChange={(event) => void steer({ act: 'grant', scope, granted: event.target.checked })}
            />
            <code>{scope}</code>
          </label>
        ))}
      </details>
      <div className="panel-foot">
        <button type="button" className="button" onClick={() => void steer({ act: 'reset' })}>
          Clear everything
        </button>
        <Problem text={problem} />
      </div>
    </Panel>
  );
}

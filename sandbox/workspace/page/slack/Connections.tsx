import type { ConnectionTrouble, SlackNow } from '../../protocol.ts';
import { sendToSlack } from '../connection.ts';
import { Problem, useSteering } from '../steering/steering.tsx';

const ways: Readonly<Record<ConnectionTrouble, string>> = {
  cut: 'Cut',
  refresh: 'Ask to reconnect',
  warn: 'Warn',
  freeze: 'Half-open',
};

/** The bot's WebSocket connections, all at once. */
export function Connections({ connections }: Pick<SlackNow, 'connections'>) {
  const [steer, problem] = useSteering(sendToSlack);
  const frozen = connections.filter((connection) => connection.frozen).length;
  return (
    <section className="panel-part" aria-labelledby="connections-heading">
      <h3 id="connections-heading">Connections</h3>
      <p className="panel-hint" role="status">
        {connections.length} open{frozen > 0 && `, ${frozen} of them half-open: nothing gets through`}
      </p>
      <div className="panel-buttons">
        {Object.entries(ways).map(([how, label]) => (
          <button
            key={how}
            type="button"
            className="button"
            // The keys of the table are the ways.
            onClick={() => void steer({ act: 'connections', how: how as ConnectionTrouble })}
          >
            {label}
          </button>
        ))}
      </div>
      <Problem text={problem} />
    </section>
  );
}

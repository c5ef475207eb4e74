import type { DeliveryFault } from '../../faults.ts';
import { sendToSlack } from '../connection.ts';
import { Problem, useSteering } from '../steering/steering.tsx';

const ways: readonly { readonly label: string; readonly fault: DeliveryFault }[] = [
  { label: 'Twice', fault: { kind: 'twice' } },
  { label: 'Never', fault: { kind: 'lost' } },
  { label: '2 s late', fault: { kind: 'late', ms: 2_000 } },
  { label: '5 s late', fault: { kind: 'late', ms: 5_000 } },
];

/** Slack's deliveries to the app: commands, clicks, forms and events. */
export function Deliveries() {
  const [steer, problem] = useSteering(sendToSlack);
  return (
    <section className="panel-part" aria-labelledby="deliveries-heading">
      <h3 id="deliveries-heading">Deliveries</h3>
      <p className="panel-hint">The next command, click, form or event reaches the app…</p>
      <div className="panel-buttons">
        {ways.map(({ label, fault }) => (
          <button
            key={label}
            type="button"
            className="button"
            onClick={() => void steer({ act: 'deliver', fault, times: 1 })}
          >
            {label}
          </button>
        ))}
      </div>
      <Problem text={problem} />
    </section>
  );
}

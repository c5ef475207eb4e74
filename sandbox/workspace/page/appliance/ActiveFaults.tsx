import { wordsFor } from '../../../appliance/kinds.ts';
import { FaultItem } from '../steering/FaultItem.tsx';
import { Problem, useSteering } from '../steering/steering.tsx';
import { OperationName } from './OperationName.tsx';
import type { ApplianceNow } from './protocol.ts';
import { sendToAppliance } from './send.ts';

/** The active faults, and the way back to good behaviour. */
export function ActiveFaults({ faults }: Pick<ApplianceNow, 'faults'>) {
  const [steer, problem] = useSteering(sendToAppliance);
  return (
    <section className="panel-part" aria-labelledby="faults-heading">
      <div className="panel-part-head">
        <h3 id="faults-heading">Misbehaving now</h3>
        {faults.length > 1 && (
          <button type="button" className="link-button" onClick={() => void steer({ act: 'behave' })}>
            Clear all
          </button>
        )}
      </div>
      {/* The list is too long to be read out at each change; its length is not. */}
      <p role="status" className={faults.length === 0 ? 'behaves' : 'visually-hidden'}>
        {faults.length === 0
          ? 'Nothing: every operation answers as its generation does.'
          : `${faults.length} ${faults.length === 1 ? 'operation misbehaves' : 'operations misbehave'}.`}
      </p>
      <ul className="faults">
        {faults.map((fault) => (
          <FaultItem
            key={fault.operation}
            title={<OperationName name={fault.operation} />}
            words={wordsFor(fault)}
            times={fault.times}
            noun="request"
            name={fault.operation}
            onClear={() => void steer({ act: 'behave', operation: fault.operation })}
          />
        ))}
      </ul>
      <Problem text={problem} />
    </section>
  );
}

import type { SlackNow } from '../../protocol.ts';
import { troubleKinds } from '../../trouble-kinds.ts';
import { sendToSlack } from '../connection.ts';
import { FaultItem } from '../steering/FaultItem.tsx';
import { Problem, useSteering } from '../steering/steering.tsx';
import { personOf, useWorkspace } from '../workspace.ts';

/** The active faults, and the way back. */
export function ActiveTroubles({ troubles, deliveries }: Pick<SlackNow, 'troubles' | 'deliveries'>) {
  const { directory } = useWorkspace();
  const [steer, problem] = useSteering(sendToSlack);
  const count = troubles.length + deliveries.length;
  return (
    <section className="panel-part" aria-labelledby="troubles-heading">
      <h3 id="troubles-heading">Going wrong now</h3>
      <p role="status" className={count === 0 ? 'behaves' : 'visually-hidden'}>
        {count === 0
          ? 'Nothing: Slack answers every call.'
          : `${count} ${count === 1 ? 'thing goes' : 'things go'} wrong.`}
      </p>
      <ul className="faults">
        {troubles.map(({ call, fault: { kind, ...options }, times, person }, index) => (
          <FaultItem
            // Several may wait for one call, in this order.
            // biome-ignore lint/suspicious/noArrayIndexKey: two of them can be alike in all else.
            key={`${call}/${index}`}
            title={<span className="operation">{call === '*' ? 'every call' : call}</span>}
            words={
              <>
                {[troubleKinds[kind].label, ...Object.values(options)].join(', ')}
                {person !== undefined && (
                  <span className="panel-chip">about {personOf(directory, person).name}</span>
                )}
              </>
            }
            times={times}
            noun="call"
            name={call}
            onClear={() => void steer({ act: 'behave', call })}
          />
        ))}
        {deliveries.map(({ fault, times }, index) => (
          <FaultItem
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            key={`delivery/${index}`}
            title={<span className="operation">to the app</span>}
            words={fault.kind === 'late' ? `late, ${fault.ms} ms` : fault.kind}
            times={times}
            noun="delivery"
            nouns="deliveries"
            name="deliveries"
            onClear={() => void steer({ act: 'behave', call: 'delivery' })}
          />
        ))}
      </ul>
      <Problem text={problem} />
    </section>
  );
}

import type { SlackNow } from '../../protocol.ts';
import { troubleKinds } from '../../trouble-kinds.ts';
import { sendToSlack } from '../connection.ts';
import { FaultItem } from '../steering/FaultItem.tsx';
import { Problem, useSteering } from '../steering/steering.tsx';
import { personOf, useWorkspace } from '../workspace.ts';

/** What is set now, and the way back. */
export function ActiveTroubles({ troubles }: Pick<SlackNow, 'troubles'>) {
  const { directory } = useWorkspace();
  const [steer, problem] = useSteering(sendToSlack);
  return (
    <section className="panel-part" aria-labelledby="troubles-heading">
      <h3 id="troubles-heading">Going wrong now</h3>
      <p role="status" className={troubles.length === 0 ? 'behaves' : 'visually-hidden'}>
        {troubles.length === 0
          ? 'Nothing: Slack answers every call.'
          : `${troubles.length} ${troubles.length === 1 ? 'call goes' : 'calls go'} wrong.`}
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
      </ul>
      <Problem text={problem} />
    </section>
  );
}

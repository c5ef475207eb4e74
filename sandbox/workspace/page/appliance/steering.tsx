import { useCallback, useState } from 'react';
import type { ApplianceAct } from '../../protocol.ts';
import { sendToAppliance } from '../connection.ts';

/** Does something to the appliance, for one part of the panel: what went wrong last is shown there, by `Problem`. */
export function useSteering(): readonly [
  steer: (act: ApplianceAct) => Promise<void>,
  problem: string | undefined,
] {
  const [problem, setProblem] = useState<string>();
  const steer = useCallback(async (act: ApplianceAct) => {
    const acted = await sendToAppliance(act);
    setProblem(acted.ok ? undefined : acted.error);
  }, []);
  return [steer, problem];
}

/** What went wrong, in one sentence; it is there from the start, so that it is read out when it fills. */
export function Problem({ text }: { readonly text: string | undefined }) {
  return (
    <div role="alert" className="appliance-problem">
      {text}
    </div>
  );
}

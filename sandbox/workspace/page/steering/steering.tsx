import { useCallback, useState } from 'react';
import type { Acted } from '../../protocol.ts';

/** Sends acts of one part of a panel, and keeps the last error for `Problem`. */
export function useSteering<Act>(
  send: (act: Act) => Promise<Acted>,
): readonly [steer: (act: Act) => Promise<void>, problem: string | undefined] {
  const [problem, setProblem] = useState<string>();
  const steer = useCallback(
    async (act: Act) => {
      const acted = await send(act);
      setProblem(acted.ok ? undefined : acted.error);
    },
    [send],
  );
  return [steer, problem];
}

/** An error in one sentence; the element is there from the start, so that it is read out when it fills. */
export function Problem({ text }: { readonly text: string | undefined }) {
  return (
    <div role="alert" className="panel-problem">
      {text}
    </div>
  );
}

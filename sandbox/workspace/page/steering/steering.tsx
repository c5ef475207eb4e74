import { useCallback, useState } from 'react';
import type { Acted } from '../../protocol.ts';

/** Has something done by `send`, for one part of a panel: what went wrong last is shown there, by `Problem`. */
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

/** What went wrong, in one sentence; it is there from the start, so that it is read out when it fills. */
export function Problem({ text }: { readonly text: string | undefined }) {
  return (
    <div role="alert" className="panel-problem">
      {text}
    </div>
  );
}

import { wholeDeadlinePassed } from './explain.ts';

/** A signal that ends with the whole deadline or with the caller's own signal, whichever comes first. */
export function startLifetime(
  milliseconds: number,
  caller: AbortSignal | undefined,
): { readonly signal: AbortSignal; readonly end: () => void } {
  const controller = new AbortController();
  const timer = Number.isFinite(milliseconds)
    ? setTimeout(() => controller.abort(wholeDeadlinePassed), milliseconds)
    : undefined;
  const onAbort = () => controller.abort();
  if (caller?.aborted) onAbort();
  else caller?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
    },
  };
}

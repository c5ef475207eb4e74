/**
 * Calls a listener. Its exception or rejected promise must not turn a successful change into a failed one, or
 * end the process.
 */
export function tell<Report>(listener: ((report: Report) => unknown) | undefined, report: Report): void {
  if (listener === undefined) return;
  new Promise((resolve) => resolve(listener(report))).catch(() => undefined);
}

/**
 * Tells a listener. What it does is its own affair: neither an exception nor a rejected promise of it turns a change that was
 * made into one that failed, or ends the process.
 */
export function tell<Report>(listener: ((report: Report) => unknown) | undefined, report: Report): void {
  if (listener === undefined) return;
  new Promise((resolve) => resolve(listener(report))).catch(() => undefined);
}

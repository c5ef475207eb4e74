export interface Alert {
  /** Also the heading of its paragraph in docs/runbook.md. */
  readonly name: string;
  /** PromQL. */
  readonly expr: string;
  /** How long it must be so. */
  readonly for?: string;
  /** `critical`: somebody gets up; `warning`: somebody looks today. */
  readonly severity: 'critical' | 'warning';
  readonly summary: string;
  /** The events of the log that tell of the same. */
  readonly events: readonly string[];
  /** The meaning of the alert, and the steps to take, in their order. */
  readonly means: string;
  readonly steps: readonly string[];
}

/** New in a quarter of an hour. Each of these counts from the first moment on, so that the first one is seen. */
export const happened = (...events: readonly string[]): string =>
  `increase(appliance_bot_events_total{event=~"${events.join('|')}"}[15m]) > 0`;

export const late = (name: string, quantile: number): string =>
  `histogram_quantile(${quantile}, sum by (instance, le) (rate(${name}_bucket[10m])))`;

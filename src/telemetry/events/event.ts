/** What the log tells of, declared once: the line, the metric `appliance_bot_events_total` and docs/logs.md come from it. */

import type { LineField } from './fields.ts';

type Level = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** Something that happened. */
export interface LogEvent<Fields extends LineField = LineField> {
  /** What the line calls it in `event`, and the metric as its label. It stays as it is: alerts and searches hang on it. */
  readonly id: string;
  /**
   * `error`: somebody should look today; `warn`: it may come to that, or somebody missed something; `info`: as it should be.
   * `fatal`: the process ends by it.
   */
  readonly level: Level;
  /** The line's message. */
  readonly says: string;
  /** What stands in the line beside it, as far as it is known. */
  readonly fields: readonly Fields[];
  /** For whoever reads the line: what has happened, and what the bot does about it. */
  readonly means: string;
  /** What to do about it. Where it is not said: nothing. */
  readonly action?: string;
}

export function event<const Fields extends LineField = never>(
  id: string,
  declared: Omit<LogEvent<Fields>, 'id' | 'fields'> & { readonly fields?: readonly Fields[] },
): LogEvent<Fields> {
  return { id, ...declared, fields: declared.fields ?? [] };
}

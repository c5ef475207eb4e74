import type { Fingerprint } from '../results.ts';

/** Fields that a change sets, and that the same command restores. */
export interface FieldParts<Args> {
  /** The new values, by name. */
  readonly asked: (args: Args) => Readonly<Record<string, string>>;
  /** The option for all of them in the restoring line, as `name=value, name=value`. */
  readonly option: string;
  readonly before: (shown: Fingerprint, name: string) => string | undefined;
  /** A field and its value in words, equal for values that the appliance treats as equal. */
  readonly called: (name: string, value: string) => string;
}

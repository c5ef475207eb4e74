import type { Fingerprint } from '../results.ts';

/** Fields that a change sets, and that the same command sets back. */
export interface FieldParts<Args> {
  /** What is set, by its name. */
  readonly asked: (args: Args) => Readonly<Record<string, string>>;
  /** The option that names them all in the line that sets them back, as `name=value, name=value`. */
  readonly option: string;
  /** How one of them is, by a preview of what would set it. */
  readonly before: (shown: Fingerprint, name: string) => string | undefined;
  /** What people call one with its value: alike for what is the same to the appliance. */
  readonly called: (name: string, value: string) => string;
}

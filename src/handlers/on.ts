import type { AskingAppliance } from './context.ts';
import type { Text } from './reply.ts';
import { type Fingerprint, notHappened, type Preview, type Verification } from './results.ts';

/** A kind of thing that people name in a line, and that may be gone by the time somebody looks. */
export interface Findable<Args, Found> {
  readonly find: (context: AskingAppliance<Args>) => Promise<Found | undefined>;
  /** Why there is nothing to act on, when it is not found any more. */
  readonly gone: (context: AskingAppliance<Args>) => Text;
  /** What it means when reading back does not find it. */
  readonly missing?: (context: AskingAppliance<Args>) => Verification;
}

/** What changes of such a thing have in common: it is found, or said to be gone; and found again to be read back. */
export function on<Args, Found>({ find, gone, missing = vanished }: Findable<Args, Found>) {
  return {
    find,
    gone,
    /** What a change would do to it as it is now. */
    preview:
      <Own extends Args>(
        ask: (found: Found, context: AskingAppliance<Own>) => Preview | Promise<Preview>,
      ): ((context: AskingAppliance<Own>) => Promise<Preview>) =>
      async (context) => {
        const found = await find(context);
        return found === undefined ? { kind: 'nothing', why: gone(context) } : ask(found, context);
      },
    /** What has become of it. */
    verify:
      <Own extends Args>(
        judge: (
          found: Found,
          context: AskingAppliance<Own>,
          shown: Fingerprint,
        ) => Verification | Promise<Verification>,
      ): ((context: AskingAppliance<Own>, shown: Fingerprint) => Promise<Verification>) =>
      async (context, shown) => {
        const found = await find(context);
        return found === undefined ? missing(context) : judge(found, context, shown);
      },
  };
}

const vanished = (): Verification => notHappened`It no longer exists.`;

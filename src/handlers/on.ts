import type { AskingAppliance } from './context.ts';
import { type Listing, readBackIn } from './listing.ts';
import type { Text } from './reply.ts';
import { type Fingerprint, notHappened, type Preview, type Verification } from './results.ts';

/** A kind of thing that people name in a line, and that may be gone by the time somebody looks. */
export interface Findable<Args, Found> {
  /** The list in which it is. */
  readonly list: (args: Args) => Listing<Found>;
  readonly fits: (one: Found, args: Args) => boolean;
  /** Why there is nothing to act on, when it is not found any more. */
  readonly gone: (context: AskingAppliance<Args>) => Text;
  /** What it means when reading back does not find it. */
  readonly missing?: (context: AskingAppliance<Args>) => Verification;
}

/** What changes of such a thing have in common: it is found, or said to be gone; and found again to be read back. */
export function on<Args, Found>({ list, fits, gone, missing = vanished }: Findable<Args, Found>) {
  const find = async ({ appliance, args }: AskingAppliance<Args>): Promise<Found | undefined> =>
    (await list(args).seek(appliance, (one) => fits(one, args))).found;
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
    verify: <Own extends Args>(
      judge: (
        found: Found,
        context: AskingAppliance<Own>,
        shown: Fingerprint,
      ) => Verification | Promise<Verification>,
      goneBy: typeof missing = missing,
    ) =>
      readBackIn<Own, Found>(list, async ({ seek }, context, shown) => {
        const { found } = await seek((one) => fits(one, context.args));
        return found === undefined ? goneBy(context) : judge(found, context, shown);
      }),
  };
}

const vanished = (): Verification => notHappened`It no longer exists.`;

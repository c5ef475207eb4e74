import type { AnyChange } from '../command.ts';
import { say } from '../reply.ts';
import { type Fingerprint, happened, notHappened, nothing, ready } from '../results.ts';
import { when } from '../wording/when.ts';

/** A temporary change that is on, and what is to become of its end. */
export interface EndToMove {
  /** The action that has begun it. */
  readonly of: string;
  /** What was confirmed when it began, by which it is called. */
  readonly shown: Fingerprint;
  /** When it is to end: milliseconds since the epoch. Undefined: it is kept for good. */
  readonly until: number | undefined;
  /** It ends now, before its time. */
  readonly early?: boolean | undefined;
}

/**
 * The same command, asked for again while what it did is on for a time: nothing is sent to the appliance, and only the end moves.
 * It goes the way of the command itself, so its roles and approvals count.
 */
export function extending(command: AnyChange, { of, shown, until, early = false }: EndToMove): AnyChange {
  const done = (args: never) => command.done(args, shown);
  // Nothing is sent, so there is nothing to be found out before, to take back or to compile, and nothing to wait for.
  const {
    undo: _,
    undoAsks: __,
    requires: ___,
    satisfies: ____,
    lasts: _____,
    survey: ______,
    ...rest
  } = command;
  return {
    ...rest,
    urgent: true,
    verb: early ? 'End now' : until === undefined ? 'Keep' : 'Extend',
    doing: (args) =>
      early
        ? say`Ending what is temporary: ${done(args)}`
        : until === undefined
          ? say`Removing the end of what is temporary: ${done(args)}`
          : say`Extending what is temporary: ${done(args)}`,
    done: (args) =>
      say`${done(args)}. ${
        early
          ? 'It is undone now'
          : until === undefined
            ? 'It stays, and no longer ends by itself'
            : 'Extended'
      }`,
    preview: async ({ args, timedChange, now }) => {
      const known = await timedChange(of);
      if (known === undefined) return nothing`This was temporary and is over by now. Run the command again.`;
      const ends = when(known.until, now);
      if (known.state === 'ending' && until !== undefined)
        return nothing`This was temporary until ${ends}, and is being undone. Run the command again when it is.`;
      if (!early && until !== undefined && until <= known.until)
        return nothing`This is temporary already, until ${ends}: ${done(args)}.`;
      return ready({
        question: early
          ? say`End this now? ${done(args)}.`
          : until === undefined
            ? say`Keep this for good? ${done(args)}.`
            : say`Extend this until ${when(until, now)}? ${done(args)}.`,
        fields: {
          'Now ends':
            known.state === 'ending'
              ? say`it was until ${ends}, and is not undone yet`
              : say`${ends}, and is undone then`,
        },
        fingerprint: { ...shown, end: known.until },
      });
    },
    run: async ({ extend, keep }, { end }) => ({
      confirmed: until === undefined ? await keep(of) : await extend(Number(end), until, of),
    }),
    verify: async ({ timedChange, now }) => {
      const known = await timedChange(of);
      if (early)
        return known === undefined || known.state === 'ending' || known.until <= (until ?? 0)
          ? happened`Its time is over.`
          : notHappened`Its end was not moved.`;
      if (until === undefined)
        return known === undefined ? happened`It has no end any more.` : notHappened`It still has an end.`;
      return known !== undefined && known.until >= until
        ? happened`It ends ${when(known.until, now)}.`
        : notHappened`Its end was not moved.`;
    },
  };
}

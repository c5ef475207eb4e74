import type { Invocation, Listener } from '../../action/base/chat.ts';
import type { Log } from '../../telemetry/log.ts';
import { acknowledge, answerWithin, forAMoment } from './acknowledge.ts';

/** A line, with the delivery that it came by. */
export type Typed = Invocation & { readonly delivery: string };

/** What becomes of lines. */
export interface TypedInbox {
  readonly ask: (invocation: Invocation) => Promise<void>;
  /** Whether what was taken is written down; while the journal cannot be used, it is not. */
  readonly isWritten: () => boolean;
  /** A typed line that came to its end. */
  readonly seenTo: (delivery: string) => Promise<void>;
  /** Runs a task that nobody waits for; `listener` is told if it breaks. */
  readonly track: (task: () => Promise<void>, listener?: Listener) => void;
}

/** How long an acknowledgement waits until it is written down that a line was taken. */
type Written = (taken: Promise<unknown>) => Promise<void>;

/** Slack never sends a slash command again, and tells its person when nobody acknowledges it: in milliseconds, of the 3,000 there are. */
export const soon: Written = (taken) => forAMoment(taken, 1_800);

/** An event stays unacknowledged until it is written down, however long that takes: Slack sends it again. */
export const whenever: Written = (taken) =>
  taken.then(
    () => undefined,
    () => undefined,
  );

/**
 * Takes lines that people have typed: each is acknowledged when it is written down, and answered then. Where it cannot be written
 * down, it is answered first: of what dies before that Slack tells, or sends it again.
 */
export function createTakeLine(
  inbox: TypedInbox,
  isNew: (delivery: string, typed: Typed) => Promise<boolean>,
  log: Log,
): (invocation: Typed, ack: () => Promise<void>, written: Written, isAcknowledged: () => void) => void {
  return (invocation, ack, written, isAcknowledged) => {
    const { delivery } = invocation;
    inbox.track(async () => {
      const taken = isNew(delivery, invocation);
      const answer = async () => {
        if (!(await taken)) return;
        try {
          await inbox.ask(invocation);
        } finally {
          await inbox.seenTo(delivery);
        }
      };
      const began = performance.now();
      await written(taken);
      const answered = inbox.isWritten() ? undefined : answer();
      if (answered !== undefined) await forAMoment(answered, answerWithin - (performance.now() - began));
      await acknowledge(ack, log).finally(isAcknowledged);
      await (answered ?? answer());
    }, invocation);
  };
}

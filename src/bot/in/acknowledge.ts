import type { ViewResponseAction } from '@slack/bolt';
import type { SubmissionResult } from '../../action/base/chat.ts';
import { acknowledgementFailed } from '../../telemetry/events/slack.ts';
import type { Log } from '../../telemetry/log.ts';
import { errorsOf, formView, overView } from '../rendering/forms.ts';

/** How long an acknowledgement may wait for an answer in all, in milliseconds, of the 3,000 that it has. */
export const answerWithin = 2_700;

/** What is not there by then is not waited for. */
export async function forAMoment(task: Promise<unknown>, milliseconds: number): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds).unref();
  const settled = task.then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([settled, over]);
  clearTimeout(timer);
}

/** A socket that closes under the acknowledgement does not undo what the person asked (slack-facts.md §5). */
export async function acknowledge(ack: () => Promise<void>, log: Log): Promise<void> {
  try {
    await ack();
  } catch (error) {
    log.tell(acknowledgementFailed, { error: error instanceof Error ? error.name : 'unknown' });
  }
}

/** Undefined closes the form. */
export function answerTo(settled: SubmissionResult): ViewResponseAction | undefined {
  switch (settled.kind) {
    case 'accepted':
    case 'closed':
      return undefined;
    case 'next':
      return { response_action: 'update', view: formView(settled.form) };
    case 'problems':
      return { response_action: 'errors', errors: errorsOf(settled.problems) };
    case 'over':
      return { response_action: 'update', view: overView(settled.why) };
  }
}

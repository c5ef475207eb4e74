import type { Log } from '../../log.ts';

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
    log.warn(
      { error: error instanceof Error ? error.name : 'unknown' },
      'Could not send an acknowledgement to Slack',
    );
  }
}

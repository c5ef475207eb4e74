/** Calls back after so many milliseconds, unless the returned function is called first. */
export type After = (milliseconds: number, callback: () => void) => () => void;

export const after: After = (milliseconds, callback) => {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
};

/** How long what Slack waits three seconds for may take, in milliseconds: the way there and back takes its part. */
const deadline = 2_200;

/** Undefined when it takes too long. An answer that comes later serves whoever asks next. */
export function inTime<Answer>(after: After, answer: Promise<Answer>): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const callOff = after(deadline, () => resolve(undefined));
    answer.then(resolve, reject).finally(callOff);
  });
}

/** How long somebody may wait before they hear that it goes on, in milliseconds. */
const timeout = 2_500;

/** Waits for something, and says so once when it takes longer than a person waits without wondering. */
export async function saidWhenSlow<Value>(
  after: After,
  saySo: () => Promise<void>,
  task: Promise<Value>,
): Promise<Value> {
  let said: Promise<void> | undefined;
  const callOff = after(timeout, () => {
    said = saySo();
    // A mistake of ours in there is told where it is awaited.
    said.catch(() => undefined);
  });
  try {
    return await task;
  } finally {
    callOff();
    // What comes next must not stand before it.
    await said;
  }
}

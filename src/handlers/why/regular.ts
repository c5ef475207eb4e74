import { Worker } from 'node:worker_threads';

export type RegexTrial = 'matches' | 'does_not' | 'unreadable' | 'too_slow';

/** Codes of the thread's results; 0 means not reached. */
const notes: readonly RegexTrial[] = ['too_slow', 'matches', 'does_not', 'unreadable'];

/** Milliseconds without progress before the thread is ended. */
const timeout = 250;
/** How many slow ones are ended. The rest after them stays untried. */
const mostSlow = 4;

interface Trial {
  readonly pattern: string;
  /** At least one must match. */
  readonly texts: readonly string[];
}

/**
 * Tries regular expressions on texts. The appliance may have thousands, and one may never end. So they run in a
 * thread that can be ended and does not block the process.
 * @returns their results, in order
 */
export async function tryRegular(trials: readonly Trial[]): Promise<readonly RegexTrial[]> {
  const readable = trials.map(({ pattern, texts }) => ({ pattern: asJavaScript(pattern), texts }));
  const noted = new Uint8Array(new SharedArrayBuffer(trials.length));
  let next = 0;
  for (let slow = 0; next < trials.length && slow < mostSlow; slow += 1) {
    await attempt(readable, noted, next);
    const stuck = noted.indexOf(0, next);
    next = stuck === -1 ? trials.length : stuck + 1;
  }
  return Array.from(noted, (note) => notes[note] ?? 'too_slow');
}

/** A string, because the bot is bundled into one file. */
const script = `
  const { workerData } = require('node:worker_threads');
  const { trials, noted, first } = workerData;
  for (let index = first; index < trials.length; index += 1) {
    const { pattern, texts } = trials[index];
    let regular;
    try { regular = new RegExp(pattern, 'i'); } catch { noted[index] = 3; continue; }
    noted[index] = texts.some((text) => regular.test(text)) ? 1 : 2;
  }
`;

/** Continues from `first` until all are tried or one takes too long. */
async function attempt(trials: readonly Trial[], noted: Uint8Array, first: number): Promise<void> {
  const worker = new Worker(script, { eval: true, workerData: { trials, noted, first } });
  const over = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  worker.once('online', () => {
    timer = setTimeout(() => worker.terminate(), timeout);
  });
  worker.once('error', over.reject);
  worker.once('exit', () => over.resolve());
  try {
    await over.promise;
  } finally {
    clearTimeout(timer);
  }
}

/** POSIX character classes are the only common syntax that JavaScript reads differently. */
function asJavaScript(pattern: string): string {
  return pattern.replace(/\[:([a-z]+):\]/g, (whole, name: string) => classes[name] ?? whole);
}

const classes: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  digit: '0-9',
  lower: 'a-z',
  upper: 'A-Z',
  space: '\\s',
  xdigit: '0-9A-Fa-f',
};

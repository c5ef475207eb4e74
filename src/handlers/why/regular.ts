import { Worker } from 'node:worker_threads';

/** What became of trying a regular expression. */
export type RegexTrial = 'matches' | 'does_not' | 'unreadable' | 'too_slow';

/** As the thread notes them; 0 is what it has not come to. */
const notes: readonly RegexTrial[] = ['too_slow', 'matches', 'does_not', 'unreadable'];

/** Milliseconds after which the thread is at one that takes for ever. */
const timeout = 250;
/** How many of those are broken off. What stands behind the last of them stays untried. */
const mostSlow = 4;

interface Trial {
  readonly pattern: string;
  /** One of them has to match. */
  readonly texts: readonly string[];
}

/**
 * Tries regular expressions on texts. They come from the appliance, where there may be thousands, and somebody may have
 * written one that takes for ever: so they are tried in a thread of their own, which can be ended, and holds up nobody.
 * @returns what became of each, in their order
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

/** In a string, because the bot is one file when it is built. */
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

/** Tries them from the first on, until it is through or at one that takes too long. */
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

/** POSIX character classes, the one thing in common use that JavaScript reads in another way. */
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

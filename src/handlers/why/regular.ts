import { createContext, Script } from 'node:vm';

/** What became of trying a regular expression. */
export type Tried = 'matches' | 'does_not' | 'unreadable' | 'too_slow';

/** Milliseconds for all of them, and for one of them when all together took too long. */
const patience = { all: 250, one: 20 };

/**
 * Tries regular expressions on texts. They come from the appliance, where somebody may have written one that takes for
 * ever, so they are tried where they can be broken off.
 * @param trials each with the texts of which one has to match
 * @returns what became of each, in their order
 */
export function tryRegular(
  trials: readonly { readonly pattern: string; readonly texts: readonly string[] }[],
): readonly Tried[] {
  if (trials.length === 0) return [];
  const readable = trials.map(({ pattern, texts }) => ({ pattern: asJavaScript(pattern), texts }));
  const together = attempt(readable, patience.all);
  if (together !== undefined) return together;
  // One of them is to blame. What is left after as long again stays untried.
  const end = performance.now() + 2 * patience.all;
  return readable.map((one) =>
    performance.now() > end ? 'too_slow' : (attempt([one], patience.one)?.[0] ?? 'too_slow'),
  );
}

const script = new Script(`JSON.stringify(JSON.parse(trials).map(({ pattern, texts }) => {
  let regular;
  try { regular = new RegExp(pattern, 'i'); } catch { return 'unreadable'; }
  return texts.some((text) => regular.test(text)) ? 'matches' : 'does_not';
}))`);

/** Undefined when it took too long. */
function attempt(trials: unknown, timeout: number): readonly Tried[] | undefined {
  try {
    const context = createContext({ trials: JSON.stringify(trials) });
    // The script above makes an array of these words.
    return JSON.parse(String(script.runInContext(context, { timeout }))) as Tried[];
  } catch (error) {
    if (isTimeout(error)) return undefined;
    throw error;
  }
}

/** By its code alone: what is thrown out of another context need not be an `Error` of this one. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

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

import { type BigIntStats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/** How often is looked, in milliseconds. */
const interval = 500;

/**
 * Calls back when one of the files has become another one and all have stayed so for a moment, so that nobody reads what is half
 * written: a certificate without its new key, for example. `since` is the state of them that is known (`signatureNow`). They are looked at,
 * again and again: editors put another file in its place, containers mount links that are turned to another folder, and
 * folders of the network do not tell of changes; to look finds all of them. Answers how to stop.
 */
export function watchFiles(
  files: () => readonly string[],
  since: string,
  changed: () => void,
  every = interval,
): () => void {
  let known = since;
  let last = since;
  let isLooking = false;
  const look = async () => {
    // A folder of the network may take longer to answer than we wait.
    if (isLooking) return;
    isLooking = true;
    const seen = (await Promise.all(files().map(signatureOf))).join('\n');
    isLooking = false;
    const isSettled = seen === last;
    last = seen;
    if (seen === known || !isSettled || isStopped) return;
    known = seen;
    changed();
  };
  let isStopped = false;
  const timer = setInterval(() => void look(), every).unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}

/** Tells one state of a file from the next. Never rejects: that it is not there is a state, too. */
function signatureOf(file: string): Promise<string> {
  return stat(file, { bigint: true }).then(told, absent);
}

/** The same for the state that files are in now. */
export const signatureNow = (files: readonly string[]): string => files.map(signatureOfOne).join('\n');

function signatureOfOne(file: string): string {
  try {
    return told(statSync(file, { bigint: true }));
  } catch (error) {
    return absent(error);
  }
}

const told = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].join(' ');

const absent = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';

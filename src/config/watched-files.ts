import { type BigIntStats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';

/** The polling interval in milliseconds. */
const interval = 500;

/**
 * Calls back when a file has changed and all have been stable for a moment, so that nobody reads a half-written
 * state, such as a certificate without its new key. `since` is the known state (`signatureNow`). Polls, because
 * editors replace files, containers turn links, and network folders report no changes. Returns the function
 * that stops it.
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
    // A network folder may answer more slowly than the interval.
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

/** Identifies a file's state. Never rejects: a missing file is a state too. */
function signatureOf(file: string): Promise<string> {
  return stat(file, { bigint: true }).then(told, absent);
}

/** The current state of files. */
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

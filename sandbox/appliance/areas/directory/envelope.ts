import type { DirectoryState } from '../../company/directory.ts';
import type { Route } from '../../route.ts';

/** This API spells its keys in lower case (appliance-api.md §1, §2.9). */
export function done(info: string) {
  return { status: true, info };
}

export function refused(info: string) {
  return { status: false, info };
}

/** The same operation at each of its paths; the document shows no method for any of them. */
export function at(paths: string | readonly string[], answer: Route['answer']): Route[] {
  return [paths].flat().map((path) => ({ method: '-', path, answer }));
}

/**
 * Rises and falls by up to `height` every five minutes, for numbers that are never still. Counted from the boot, so that
 * every start of the simulation finds the same ones.
 */
export function wave({ bootedAt }: DirectoryState, now: Date, height: number): number {
  const minutes = (now.getTime() - bootedAt.getTime()) / 60_000;
  return Math.round(height * Math.sin((minutes / 5) * 2 * Math.PI));
}

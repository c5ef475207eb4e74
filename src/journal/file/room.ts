import { statfs } from 'node:fs/promises';

const megabyte = 1_024 * 1_024;

/** In bytes: what is written before it is tidied may take 80 MB, and people need time to make room. */
const fewBytes = 200 * megabyte;

/** How much room a disk has for whoever is not its administrator. */
export interface Room {
  readonly free: number;
  readonly isLow: boolean;
}

/** `few`: what counts as low, in bytes; unless told some 200 MB, or a tenth of a small disk. */
export async function roomIn(folder: string, few?: number): Promise<Room> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const free = bavail * bsize;
  return { free, isLow: free < (few ?? Math.min(fewBytes, (blocks * bsize) / 10)) };
}

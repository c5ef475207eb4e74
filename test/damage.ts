import { closeSync, openSync, statSync, writeSync } from 'node:fs';

/** Writes over so many bytes, here and there, as a disk that breaks does. */
export function damage(file: string, bytes: number): void {
  const size = statSync(file).size;
  const open = openSync(file, 'r+');
  // SQLite reads the beginning when it opens the file. This damage must be found later.
  for (let one = 0; one < bytes; one += 1)
    writeSync(open, Buffer.from([0xa5 ^ one]), 0, 1, 4_096 + ((one * 7_919) % (size - 4_096)));
  closeSync(open);
}

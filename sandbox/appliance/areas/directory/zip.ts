import { inflateRawSync } from 'node:zlib';

interface Entry {
  readonly name: string;
  /** The position of its own header. */
  readonly offset: number;
  readonly packedSize: number;
  /** 0 stored, 8 deflated. */
  readonly method: number;
}

/** The names of the files in a zip; none when it is not a whole zip file. */
export function namesInZip(zip: Buffer): string[] {
  return entriesOf(zip).map(({ name }) => name);
}

/** The text of one of them; undefined when there is none of this name, or it cannot be unpacked. */
export function fileInZip(zip: Buffer, name: string): string | undefined {
  const entry = entriesOf(zip).find((one) => one.name === name);
  if (entry === undefined || entry.offset + 30 > zip.length) return undefined;
  const start = entry.offset + 30 + zip.readUInt16LE(entry.offset + 26) + zip.readUInt16LE(entry.offset + 28);
  const packed = zip.subarray(start, start + entry.packedSize);
  try {
    return (entry.method === 8 ? inflateRawSync(packed) : packed).toString('utf8');
  } catch {
    return undefined;
  }
}

/** As the central directory lists them. Without the large-archive extension (ZIP64), which no shell package needs. */
function entriesOf(zip: Buffer): Entry[] {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0 || end + 22 > zip.length) return [];
  const entries: Entry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + 46 > end || zip.toString('latin1', at, at + 4) !== 'PK\x01\x02') return [];
    const nameLength = zip.readUInt16LE(at + 28);
    entries.push({
      name: zip.toString('utf8', at + 46, at + 46 + nameLength),
      offset: zip.readUInt32LE(at + 42),
      packedSize: zip.readUInt32LE(at + 20),
      method: zip.readUInt16LE(at + 10),
    });
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}

/**
 * The names of the files in a zip, as its central directory lists them; none when it is not a whole zip file.
 * Without the large-archive extension (ZIP64), which no shell package needs.
 */
export function namesInZip(zip: Buffer): string[] {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (end < 0 || end + 22 > zip.length) return [];
  const names: string[] = [];
  let entry = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (entry + 46 > end || zip.toString('latin1', entry, entry + 4) !== 'PK\x01\x02') return [];
    const nameLength = zip.readUInt16LE(entry + 28);
    names.push(zip.toString('utf8', entry + 46, entry + 46 + nameLength));
    entry += 46 + nameLength + zip.readUInt16LE(entry + 30) + zip.readUInt16LE(entry + 32);
  }
  return names;
}

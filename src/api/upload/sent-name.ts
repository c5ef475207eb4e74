/** Bytes that a file system takes for sure, with room for what an appliance puts before it. */
const most = 150;

/** What stays: letters that can be seen, digits, and the few signs that mean nothing to a shell, a path or a form. */
const other = /[^\p{L}\p{M}\p{N}._+() -]|[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

/**
 * The name under which a file is uploaded: no more than a name, whatever it is called where it comes from. Folders before
 * it are left out, and what is unusual in it becomes `_`.
 */
export function sentName(given: string): string {
  const base = given.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const [ending = ''] = /\.[a-z0-9]{1,10}$/i.exec(base) ?? [];
  const stem = base
    .slice(0, base.length - ending.length)
    .replaceAll(other, '_')
    // Neither hidden, nor an option, nor a folder.
    .replace(/^[-. ]+/, '')
    .replace(/(?<![. ])[. ]+$/, '');
  return `${shortened(stem, most - ending.length) || 'file'}${ending}`;
}

function shortened(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let kept = '';
  let room = bytes;
  for (const character of text) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    kept += character;
  }
  return kept;
}

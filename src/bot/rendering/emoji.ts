/** Marks that have an emoji: it looks the same everywhere, also where no font has its colours. */
const names: ReadonlyMap<string, string> = new Map([
  ['✅', 'white_check_mark'],
  ['❌', 'x'],
  ['⚠️', 'warning'],
  ['🚨', 'rotating_light'],
  ['⏳', 'hourglass_flowing_sand'],
  ['⚪', 'white_circle'],
  ['ℹ️', 'information_source'],
]);
const anyMark = new RegExp(`(${[...names.keys()].join('|')})`, 'u');

/** A text in pieces, with the short name of an emoji for each mark in it. */
export const byMarks = (
  text: string,
): readonly (string | { readonly mark: string; readonly emoji: string })[] =>
  text
    .split(anyMark)
    .filter((part) => part !== '')
    .map((part) => {
      const emoji = names.get(part);
      return emoji === undefined ? part : { mark: part, emoji };
    });

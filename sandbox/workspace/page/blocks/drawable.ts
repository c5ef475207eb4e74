const known = new Map<string, boolean>();

/** Whether the reader's fonts have the emoji in colour: without such a font it would be an empty box. */
export function isDrawable(emoji: string): boolean {
  const before = known.get(emoji);
  if (before !== undefined) return before;
  const drawable = hasColor(emoji);
  known.set(emoji, drawable);
  return drawable;
}

const size = 24;

/** Text is black, so colour, or an opaque grey, comes from a font of emoji. */
function hasColor(emoji: string): boolean {
  const canvas = document.createElement('canvas');
  canvas.width = size;
  canvas.height = size;
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  if (!pen) return true;
  pen.textBaseline = 'top';
  pen.font = `${size - 4}px sans-serif`;
  pen.fillText(emoji, 0, 2);
  const { data } = pen.getImageData(0, 0, size, size);
  return data.some((part, index) => index % 4 !== 3 && part > 0 && data[index - (index % 4) + 3] === 255);
}

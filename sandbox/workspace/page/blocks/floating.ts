import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useState } from 'react';

/** A list needs about this much; beside the right edge it grows to the left instead. */
const usualWidth = 280;

/** Places a floating list under its anchor, or above it when there is more room. Fixed, so that no scroller cuts it off. */
export function useFloating(
  anchor: RefObject<HTMLElement | null>,
  open: boolean,
  tallest = 300,
): CSSProperties {
  const [style, setStyle] = useState<CSSProperties>({ visibility: 'hidden' });
  const [drawn, redraw] = useState(0);
  // `drawn` counts the scrolls and resizes after which the place is taken again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useLayoutEffect(() => {
    const box = anchor.current?.getBoundingClientRect();
    if (!open || !box) return;
    const under = innerHeight - box.bottom;
    const above = under < 240 && box.top > under;
    const atEdge = box.width < usualWidth && box.left + usualWidth > innerWidth && box.right > usualWidth;
    setStyle({
      ...(atEdge ? { right: innerWidth - box.right } : { left: box.left }),
      minWidth: box.width,
      maxHeight: Math.min(tallest, (above ? box.top : under) - 12),
      ...(above ? { bottom: innerHeight - box.top + 4 } : { top: box.bottom + 4 }),
    });
  }, [open, drawn, anchor, tallest]);
  useEffect(() => {
    if (!open) return;
    const again = () => redraw((count) => count + 1);
    addEventListener('scroll', again, true);
    addEventListener('resize', again);
    return () => {
      removeEventListener('scroll', again, true);
      removeEventListener('resize', again);
    };
  }, [open]);
  return style;
}

import { useState } from 'react';
import { useSurface } from './surface.tsx';
import { isText, Text } from './Text.tsx';
import type { UsableProps } from './usable.ts';

export function Button({ blockId, element }: UsableProps) {
  const surface = useSurface();
  const [busy, setBusy] = useState(false);
  const press = async () => {
    if (element.url) window.open(element.url, '_blank', 'noopener,noreferrer');
    setBusy(true);
    await surface.use(blockId, element, {});
    setBusy(false);
  };
  const style = element.style === 'primary' || element.style === 'danger' ? ` button-${element.style}` : '';
  return (
    <button
      type="button"
      className={`button${style}`}
      aria-busy={busy}
      aria-label={element.accessibility_label}
      onClick={press}
    >
      {isText(element.text) && <Text of={element.text} />}
    </button>
  );
}

import { MoreIcon } from '../icons.tsx';
import { Menu } from '../Menu.tsx';
import { useSurface } from './surface.tsx';
import { words } from './Text.tsx';
import type { UsableProps } from './usable.ts';

export function Overflow({ blockId, element }: UsableProps) {
  const surface = useSurface();
  const options = element.options ?? [];
  return (
    <Menu
      label={element.accessibility_label ?? 'More options'}
      className="button button-overflow"
      trigger={<MoreIcon />}
      items={options.map((option) => ({
        key: option.value,
        content: words(option.text),
        onSelect: () => void surface.use(blockId, element, { selected_option: option }),
      }))}
    />
  );
}

import type { Element } from './elements.ts';
import { UsableElement } from './UsableElement.tsx';

/** A row of buttons, selects and their like. */
export function Actions({
  blockId,
  elements,
}: {
  readonly blockId: string;
  readonly elements: readonly Element[];
}) {
  return (
    <span className="actions">
      {elements.map((element, index) => (
        <UsableElement key={element.action_id ?? index} blockId={blockId} element={element} />
      ))}
    </span>
  );
}

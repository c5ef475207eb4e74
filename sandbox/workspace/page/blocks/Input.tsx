import { useId } from 'react';
import type { Block } from '../../protocol.ts';
import { elementsOf } from './elements.ts';
import { useSurface } from './surface.tsx';
import { isText, Text, words } from './Text.tsx';
import { UsableElement } from './UsableElement.tsx';
import type { Labelled } from './usable.ts';

/** A labelled input of a modal (or message, or the App Home), with its hint and its error. */
export function Input({ block }: { readonly block: Block }) {
  const { errors } = useSurface();
  const id = useId();
  const blockId = block.block_id ?? '';
  const [element] = elementsOf(block);
  if (!element) return <span className="unknown-block">An input that cannot be used here</span>;
  const error = errors[blockId];
  const optional = block.optional === true;
  const label = words(block.label);
  const told = [error && `${id}-error`, isText(block.hint) && `${id}-hint`].filter(Boolean).join(' ');
  const labelled: Labelled = {
    id,
    label,
    ...(told && { describedBy: told }),
    invalid: error !== undefined,
    required: !optional,
    dispatch: block.dispatch_action === true,
  };
  return (
    <span className={`input${error ? ' input-wrong' : ''}`}>
      <span className="input-label">
        <label htmlFor={id}>{label}</label>
        {optional && <span className="input-optional"> (optional)</span>}
      </span>
      <UsableElement blockId={blockId} element={element} labelled={labelled} />
      {error && (
        <span className="input-error" id={`${id}-error`} role="alert">
          {error}
        </span>
      )}
      {isText(block.hint) && (
        <span className="input-hint" id={`${id}-hint`}>
          <Text of={block.hint} />
        </span>
      )}
    </span>
  );
}

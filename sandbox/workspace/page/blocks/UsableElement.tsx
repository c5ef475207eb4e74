import { Button } from './Button.tsx';
import { Choices } from './Choices.tsx';
import type { Element } from './elements.ts';
import { Field } from './Field.tsx';
import { FileInput } from './FileInput.tsx';
import { Overflow } from './Overflow.tsx';
import { Picker } from './Picker.tsx';
import { useSurface } from './surface.tsx';

/** What the element stands for when an input block gives it a label: its values are kept, not sent at once. */
export interface Labelled {
  readonly id: string;
  readonly label: string;
  readonly describedBy?: string;
  readonly invalid: boolean;
  readonly required: boolean;
  readonly dispatch: boolean;
}

export interface UsableProps {
  readonly blockId: string;
  readonly element: Element;
  readonly labelled?: Labelled;
}

/** Any interactive element, drawn by its type. */
export function UsableElement(props: UsableProps) {
  const { type } = props.element;
  if (type === 'button' || type === 'workflow_button') return <Button {...props} />;
  if (type === 'overflow') return <Overflow {...props} />;
  if (type === 'checkboxes' || type === 'radio_buttons') return <Choices {...props} />;
  if (type.endsWith('_select')) return <Picker {...props} />;
  if (type === 'file_input') return <FileInput {...props} />;
  return <Field {...props} />;
}

/** How a changed value goes: kept in an input block, sent to the app anywhere else and where the input asks for it. */
export function useChange({ blockId, element, labelled }: UsableProps) {
  const surface = useSurface();
  return labelled && !labelled.dispatch
    ? (value: Readonly<Record<string, unknown>>) => surface.keep(blockId, element, value)
    : (value: Readonly<Record<string, unknown>>) => void surface.use(blockId, element, value);
}

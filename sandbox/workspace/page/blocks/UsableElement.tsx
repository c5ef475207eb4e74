import { Button } from './Button.tsx';
import { Choices } from './Choices.tsx';
import { Field } from './Field.tsx';
import { FileInput } from './FileInput.tsx';
import { Overflow } from './Overflow.tsx';
import { Picker } from './Picker.tsx';
import type { UsableProps } from './usable.ts';

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

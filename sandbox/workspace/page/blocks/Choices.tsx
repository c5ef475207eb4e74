import { useId } from 'react';
import type { Option } from './elements.ts';
import { useSurface } from './surface.tsx';
import { Text } from './Text.tsx';
import { type UsableProps, useChange } from './usable.ts';

/** Checkboxes and radio buttons. */
export function Choices(props: UsableProps) {
  const { blockId, element, labelled } = props;
  const surface = useSurface();
  const change = useChange(props);
  const id = useId();
  const many = element.type === 'checkboxes';
  const value = surface.read(blockId, element);
  // The fields hold what `change` put there or what the app started them with: options.
  const chosen = (many ? value.selected_options : [value.selected_option]) as readonly (Option | null)[];
  const isChosen = (option: Option) => chosen.some((one) => one?.value === option.value);
  const toggle = (option: Option) => {
    if (!many) return change({ selected_option: option });
    const options = (element.options ?? []).filter((one) =>
      one.value === option.value ? !isChosen(option) : isChosen(one),
    );
    change({ selected_options: options });
  };
  return (
    <fieldset
      className="choices"
      aria-label={labelled?.label}
      aria-describedby={labelled?.describedBy}
      {...(!many && {
        role: 'radiogroup',
        'aria-required': labelled?.required || undefined,
        'aria-invalid': labelled?.invalid || undefined,
      })}
    >
      {(element.options ?? []).map((option) => (
        <label key={option.value} className="choice">
          <input
            className="choice-box"
            type={many ? 'checkbox' : 'radio'}
            name={id}
            checked={isChosen(option)}
            aria-invalid={(many && labelled?.invalid) || undefined}
            onChange={() => toggle(option)}
          />
          <span>
            <Text of={option.text} />
            {option.description && <Text of={option.description} className="choice-description" />}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { CaretIcon, CloseIcon } from '../icons.tsx';
import { type Option, valueField } from './elements.ts';
import { useFloating } from './floating.ts';
import { Listbox } from './Listbox.tsx';
import { type Choice, useChoices } from './offered.ts';
import { useSurface } from './surface.tsx';
import { words } from './Text.tsx';
import { type UsableProps, useChange } from './usable.ts';

/** Every select: a text box that filters, and a list that floats under it. One or many, from wherever its options come. */
export function Picker(props: UsableProps) {
  const { blockId, element, labelled } = props;
  const surface = useSurface();
  const change = useChange(props);
  const id = useId();
  const box = useRef<HTMLSpanElement>(null);
  const [query, setQuery] = useState<string>();
  const [active, setActive] = useState(0);
  const many = element.type.startsWith('multi_');
  const open = query !== undefined;
  const { choices, nameOf, note } = useChoices(blockId, element, query);
  const place = useFloating(box, open);

  const field = valueField(element.type) ?? '';
  const holdsOptions = field.startsWith('selected_option');
  const held = surface.read(blockId, element)[field];
  // Selects of options hold options, the others hold IDs; both as `change` wrote them or the app started them.
  const chosen = ((many ? held : [held]) as readonly (Option | string | null)[]).filter(
    (one) => one !== null,
  );
  const keyOf = (one: Option | string) => (typeof one === 'string' ? one : one.value);
  const labelOf = (one: Option | string) => (typeof one === 'string' ? nameOf(one) : words(one.text));
  const isChosen = (choice: Choice) => chosen.some((one) => keyOf(one) === choice.key);

  const openList = () => {
    if (open) return;
    setQuery('');
    setActive(Math.max(0, choices.findIndex(isChosen)));
  };
  const pick = (choice: Choice) => {
    const value = holdsOptions ? choice.option : choice.key;
    if (!many) {
      change({ [field]: value });
      return setQuery(undefined);
    }
    change({
      [field]: isChosen(choice) ? chosen.filter((one) => keyOf(one) !== choice.key) : [...chosen, value],
    });
    setQuery('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const current = choices[active];
    if (event.key === 'Escape' && open) setQuery(undefined);
    else if (event.key === 'Enter' && open && current) pick(current);
    else if (event.key === 'Enter' && !open) openList();
    else if (step && open) setActive(Math.max(0, Math.min(choices.length - 1, active + step)));
    else if (step) openList();
    else if (event.key === 'Backspace' && many && !query && chosen.length > 0)
      change({ [field]: chosen.slice(0, -1) });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const single = many ? undefined : chosen[0];
  const placeholder = words(element.placeholder) || 'Choose an option';
  const hint = () => {
    if (single) return labelOf(single);
    return many && chosen.length > 0 ? '' : placeholder;
  };
  return (
    <span className={`picker${many ? ' picker-many' : ''}`} ref={box}>
      {many &&
        chosen.map((one) => (
          <span className="chip" key={keyOf(one)}>
            {labelOf(one)}
            <button
              type="button"
              aria-label={`Remove ${labelOf(one)}`}
              onClick={() => change({ [field]: chosen.filter((other) => other !== one) })}
            >
              <CloseIcon />
            </button>
          </span>
        ))}
      <input
        id={labelled?.id}
        type="text"
        role="combobox"
        autoComplete="off"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-activedescendant={open && choices[active] ? `${id}-${active}` : undefined}
        aria-label={labelled ? undefined : placeholder}
        aria-describedby={labelled?.describedBy}
        aria-invalid={labelled?.invalid || undefined}
        aria-required={labelled?.required || undefined}
        placeholder={hint()}
        value={query ?? (single ? labelOf(single) : '')}
        onChange={(event) => {
          setQuery(event.target.value);
          setActive(0);
        }}
        onClick={openList}
        onBlur={() => setQuery(undefined)}
        onKeyDown={onKeyDown}
      />
      <CaretIcon />
      {open && (
        <Listbox
          id={id}
          label={labelled?.label ?? placeholder}
          choices={choices}
          active={active}
          isChosen={isChosen}
          onActive={setActive}
          onPick={pick}
          note={note}
          place={place}
        />
      )}
    </span>
  );
}

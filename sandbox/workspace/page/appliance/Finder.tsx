import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Operation } from '../../../appliance/protocol.ts';
import { useFloating } from '../blocks/floating.ts';
import { Listbox, type Listed } from '../blocks/Listbox.tsx';
import { CaretIcon } from '../icons.tsx';
import { findOperations } from './find-operations.ts';
import { OperationName } from './OperationName.tsx';

interface Props {
  /** The ID of the text box, for its label. */
  readonly id: string;
  readonly operations: readonly Operation[];
  /** The name of the chosen one. */
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
}

/** Finds one operation among many by any words of its path, its method or its heading. */
export function Finder({ id, operations, chosen, onChoose }: Props) {
  const listId = useId();
  const box = useRef<HTMLSpanElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState<string>();
  const [active, setActive] = useState(0);
  const open = query !== undefined;
  const place = useFloating(box, open, 360);
  const found = open ? findOperations(operations, query) : [];
  const choices = found.map(
    ({ name, area }, index): Listed => ({
      key: name,
      label: <OperationName name={name} />,
      ...(area !== found[index - 1]?.area && { group: area }),
    }),
  );

  useLayoutEffect(() => {
    // Typing on searches another operation: the chosen one stays selected, and the next key replaces it.
    if (!open && document.activeElement === input.current) input.current?.select();
  }, [open]);

  const openList = () => {
    if (open) return;
    setQuery('');
    setActive(
      Math.max(
        0,
        operations.findIndex(({ name }) => name === chosen),
      ),
    );
  };
  const pick = (name: string) => {
    onChoose(name);
    setQuery(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    const current = choices[active];
    if (event.key === 'Escape' && open) setQuery(undefined);
    else if (event.key === 'Enter' && open && current) pick(current.key);
    else if (event.key === 'Enter' && !open) openList();
    else if (step && open) setActive(Math.max(0, Math.min(choices.length - 1, active + step)));
    else if (step) openList();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <span className="picker finder" ref={box}>
      <input
        ref={input}
        id={id}
        type="text"
        role="combobox"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-expanded={open}
        aria-controls={open ? `${listId}-list` : undefined}
        aria-activedescendant={open && choices[active] ? `${listId}-${active}` : undefined}
        placeholder={chosen ?? 'Search, such as sessions or category'}
        value={query ?? chosen ?? ''}
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
          id={listId}
          label="Operations"
          choices={choices}
          active={active}
          isChosen={({ key }) => key === chosen}
          onActive={setActive}
          onPick={({ key }) => pick(key)}
          note={choices.length === 0 ? 'No operation has this in its name.' : undefined}
          place={place}
        />
      )}
    </span>
  );
}

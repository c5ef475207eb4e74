import { type CSSProperties, Fragment, type ReactNode, useEffect, useRef } from 'react';

export interface Listed {
  readonly key: string;
  readonly label: ReactNode;
  readonly detail?: string;
  /** The heading above the first line of its group. */
  readonly group?: string;
}

interface Props<Choice extends Listed> {
  /** The list has the ID `<id>-list`, its nth line `<id>-<n>`: the text box refers to them (aria-activedescendant). */
  readonly id: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly active: number;
  readonly isChosen: (choice: Choice) => boolean;
  readonly onActive: (index: number) => void;
  readonly onPick: (choice: Choice) => void;
  /** Text in the list beside or instead of choices, such as "No results". */
  readonly note?: string | undefined;
  /** The position of the floating list. */
  readonly place: CSSProperties;
}

/** The list under a text box that filters it. The text box keeps the focus and steers; the mouse needs only this. */
export function Listbox<Choice extends Listed>(props: Props<Choice>) {
  const { id, label, choices, active, isChosen, onActive, onPick, note, place } = props;
  const list = useRef<HTMLSpanElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the line to show depends on which one is active
  useEffect(() => {
    list.current?.querySelector('.active')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <span className="floating picker-list" style={place} ref={list}>
      <span role="listbox" aria-label={label} id={`${id}-list`}>
        {choices.map((choice, index) => (
          <Fragment key={choice.key}>
            {/* The heading is no part of the pointed line; screen readers hear it with the line. */}
            {choice.group && (
              <span className="picker-group" aria-hidden="true">
                {choice.group}
              </span>
            )}
            <span
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={isChosen(choice)}
              className={index === active ? 'active' : undefined}
              onMouseMove={() => onActive(index)}
              onMouseDown={(event) => {
                event.preventDefault();
                onPick(choice);
              }}
            >
              {choice.group && <span className="visually-hidden">{choice.group}: </span>}
              {choice.label}
              {choice.detail && <span className="choice-description">{choice.detail}</span>}
            </span>
          </Fragment>
        ))}
      </span>
      {/* The note is no choice, so it stands beside the list. */}
      {note && (
        <span className="picker-note" role="status">
          {note}
        </span>
      )}
    </span>
  );
}

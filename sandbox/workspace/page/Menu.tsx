import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useFloating } from './blocks/floating.ts';

interface MenuItem {
  readonly key: string;
  readonly content: ReactNode;
  readonly onSelect: () => void;
  /** Set in menus where one item is the current one. */
  readonly checked?: boolean;
}

interface Props {
  /** The trigger's name for screen readers and tests; left out when its content says it. */
  readonly label?: string;
  readonly className?: string;
  readonly trigger: ReactNode;
  readonly items: readonly MenuItem[];
  readonly heading?: ReactNode;
}

/** A button that opens a menu: arrows move, Enter chooses, Escape and a click elsewhere close. */
export function Menu({ label, className, trigger, items, heading }: Props) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const place = useFloating(box, open, 460);
  // The list is hidden until it has its place, and a hidden element takes no focus.
  const shown = open && place.visibility !== 'hidden';

  useEffect(() => {
    if (!shown) return;
    const current = list.current?.querySelector<HTMLElement>('[aria-checked=true]');
    (current ?? list.current?.querySelector('button'))?.focus({ preventScroll: true });
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [shown]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape' || event.key === 'Tab') {
      setOpen(false);
      button.current?.focus();
    } else if (step) {
      const buttons: Element[] = [...(list.current?.querySelectorAll('button') ?? [])];
      const at = document.activeElement ? buttons.indexOf(document.activeElement) : -1;
      const next = buttons[(at + step + buttons.length) % buttons.length];
      if (next instanceof HTMLElement) next.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <span className="menu-anchor" ref={box}>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {trigger}
      </button>
      {open && (
        <div
          className="floating menu"
          role="menu"
          id={id}
          ref={list}
          style={place}
          tabIndex={-1}
          onKeyDown={onKeyDown}
        >
          {heading && <div className="menu-heading">{heading}</div>}
          {items.map((item) => (
            <button
              key={item.key}
              type="button"
              {...(item.checked === undefined
                ? { role: 'menuitem' }
                : { role: 'menuitemradio', 'aria-checked': item.checked })}
              onClick={() => {
                setOpen(false);
                button.current?.focus();
                item.onSelect();
              }}
            >
              {item.content}
            </button>
          ))}
        </div>
      )}
    </span>
  );
}

import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

const usable = 'button, input, textarea, select, a, summary, [tabindex]';

const nameOf = (element: Element) =>
  `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent}`;

/** The focused element, its message by ts, and its name. */
interface Held {
  readonly element: HTMLElement;
  readonly ts: string | undefined;
  readonly name: string;
}

/**
 * Keeps the focus in a part of the page when its element is drawn anew, as a card after its button. The focus goes to the
 * same-named element in the same message, to that message, or else to the part itself.
 */
export function useKeptFocus(part: RefObject<HTMLElement | null>) {
  const held = useRef<Held>(undefined);
  useEffect(() => {
    const root = part.current;
    if (!root) return;
    const hold = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || target === root) return;
      const ts = target.closest<HTMLElement>('[data-ts]')?.dataset.ts;
      held.current = { element: target, ts, name: nameOf(target) };
    };
    const release = ({ target, relatedTarget }: FocusEvent) => {
      // A dialog returns the focus itself; only a removed element lost it against the reader's will.
      if (relatedTarget instanceof Element && relatedTarget.closest('dialog')) return;
      setTimeout(() => {
        if (target instanceof Element && target.isConnected && held.current?.element === target)
          held.current = undefined;
      });
    };
    root.addEventListener('focusin', hold);
    root.addEventListener('focusout', release);
    return () => {
      root.removeEventListener('focusin', hold);
      root.removeEventListener('focusout', release);
    };
  }, [part]);
  const restore = () => {
    const root = part.current;
    const lost = held.current;
    if (!root || !lost || lost.element.isConnected || document.activeElement !== document.body) return;
    held.current = undefined;
    const message = lost.ts && root.querySelector<HTMLElement>(`[data-ts="${lost.ts}"]`);
    const home = message || root;
    const same = [...home.querySelectorAll<HTMLElement>(usable)].find((one) => nameOf(one) === lost.name);
    (same ?? home).focus({ preventScroll: true });
  };
  // At what the part itself draws, also after a dialog that stood over it; and at what only one message draws.
  useLayoutEffect(restore);
  useEffect(() => {
    const watch = new MutationObserver(restore);
    if (part.current) watch.observe(part.current, { childList: true, subtree: true });
    return () => watch.disconnect();
  });
}

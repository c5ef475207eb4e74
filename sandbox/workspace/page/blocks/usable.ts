import type { Element } from './elements.ts';
import { useSurface } from './surface.tsx';

/** The element's label from its input block: its values are kept, not sent at once. */
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

/** How a changed value goes: kept in an input block, sent to the app anywhere else and where the input asks for it. */
export function useChange({ blockId, element, labelled }: UsableProps) {
  const surface = useSurface();
  return labelled && !labelled.dispatch
    ? (value: Readonly<Record<string, unknown>>) => surface.keep(blockId, element, value)
    : (value: Readonly<Record<string, unknown>>) => void surface.use(blockId, element, value);
}

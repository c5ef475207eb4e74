import { createContext, type ReactNode, useContext, useState } from 'react';
import type { Act, Block, ViewState } from '../../protocol.ts';
import { useWorkspace } from '../workspace.ts';
import {
  type Element,
  initialValue,
  type Option,
  type OptionGroup,
  stateOf,
  type Value,
} from './elements.ts';

type Container = Extract<Act, { act: 'use' }>['container'];

/** A message, modal or App Home with elements in use: keeps the entered values and sends the actions. */
export interface Surface {
  readonly read: (blockId: string, element: Element) => Value;
  /** Keeps a value without telling the app, as Slack does for inputs. */
  readonly keep: (blockId: string, element: Element, value: Value) => void;
  /** Keeps the value and sends it, after the element's own confirmation if it has one. */
  readonly use: (blockId: string, element: Element, value: Value) => Promise<void>;
  /** Choices of an external select for a text. */
  readonly suggest: (blockId: string, element: Element, query: string) => Promise<Suggested>;
  /** Messages under input blocks, by block_id. */
  readonly errors: Readonly<Record<string, string>>;
}

/** Options as an element itself would hold them; undefined when the app did not answer. */
export type Suggested = Pick<Element, 'options' | 'option_groups'> | undefined;

const nothing: Suggested = {};

const SurfaceContext = createContext<Surface | undefined>(undefined);

export function useSurface(): Surface {
  const surface = useContext(SurfaceContext);
  if (!surface) throw new Error('This block stands outside of a message, modal or App Home.');
  return surface;
}

/** The values entered on a surface so far. The owner keeps them, as a modal needs them again to submit. */
export function useEntered(): readonly [
  ViewState,
  (blockId: string, actionId: string, value: object) => void,
] {
  const [entered, setEntered] = useState<ViewState>({});
  return [
    entered,
    (blockId, actionId, value) =>
      setEntered((last) => ({ ...last, [blockId]: { ...last[blockId], [actionId]: value } })),
  ];
}

interface Props {
  readonly container: Container;
  readonly blocks: readonly Block[];
  readonly entered: ReturnType<typeof useEntered>;
  readonly errors?: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}

const noErrors = {};

export function SurfaceProvider({ container, blocks, entered: [entered, enter], errors, children }: Props) {
  const { act, confirm } = useWorkspace();
  const surface: Surface = {
    errors: errors ?? noErrors,
    read: (blockId, element) => {
      const kept = entered[blockId]?.[element.action_id ?? ''];
      // Only `keep` writes here, and it writes objects.
      return (kept as Value | undefined) ?? initialValue(element);
    },
    keep: (blockId, element, value) =>
      enter(blockId, element.action_id ?? '', { type: element.type, ...value }),
    use: async (blockId, element, value) => {
      if (element.confirm && !(await confirm(element.confirm))) return;
      const actionId = element.action_id ?? '';
      const changed = { type: element.type, ...value };
      if (Object.keys(value).length > 0) enter(blockId, actionId, changed);
      const state = stateOf(blocks, {
        ...entered,
        [blockId]: { ...entered[blockId], ...(Object.keys(value).length > 0 && { [actionId]: changed }) },
      });
      await act({
        act: 'use',
        container,
        block_id: blockId,
        action_id: actionId,
        value,
        ...(Object.keys(state).length > 0 && { state }),
      });
    },
    suggest: async (blockId, element, query) => {
      if (container.kind === 'home') return nothing;
      const answer = await act({
        act: 'suggest',
        container,
        block_id: blockId,
        action_id: element.action_id ?? '',
        query,
      });
      return answer.ok ? suggestedIn(answer.options ?? []) : undefined;
    },
  };
  return <SurfaceContext value={surface}>{children}</SurfaceContext>;
}

const isGroup = (entry: unknown): entry is OptionGroup =>
  typeof entry === 'object' && entry !== null && 'options' in entry;

/** The server has checked the answer: it holds either options or groups of them. */
function suggestedIn(answer: readonly unknown[]): Suggested {
  const groups = answer.filter(isGroup);
  return groups.length > 0 ? { option_groups: groups } : { options: answer as readonly Option[] };
}

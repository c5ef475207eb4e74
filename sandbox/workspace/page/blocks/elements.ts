import type { Block, ViewState } from '../../protocol.ts';

/** The fields of a block element that the page reads. The app's JSON comes unchecked, so every field may be missing. */
export interface Element {
  readonly type: string;
  readonly action_id?: string;
  readonly text?: TextObject;
  readonly placeholder?: TextObject;
  readonly style?: string;
  readonly url?: string;
  readonly confirm?: ConfirmObject;
  readonly accessibility_label?: string;
  readonly options?: readonly Option[];
  readonly option_groups?: readonly OptionGroup[];
  readonly multiline?: boolean;
  readonly is_decimal_allowed?: boolean;
  readonly min_value?: string;
  readonly max_value?: string;
  readonly min_length?: number;
  readonly max_length?: number;
  readonly min_query_length?: number;
  readonly max_selected_items?: number;
  readonly filetypes?: readonly string[];
  readonly max_files?: number;
  readonly focus_on_load?: boolean;
  readonly dispatch_action_config?: { readonly trigger_actions_on?: readonly string[] };
  readonly [initial: `initial_${string}`]: unknown;
}

export interface TextObject {
  readonly type: string;
  readonly text: string;
  readonly verbatim?: boolean;
}

export interface Option {
  readonly text: TextObject;
  readonly value: string;
  readonly description?: TextObject;
  readonly url?: string;
}

export interface OptionGroup {
  readonly label: TextObject;
  readonly options: readonly Option[];
}

export interface ConfirmObject {
  readonly title: TextObject;
  readonly text: TextObject;
  readonly confirm: TextObject;
  readonly deny: TextObject;
  readonly style?: string;
}

/** The element-specific part of an element's state or action payload, such as `{ selected_option: {…} }`. */
export type Value = Readonly<Record<string, unknown>>;

/** The place of an element's value in Slack, and the element's own field for its initial value. */
const fields: Readonly<Record<string, readonly [key: string, initial: string, empty: unknown]>> = {
  plain_text_input: ['value', 'initial_value', null],
  email_text_input: ['value', 'initial_value', null],
  url_text_input: ['value', 'initial_value', null],
  number_input: ['value', 'initial_value', null],
  datepicker: ['selected_date', 'initial_date', null],
  timepicker: ['selected_time', 'initial_time', null],
  datetimepicker: ['selected_date_time', 'initial_date_time', null],
  // The field begins empty.
  file_input: ['files', 'initial_files', []],
  radio_buttons: ['selected_option', 'initial_option', null],
  checkboxes: ['selected_options', 'initial_options', []],
  static_select: ['selected_option', 'initial_option', null],
  external_select: ['selected_option', 'initial_option', null],
  users_select: ['selected_user', 'initial_user', null],
  channels_select: ['selected_channel', 'initial_channel', null],
  conversations_select: ['selected_conversation', 'initial_conversation', null],
  multi_static_select: ['selected_options', 'initial_options', []],
  multi_external_select: ['selected_options', 'initial_options', []],
  multi_users_select: ['selected_users', 'initial_users', []],
  multi_channels_select: ['selected_channels', 'initial_channels', []],
  multi_conversations_select: ['selected_conversations', 'initial_conversations', []],
};

/** The field of the payload that carries this element's value, or undefined for a button and its like. */
export const valueField = (type: string): string | undefined => fields[type]?.[0];

export function initialValue(element: Element): Value {
  const field = fields[element.type];
  if (!field) return {};
  const [key, initial, empty] = field;
  // The template index signature covers every `initial_…` name that the table holds.
  return { [key]: element[initial as `initial_${string}`] ?? empty };
}

/** True for what a person can use: these we draw ourselves, the renderer's are for looking only. */
export const isInteractive = (element: unknown): element is Element =>
  typeof element === 'object' &&
  element !== null &&
  'type' in element &&
  typeof element.type === 'string' &&
  (element.type in fields || ['button', 'overflow', 'workflow_button'].includes(element.type));

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The interactive elements of one block, wherever the block keeps them. */
export function elementsOf(block: Block): readonly Element[] {
  const held = [...list(block.elements), ...list(block.actions), block.accessory, block.element];
  return held.filter(isInteractive);
}

/** A block that came without a block_id is known by its place, which is unique on its surface. */
export const withBlockIds = (blocks: readonly Block[], within = 'block'): readonly Block[] =>
  blocks.map((block, index) => (block.block_id ? block : { ...block, block_id: `${within}-${index}` }));

/** All blocks, those inside containers included. */
const flat = (blocks: readonly Block[]): readonly Block[] =>
  blocks.flatMap((block) => [
    block,
    // A container's children are blocks by definition of the format; the app's bytes are not checked here.
    ...flat(withBlockIds(list(block.child_blocks) as readonly Block[], block.block_id)),
  ]);

/** `state.values` as Slack sends it: the changed values, and the initial ones of untouched elements. */
export function stateOf(blocks: readonly Block[], changed: ViewState): ViewState {
  const state: ViewState = {};
  for (const block of flat(blocks)) {
    for (const element of elementsOf(block)) {
      const blockId = block.block_id;
      if (!blockId || !element.action_id || !valueField(element.type)) continue;
      const own = state[blockId] ?? {};
      own[element.action_id] = changed[blockId]?.[element.action_id] ?? {
        type: element.type,
        ...initialValue(element),
      };
      state[blockId] = own;
    }
  }
  return state;
}

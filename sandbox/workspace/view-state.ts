import { actionables } from './actionables.ts';
import type { Block, ViewState } from './protocol.ts';

/**
 * `state.values` with an entry for every stateful element: the entered value, else the earlier one, else the initial one,
 * else null.
 */
export function completeState(
  blocks: readonly Block[],
  entered: ViewState,
  before: ViewState = {},
): ViewState {
  const state: ViewState = {};
  for (const block of blocks) {
    const id = block.block_id ?? '';
    for (const { element } of actionables([block], '')) {
      const empty = emptyState(element);
      const action = String(element.action_id ?? '');
      if (empty === undefined) continue;
      const known = entered[id]?.[action] ?? before[id]?.[action];
      const kept = isRecord(known) && (known.type === undefined || known.type === element.type) ? known : {};
      state[id] = { ...state[id], [action]: { type: element.type, ...empty, ...kept } };
    }
  }
  return state;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of an untouched element; undefined for elements without a state, such as buttons. */
function emptyState(element: Block): Record<string, unknown> | undefined {
  switch (element.type) {
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
      return { value: element.initial_value ?? null };
    case 'rich_text_input':
      return { rich_text_value: element.initial_value ?? null };
    case 'static_select':
    case 'external_select':
    case 'radio_buttons':
      return { selected_option: element.initial_option ?? null };
    case 'multi_static_select':
    case 'multi_external_select':
    case 'checkboxes':
      return { selected_options: element.initial_options ?? [] };
    case 'users_select':
      return { selected_user: element.initial_user ?? null };
    case 'multi_users_select':
      return { selected_users: element.initial_users ?? [] };
    case 'conversations_select':
      return { selected_conversation: element.initial_conversation ?? null };
    case 'multi_conversations_select':
      return { selected_conversations: element.initial_conversations ?? [] };
    case 'channels_select':
      return { selected_channel: element.initial_channel ?? null };
    case 'multi_channels_select':
      return { selected_channels: element.initial_channels ?? [] };
    case 'datepicker':
      return { selected_date: element.initial_date ?? null };
    case 'timepicker':
      return { selected_time: element.initial_time ?? null };
    case 'datetimepicker':
      return { selected_date_time: element.initial_date_time ?? null };
    case 'file_input':
      return { files: [] };
    default:
      return undefined;
  }
}

/** Is there nothing in it? A required input block refuses to be submitted so. */
export function isEmpty(entered: unknown): boolean {
  if (!isRecord(entered)) return true;
  return Object.entries(entered).every(
    ([key, value]) =>
      key === 'type' || value === null || value === '' || (Array.isArray(value) && value.length === 0),
  );
}

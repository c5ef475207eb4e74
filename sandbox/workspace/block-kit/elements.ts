import {
  anyText,
  bool,
  byType,
  either,
  idList,
  list,
  plain,
  ref,
  type Schema,
  shape,
  text,
} from './shapes.ts';

export const action: Readonly<Record<string, Schema>> = { action_id: text(255) };
const focus: Readonly<Record<string, Schema>> = { focus_on_load: bool };
const placeholder: Readonly<Record<string, Schema>> = { placeholder: plain(150) };
export const confirm: Readonly<Record<string, Schema>> = { confirm: ref('confirm') };
const colour: Schema = { enum: ['primary', 'danger'] };
const conversationFilter: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    include: { type: 'array', minItems: 1, items: { enum: ['im', 'mpim', 'private', 'public'] } },
    exclude_external_shared_channels: bool,
    exclude_bot_users: bool,
  },
};

const select = (
  type: string,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): Schema => shape(type, { ...action, ...focus, ...placeholder, ...confirm, ...properties }, required);
const many = { max_selected_items: { type: 'integer', minimum: 1 } };
const staticOptions = { options: list(ref('option'), 100), option_groups: list(ref('option_group'), 100) };
const oneOfOptions = (schema: Schema): Schema => ({
  ...schema,
  oneOf: [{ required: ['options'] }, { required: ['option_groups'] }],
});
const minQuery = { min_query_length: { type: 'integer', minimum: 0 } };
const conversations = { default_to_current_conversation: bool, filter: conversationFilter };
const typed = (
  type: string,
  properties: Readonly<Record<string, Schema>> = {},
  required: readonly string[] = [],
): Schema =>
  shape(
    type,
    {
      ...action,
      ...focus,
      ...placeholder,
      dispatch_action_config: { type: 'object' },
      initial_value: { type: 'string' },
      ...properties,
    },
    required,
  );

/** Everything that can stand in an actions block, a section's accessory or an input, by type. */
const elements: Readonly<Record<string, Schema>> = {
  button: shape(
    'button',
    {
      ...action,
      ...confirm,
      text: plain(75),
      value: text(2000, 0),
      url: text(3000),
      style: colour,
      accessibility_label: text(75),
    },
    ['text'],
  ),
  static_select: oneOfOptions(select('static_select', { ...staticOptions, initial_option: ref('option') })),
  multi_static_select: oneOfOptions(
    select('multi_static_select', { ...staticOptions, ...many, initial_options: list(ref('option'), 100) }),
  ),
  external_select: select('external_select', { ...minQuery, initial_option: ref('option') }),
  multi_external_select: select('multi_external_select', {
    ...minQuery,
    ...many,
    initial_options: list(ref('option'), 100),
  }),
  users_select: select('users_select', { initial_user: anyText }),
  multi_users_select: select('multi_users_select', { ...many, initial_users: idList }),
  conversations_select: select('conversations_select', {
    ...conversations,
    initial_conversation: anyText,
    response_url_enabled: bool,
  }),
  multi_conversations_select: select('multi_conversations_select', {
    ...conversations,
    ...many,
    initial_conversations: idList,
  }),
  channels_select: select('channels_select', { initial_channel: anyText, response_url_enabled: bool }),
  multi_channels_select: select('multi_channels_select', { ...many, initial_channels: idList }),
  overflow: shape('overflow', { ...action, ...confirm, options: list(ref('option'), 5) }, ['options']),
  checkboxes: shape(
    'checkboxes',
    {
      ...action,
      ...focus,
      ...confirm,
      options: list(ref('option'), 10),
      initial_options: list(ref('option'), 10),
    },
    ['options'],
  ),
  radio_buttons: shape(
    'radio_buttons',
    { ...action, ...focus, ...confirm, options: list(ref('option'), 10), initial_option: ref('option') },
    ['options'],
  ),
  datepicker: select('datepicker', { initial_date: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' } }),
  timepicker: select('timepicker', {
    initial_time: { type: 'string', pattern: '^\\d{2}:\\d{2}$' },
    timezone: anyText,
  }),
  datetimepicker: shape('datetimepicker', {
    ...action,
    ...focus,
    ...confirm,
    initial_date_time: { type: 'integer', minimum: 1_000_000_000, maximum: 9_999_999_999 },
  }),
  plain_text_input: typed('plain_text_input', {
    multiline: bool,
    min_length: { type: 'integer', minimum: 0, maximum: 3000 },
    max_length: { type: 'integer', minimum: 1, maximum: 3000 },
  }),
  number_input: typed(
    'number_input',
    { is_decimal_allowed: bool, min_value: { type: 'string' }, max_value: { type: 'string' } },
    ['is_decimal_allowed'],
  ),
  email_text_input: typed('email_text_input'),
  url_text_input: typed('url_text_input'),
  rich_text_input: typed('rich_text_input', {
    initial_value: ref('rich_text'),
    min_lines: { type: 'integer' },
    max_lines: { type: 'integer' },
  }),
  file_input: shape('file_input', {
    ...action,
    filetypes: idList,
    max_files: { type: 'integer', minimum: 1, maximum: 10 },
  }),
  workflow_button: shape(
    'workflow_button',
    {
      ...action,
      ...confirm,
      text: plain(75),
      workflow: { type: 'object' },
      style: colour,
      accessibility_label: text(75),
    },
    ['text', 'workflow'],
  ),
};

/** One of these elements. */
export const pick = (...types: readonly string[]): Schema => byType(pickShapes(...types));

export function pickShapes(...types: readonly string[]): Readonly<Record<string, Schema>> {
  return Object.fromEntries(types.map((type) => [type, elements[type] ?? {}]));
}

export const selects = [
  'static_select',
  'external_select',
  'users_select',
  'conversations_select',
  'channels_select',
] as const;
export const multiSelects = selects.map((type) => `multi_${type}`);
export const choosers = ['checkboxes', 'radio_buttons', 'datepicker', 'timepicker'] as const;

export const feedbackButton: Schema = {
  type: 'object',
  required: ['text', 'value'],
  additionalProperties: false,
  properties: { text: plain(75), value: text(2000), accessibility_label: text(75) },
};

export const confirmSchema: Schema = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: { title: plain(100), text: either(300), confirm: plain(30), deny: plain(30), style: colour },
};

export const optionSchema: Schema = {
  type: 'object',
  required: ['text', 'value'],
  additionalProperties: false,
  properties: { text: either(75), value: text(75), description: either(75), url: text(3000) },
};

export const optionGroupSchema: Schema = {
  type: 'object',
  required: ['label', 'options'],
  additionalProperties: false,
  properties: { label: plain(75), options: list(ref('option'), 100) },
};

import { expect, test } from 'vitest';
import { checkBlocks, type Surface } from './blocks.ts';
import { button } from './testing.ts';

const problems = (block: unknown, surface: Surface = 'message') =>
  checkBlocks([block].flat(), surface).problems;
const text = (length: number, type = 'mrkdwn') => ({ type, text: 'x'.repeat(length) });
const raw = (length: number) => ({ type: 'raw_text', text: 'x'.repeat(length) });
const option = (value: string) => ({ text: text(5, 'plain_text'), value });
const options = (count: number) => Array.from({ length: count }, (_, index) => option(String(index)));
const rich = (...elements: unknown[]) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements }],
});
const chart = (points: number, title = 'Load') => ({
  type: 'data_visualization',
  title,
  chart: {
    type: 'bar',
    series: [
      {
        name: 'a',
        data: Array.from({ length: points }, (_, index) => ({ label: String(index), value: index })),
      },
    ],
    axis_config: { categories: Array.from({ length: 3 }, (_, index) => String(index)) },
  },
});

/** At the limit, and one over it. */
const limits: [string, (size: number) => unknown, number][] = [
  ['a section text of 3,000 characters', (size) => ({ type: 'section', text: text(size) }), 3000],
  ['10 section fields', (size) => ({ type: 'section', fields: Array(size).fill(text(2000)) }), 10],
  ['a header of 150 characters', (size) => ({ type: 'header', text: text(size, 'plain_text') }), 150],
  ['10 context elements', (size) => ({ type: 'context', elements: Array(size).fill(text(5)) }), 10],
  [
    '25 buttons',
    (size) => ({ type: 'actions', elements: Array.from({ length: size }, (_, i) => button(`b${i}`, 'B')) }),
    25,
  ],
  [
    'a button text of 75 characters',
    (size) => ({ type: 'actions', elements: [button('a', 'x'.repeat(size))] }),
    75,
  ],
  [
    'a button value of 2,000 characters',
    (size) => ({ type: 'actions', elements: [button('a', 'A', 'x'.repeat(size))] }),
    2000,
  ],
  [
    'an action_id of 255 characters',
    (size) => ({ type: 'actions', elements: [button('x'.repeat(size), 'A')] }),
    255,
  ],
  ['a block_id of 255 characters', (size) => ({ type: 'divider', block_id: 'x'.repeat(size) }), 255],
  [
    '100 options',
    (size) => ({ type: 'actions', elements: [{ type: 'static_select', options: options(size) }] }),
    100,
  ],
  [
    '5 overflow options',
    (size) => ({ type: 'actions', elements: [{ type: 'overflow', options: options(size) }] }),
    5,
  ],
  [
    'a confirm text of 300 characters',
    (size) => ({ type: 'actions', elements: [{ ...button('a', 'A'), confirm: { text: text(size) } }] }),
    300,
  ],
  ['100 table rows', (size) => ({ type: 'table', rows: Array(size).fill([raw(1)]) }), 100],
  ['20 table cells', (size) => ({ type: 'table', rows: [Array(size).fill(raw(1))] }), 20],
  [
    '10,000 table characters',
    (size) => ({ type: 'table', rows: [[rich({ type: 'text', text: 'x' }), raw(size - 1)]] }),
    10_000,
  ],
  ['a markdown block of 12,000 characters', (size) => ({ type: 'markdown', text: 'x'.repeat(size) }), 12_000],
  [
    '12,000 markdown characters in all',
    (size) => [
      { type: 'markdown', text: 'x' },
      { type: 'markdown', text: 'x'.repeat(size - 1) },
    ],
    12_000,
  ],
  ['2 charts', (size) => Array.from({ length: size }, () => chart(3)), 2],
  ['one table', (size) => Array.from({ length: size }, () => ({ type: 'table', rows: [[raw(1)]] })), 1],
];

test.each(limits)('%s pass, one more is refused', (_, blocks, limit) => {
  expect(problems(blocks(limit))).toEqual([]);
  expect(problems(blocks(limit + 1))).toHaveLength(1);
});

test('a block goes only where Slack shows it', () => {
  const input = {
    type: 'input',
    label: text(5, 'plain_text'),
    element: { type: 'plain_text_input', action_id: 'a' },
  };
  const alert = { type: 'alert', text: text(5) };
  const table = { type: 'table', rows: [[raw(1)]] };
  expect(problems(input, 'message')).toEqual([]);
  expect(problems(alert, 'modal')).toEqual([]);
  expect(problems(alert, 'message')).toEqual(['unsupported type: alert [json-pointer:/blocks/0/type]']);
  expect(problems(table, 'home')).toEqual([]);
  expect(problems(table, 'modal')).toHaveLength(1);
  expect(problems({ type: 'markdown', text: 'a' }, 'home')).toHaveLength(1);
});

test('a missing, unknown or misshapen field is pointed at', () => {
  expect(problems({ type: 'section' })).toHaveLength(1);
  expect(problems({ type: 'sektion' })).toEqual(['unsupported type: sektion [json-pointer:/blocks/0/type]']);
  expect(problems({ type: 'header', text: text(5) })).toHaveLength(1);
  expect(problems({ type: 'divider', colour: 'red' })).toEqual([
    'invalid additional property: colour [json-pointer:/blocks/0]',
  ]);
  expect(problems({ type: 'actions', elements: [{ type: 'button', action_id: 'a' }] })).toEqual([
    'missing required field: text [json-pointer:/blocks/0/elements/0]',
  ]);
  expect(problems({ type: 'section', text: text(5), accessory: { type: 'plain_text_input' } })).toEqual([
    'unsupported type [json-pointer:/blocks/0/accessory/type]',
  ]);
  expect(problems(rich({ type: 'text', text: '' }))).toEqual([
    'must be more than 0 characters [json-pointer:/blocks/0/elements/0/elements/0/text]',
  ]);
  expect(problems('text')).toEqual(['must be an object [json-pointer:/blocks/0]']);
});

test('IDs are unique in a message, and those that are missing are made up', () => {
  const row = (block_id: string, action_id: string) => ({
    type: 'actions',
    block_id,
    elements: [button(action_id, 'A')],
  });
  expect(problems([row('a', '1'), row('b', '2')])).toEqual([]);
  expect(problems([row('a', '1'), row('a', '2')])).toEqual([
    'block_id already exists: a [json-pointer:/blocks/1/block_id]',
  ]);
  expect(problems([row('a', '1'), row('b', '1')])).toEqual([
    'action_id already exists: 1 [json-pointer:/blocks/1/elements/0/action_id]',
  ]);
  const { blocks } = checkBlocks(
    [{ type: 'actions', elements: [{ type: 'button', text: text(1, 'plain_text') }] }],
    'message',
  );
  expect(blocks).toMatchObject([
    { block_id: expect.any(String), elements: [{ action_id: expect.any(String) }] },
  ]);
});

test('a chart has one point for each category, a data table rows of one length, a container only simple blocks', () => {
  expect(problems(chart(3))).toEqual([]);
  expect(problems(chart(2))).toHaveLength(1);
  const dataTable = (rows: unknown[]) => ({ type: 'data_table', caption: 'Sessions', rows });
  expect(problems(dataTable([[raw(1)], [raw(1)]]))).toEqual([]);
  expect(problems(dataTable([[raw(1)], [raw(1), raw(1)]]))).toHaveLength(1);
  expect(problems(dataTable([[rich({ type: 'text', text: 'a' })], [raw(1)]]))).toHaveLength(1);
  const container = (child: unknown) => ({
    type: 'container',
    title: text(5, 'plain_text'),
    child_blocks: [child],
  });
  expect(problems(container({ type: 'divider' }))).toEqual([]);
  expect(problems(container(chart(3)))).toEqual([
    'unsupported type: data_visualization [json-pointer:/blocks/0/child_blocks/0/type]',
  ]);
});

test('titles of plans and tasks are bare strings, and only a task inside a plan is pending', () => {
  const task = (status: string) => ({ type: 'task_card', task_id: '1', title: 'Stop', status });
  expect(problems({ type: 'plan', title: 'Upgrade', tasks: [task('pending')] })).toEqual([]);
  expect(problems({ type: 'plan', title: text(5, 'plain_text'), tasks: [] })).toHaveLength(1);
  expect(problems(task('complete'))).toEqual([]);
  expect(problems(task('pending'))).toHaveLength(1);
});

test('an initial choice must equal one of the options exactly', () => {
  const select = (initial: unknown, type = 'static_select', field = 'initial_option') => ({
    type: 'actions',
    elements: [{ type, options: options(3), [field]: initial }],
  });
  expect(problems(select(option('1')))).toEqual([]);
  expect(problems(select({ ...option('1'), text: text(6, 'plain_text') }))).toEqual([
    'must be one of the options [json-pointer:/blocks/0/elements/0/initial_option]',
  ]);
  expect(problems(select([option('1'), option('9')], 'checkboxes', 'initial_options'))).toHaveLength(1);
  const grouped = { label: text(5, 'plain_text'), options: options(2) };
  const element = { type: 'static_select', option_groups: [grouped], initial_option: option('1') };
  expect(problems({ type: 'actions', elements: [element] })).toEqual([]);
});

test('one element of a view has the cursor', () => {
  const input = (id: string, focus_on_load: boolean) => ({
    type: 'input',
    label: text(5, 'plain_text'),
    element: { type: 'plain_text_input', action_id: id, focus_on_load },
  });
  expect(problems([input('a', true), input('b', false)], 'modal')).toEqual([]);
  expect(problems([input('a', true), input('b', true)], 'modal')).toEqual([
    'only one element can have focus_on_load [json-pointer:/blocks/1/element/focus_on_load]',
  ]);
});

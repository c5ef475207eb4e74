import { expect, test } from 'vitest';
import { stateOf } from './elements.ts';

const input = (block_id: string, element: object) => ({ type: 'input', block_id, element });

test('an input that nobody touched has the value that it started with', () => {
  const soon = { text: { type: 'plain_text', text: 'Soon' }, value: 'soon' };
  const blocks = [
    input('why', { type: 'plain_text_input', action_id: 'v' }),
    input('when', { type: 'static_select', action_id: 'v', initial_option: soon }),
    input('who', { type: 'multi_users_select', action_id: 'v' }),
  ];
  expect(stateOf(blocks, {})).toEqual({
    why: { v: { type: 'plain_text_input', value: null } },
    when: { v: { type: 'static_select', selected_option: soon } },
    who: { v: { type: 'multi_users_select', selected_users: [] } },
  });
});

test('an entered value replaces the initial one, and values of removed blocks are left out', () => {
  const typed = { type: 'plain_text_input', value: 'because' };
  const blocks = [input('why', { type: 'plain_text_input', action_id: 'v' })];
  expect(stateOf(blocks, { why: { v: typed }, gone: { v: typed } })).toEqual({ why: { v: typed } });
});

test('selects in actions, accessories and containers count, buttons do not', () => {
  const day = { type: 'datepicker', action_id: 'day', initial_date: '2026-03-10' };
  const button = { type: 'button', action_id: 'go' };
  const blocks = [
    { type: 'actions', block_id: 'a', elements: [button, day] },
    { type: 'section', block_id: 's', accessory: day },
    {
      type: 'container',
      block_id: 'c',
      child_blocks: [{ type: 'actions', block_id: 'in', elements: [day] }],
    },
  ];
  const state = { day: { type: 'datepicker', selected_date: '2026-03-10' } };
  expect(stateOf(blocks, {})).toEqual({ a: state, s: state, in: state });
});

import { expect, test } from 'vitest';
import { inputProblems } from './input-problems.ts';

const problem = (element: Record<string, unknown>, entered: Record<string, unknown>, optional = false) =>
  inputProblems([{ type: 'input', block_id: 'b', optional, element: { action_id: 'a', ...element } }], {
    b: { a: entered },
  }).b;

test('a form is stopped at inputs that Slack itself refuses', () => {
  const file = (size: number) => ({ size });
  const files = { type: 'file_input', max_files: 1 };
  expect(problem(files, { files: [] })).toBe('Please complete this required field.');
  expect(problem(files, { files: [] }, true)).toBeUndefined();
  expect(problem(files, { files: [file(100 * 1024 ** 2)] })).toBeUndefined();
  expect(problem(files, { files: [file(100 * 1024 ** 2 + 1)] })).toBe(
    'Please choose files of at most 100 MB.',
  );
  expect(problem(files, { files: [file(1), file(1)] })).toBe('Please choose at most 1 files.');

  const number = { type: 'number_input', is_decimal_allowed: true, min_value: '-1.5' };
  expect(problem(number, { value: '-1.5' })).toBeUndefined();
  expect(problem(number, { value: '-1.6' })).toBe('Please enter -1.5 or more.');
  for (const value of ['1e3', '0x10', '1,5', 'Infinity'])
    expect(problem(number, { value })).toBe('Please enter a valid number.');

  const many = { type: 'multi_static_select', max_selected_items: 2 };
  expect(problem(many, { selected_options: [1, 2] })).toBeUndefined();
  expect(problem(many, { selected_options: [1, 2, 3] })).toBe('Please choose at most 2 items.');

  expect(problem({ type: 'email_text_input' }, { value: 'bob@a.example' })).toBeUndefined();
  expect(problem({ type: 'email_text_input' }, { value: 'bob' })).toMatch(/email/);
  expect(problem({ type: 'url_text_input' }, { value: 'https://a.example' })).toBeUndefined();
  expect(problem({ type: 'url_text_input' }, { value: 'a.example' })).toMatch(/URL/);
  expect(problem({ type: 'plain_text_input' }, { value: 'x'.repeat(3001) })).toMatch(/at most 3000/);
});

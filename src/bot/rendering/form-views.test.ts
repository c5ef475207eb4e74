import { describe, expect, test } from 'vitest';
import { acceptView } from '../../../sandbox/workspace/views.ts';
import type { Form, Input } from '../../action/base/form.ts';
import { say } from '../../handlers/reply.ts';
import { enteredIn, errorsOf, formView, inputName, offeredBy, overView } from './form-views.ts';

const long = 'word '.repeat(1_000);
const input = (name: string, kind: Input['kind'], more: Partial<Input> = {}): Input => ({
  name,
  label: 'Name',
  optional: false,
  kind,
  ...more,
});
const form = (...inputs: readonly Input[]): Form => ({
  token: 'opaque',
  title: 'acl object disable',
  submit: 'Disable',
  explanation: say`Disable <!channel> & *everything*.`,
  inputs,
});
/** Slack's rules as in the sandbox's workspace; throws Slack's error. */
const taken = (view: unknown) => acceptView(view, 'modal');
const kinds: readonly Input['kind'][] = [
  { is: 'line', initial: 'x' },
  { is: 'paragraph', initial: long },
  { is: 'secret' },
  { is: 'choice', among: ['read', 'write'], initial: 'write' },
  { is: 'search', several: false, initial: [{ word: '3', label: long }] },
  { is: 'search', several: true, initial: [{ word: 'x'.repeat(76), label: 'left out' }] },
  { is: 'search', several: true, initial: [{ word: '3', label: 'three' }] },
  { is: 'search', several: false, initial: [{ word: '', label: '' }] },
  { is: 'flag', text: long, initial: true },
  { is: 'file', endings: ['.tgz', '.zip'] },
];

describe('a form as a modal', () => {
  test.each(kinds)('is accepted by Slack with an input of $is', (kind) => {
    expect(() => taken(formView(form(input('a', kind))))).not.toThrow();
    const longest = { ...form(input('a', kind, { label: long, hint: long })), title: long, submit: long };
    expect(() => taken(formView({ ...longest, explanation: [long] }))).not.toThrow();
  });

  test('carries only a token, and data in it is no formatting', () => {
    const view = formView(form(input('object', { is: 'line' })));
    expect(view.private_metadata).toBe('opaque');
    expect(JSON.stringify(view)).not.toContain('<!channel>');
    expect(view.title).toEqual({ type: 'plain_text', text: 'acl object disable', emoji: false });
  });

  test('with too much explanation is cut, but never inside an entity or a letter', () => {
    for (let shift = 0; shift < 6; shift += 1) {
      const view = formView({ ...form(), explanation: say`${'x'.repeat(shift)}${'&'.repeat(2_000)}` });
      expect(JSON.stringify(view.blocks)).toMatch(/(&amp;)+…"/);
      const named = formView({ ...form(), title: `${'x'.repeat(shift)}${'🧨'.repeat(30)}` });
      expect(named.title.text.isWellFormed()).toBe(true);
    }
  });

  test('puts the cursor into a missing input', () => {
    const view = formView(
      form(
        input('a', { is: 'line', initial: 'x' }),
        input('b', { is: 'line' }, { optional: true }),
        input('c', { is: 'search', several: false, initial: [] }),
        input('d', { is: 'secret' }),
      ),
    );
    const focused = view.blocks.flatMap((block) =>
      'element' in block && 'focus_on_load' in block.element ? [block.block_id] : [],
    );
    expect(focused).toEqual(['input:c']);
  });

  test('that has expired has only words', () => {
    const view = overView(say`It is over.`);
    expect(() => taken(view)).not.toThrow();
    expect(view.submit).toBeUndefined();
  });

  test('gets its errors under the inputs, in plain words', () => {
    expect(errorsOf({ object: say`-1 is no object\u202e.` })).toEqual({
      'input:object': '-1 is no object\ufffd.',
    });
  });
});

test('a picker offers plain, short options, at most a hundred', () => {
  const found = Array.from({ length: 120 }, (_, at) => ({ word: String(at), label: `*a*\u202e ${long}` }));
  const offered = offeredBy(found);
  const options = 'options' in offered ? offered.options : [];
  expect(options).toHaveLength(100);
  expect(options[0]).toEqual({
    text: { type: 'plain_text', text: expect.stringMatching(/^\*a\*\ufffd word .*…$/), emoji: false },
    value: '0',
  });
  expect(options[0]?.text.text.length).toBe(75);
});

test('options with headings stand below them, in order, and at most a hundred in all', () => {
  const found = Array.from({ length: 120 }, (_, at) => ({
    ...{ word: String(at), label: String(at) },
    group: at < 2 ? `First ${long}` : 'Second',
  }));
  const offered = offeredBy(found);
  const groups = 'option_groups' in offered ? offered.option_groups : [];
  expect(groups.map(({ options }) => options.length)).toEqual([2, 98]);
  expect(groups[0]?.label.text).toMatch(/^First .*…$/);
  expect(groups[0]?.label.text.length).toBe(75);
  expect(offeredBy([])).toEqual({ options: [] });
});

test('a form returns its values by the names of the inputs', () => {
  const option = (value: string) => ({ text: { type: 'plain_text', text: value }, value });
  expect(
    enteredIn({
      one: { 'input:line': { type: 'plain_text_input', value: 'x y' } },
      two: { 'input:empty': { type: 'plain_text_input', value: null } },
      three: { 'input:pick': { type: 'external_select', selected_option: option('3') } },
      four: { 'input:none': { type: 'external_select', selected_option: null } },
      five: {
        'input:picks': { type: 'multi_external_select', selected_options: [option('3'), option('4')] },
      },
      six: { 'input:yes': { type: 'checkboxes', selected_options: [option('yes')] } },
      seven: { 'input:no': { type: 'checkboxes', selected_options: [] } },
      eight: { 'input:file': { type: 'file_input', files: [{ id: 'F1', name: 'fix.tgz', size: 9 }] } },
      nine: { foreign: { type: 'plain_text_input', value: 'not ours' } },
    }),
  ).toEqual({
    words: { line: ['x y'], pick: ['3'], picks: ['3', '4'], yes: [''] },
    files: { file: { id: 'F1', name: 'fix.tgz', size: 9 } },
  });
  expect(enteredIn(undefined)).toEqual({ words: {}, files: {} });
  expect(inputName('input:dry-run')).toBe('dry-run');
});

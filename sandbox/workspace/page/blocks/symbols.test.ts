import { expect, test } from 'vitest';
import { withEmoji } from './symbols.ts';

const section = (...elements: readonly { readonly type: string; readonly [field: string]: unknown }[]) => ({
  type: 'rich_text_section',
  elements,
});

test('a symbol in a text becomes an emoji, with the words around it as they were styled', () => {
  const bold = { bold: true };
  expect(withEmoji(section({ type: 'text', text: 'it ⚠️ waits ✅', style: bold }))).toEqual(
    section(
      { type: 'text', text: 'it ', style: bold },
      { type: 'emoji', name: 'warning' },
      { type: 'text', text: ' waits ', style: bold },
      { type: 'emoji', name: 'white_check_mark' },
    ),
  );
});

test('a symbol in a list becomes an emoji, one in code stays', () => {
  const code = section({ type: 'text', text: '✅', style: { code: true } });
  expect(
    withEmoji({ type: 'rich_text_list', elements: [section({ type: 'text', text: '❌' }), code] }),
  ).toEqual({ type: 'rich_text_list', elements: [section({ type: 'emoji', name: 'x' }), code] });
});

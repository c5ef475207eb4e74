import { expect, test } from 'vitest';
import { processorTime } from '../../../test/processor-time.ts';
import { excerptOf } from './excerpt.ts';

test('a page becomes one line of its text', () => {
  const page =
    '<html><head><title>x</title><style>p{}</style></head>\n<body><h1>500</h1><script>a<b</script> no\tluck</body>';
  expect(excerptOf(page)).toBe('500 no luck');
});

test('no text that reverses or hides other text remains', () => {
  expect(excerptOf('a\u0000b\u202Ec\u200Fd\u2066e\uFEFFf\u001b[31mg')).toBe('a b c d e f [31mg');
});

test('a long text is cut to 200 characters, and never inside a letter', () => {
  const excerpt = excerptOf('😀'.repeat(5_000));
  expect(excerpt).toBe(`${'😀'.repeat(99)}…`);
  expect(excerptOf('e\u0301'.repeat(5_000))).toBe(`${'e\u0301'.repeat(99)}…`);
});

test('a repeated secret is hidden', () => {
  expect(excerptOf('bad token s3cret-key given', ['s3cret-key'])).toBe('bad token [hidden] given');
});

test.each(['a.b', '\\d+', '(', '[a-z]', '^x$', 'a|b', '{2}', '*', '$&', 'a b', '\n', '😀', '\ud83d'])(
  'the secret %j matches only itself',
  (secret) => {
    expect(excerptOf(`x ${secret} y`, [secret])).toBe('x [hidden] y');
    expect(excerptOf('axb 7 z', [secret])).toBe('axb 7 z');
  },
);

test('half a secret is never shown, wherever a long text is cut', () => {
  const secret = 'top-secret-'.repeat(500);
  expect(excerptOf(secret.repeat(30), [secret])).not.toContain('secret');
});

test('an empty secret hides nothing', () => {
  expect(excerptOf('token', [''])).toBe('token');
});

test('a slow-by-design page is read quickly', () => {
  const spent = processorTime(() => {
    excerptOf('<script '.repeat(500_000));
    excerptOf('<'.repeat(4_000_000), ['key']);
    excerptOf('k'.repeat(4_000_000), [`${'k'.repeat(30)}e`]);
  });
  expect(spent).toBeLessThan(1_000);
});

import { expect, test } from 'vitest';
import { expectLinear } from '../../../../test/growth.ts';
import { mrkdwn, plain } from './mrkdwn.ts';

const date = (seconds: number, format: string, fallback: string) => `[${seconds} ${format} ${fallback}]`;

/** The elements of a text that is one section. */
function section(source: string) {
  const [only, ...more] = mrkdwn(source, date);
  expect(more).toEqual([]);
  expect(only?.type).toBe('rich_text_section');
  return only?.elements;
}

test('escaped markup is text, never a mention or a tag', () => {
  expect(section('&lt;@U1&gt; &lt;!channel&gt; &amp;lt;b&amp;gt;')).toEqual([
    { type: 'text', text: '<@U1> <!channel> &lt;b&gt;' },
  ]);
});

test('people, channels, groups and broadcasts are mentions', () => {
  expect(section('<@U1><#C1|helpdesk><!subteam^S1><!here>')).toEqual([
    { type: 'user', user_id: 'U1' },
    { type: 'channel', channel_id: 'C1' },
    { type: 'usergroup', usergroup_id: 'S1' },
    { type: 'broadcast', range: 'here' },
  ]);
});

test('stars inside of code are code, so a wildcard name is shown as it is', () => {
  expect(section('`*.a.example` and `*.b.example`')).toEqual([
    { type: 'text', text: '*.a.example', style: { code: true } },
    { type: 'text', text: ' and ' },
    { type: 'text', text: '*.b.example', style: { code: true } },
  ]);
});

test('bold, italic and strike nest and need a word boundary around them', () => {
  expect(section('*bold _both_* ~gone~')).toEqual([
    { type: 'text', text: 'bold ', style: { bold: true } },
    { type: 'text', text: 'both', style: { bold: true, italic: true } },
    { type: 'text', text: ' ' },
    { type: 'text', text: 'gone', style: { strike: true } },
  ]);
  expect(section('a_b_c 2*3*4 * no *')).toEqual([{ type: 'text', text: 'a_b_c 2*3*4 * no *' }]);
});

test('Markdown outside Slack’s own stays as it was written', () => {
  expect(section('# not a heading\n---\n[x](y)')).toEqual([
    { type: 'text', text: '# not a heading\n---\n[x](y)' },
  ]);
});

test('web addresses are links, scripts are not', () => {
  expect(section('<https://a.example/?x=1&amp;y=2|here> https://b.example.')).toEqual([
    { type: 'link', url: 'https://a.example/?x=1&y=2', text: 'here' },
    { type: 'text', text: ' ' },
    { type: 'link', url: 'https://b.example', text: 'https://b.example' },
    { type: 'text', text: '.' },
  ]);
  expect(section('<javascript:alert(1)|here>')).toEqual([
    { type: 'text', text: '<javascript:alert(1)|here>' },
  ]);
});

test('a date token is written out by its format, with the fallback at hand', () => {
  expect(section('*at* <!date^1700000000^{date} {time}^https://a.example|noon>')).toEqual([
    { type: 'text', text: 'at', style: { bold: true } },
    { type: 'text', text: ' ' },
    { type: 'text', text: '[1700000000 {date} {time} noon]' },
  ]);
});

test('quoted lines and code fences are blocks of their own', () => {
  expect(mrkdwn('one\n&gt; two\n&gt; three\nfour\n```\n*five*\n```', date)).toEqual([
    { type: 'rich_text_section', elements: [{ type: 'text', text: 'one' }] },
    { type: 'rich_text_quote', elements: [{ type: 'text', text: 'two\nthree' }] },
    { type: 'rich_text_section', elements: [{ type: 'text', text: 'four' }] },
    { type: 'rich_text_preformatted', elements: [{ type: 'text', text: '*five*' }] },
  ]);
});

test('hardware addresses and times are not emoji', () => {
  expect(section('00:1b:ab:5c at 10:20:30 :lock:')).toEqual([
    { type: 'text', text: '00:1b:ab:5c at 10:20:30 ' },
    { type: 'emoji', name: 'lock' },
  ]);
});

test('a plain text knows emoji and nothing else', () => {
  expect(plain(':lock: *x* &lt;@U1&gt; 10:20:30')[0]?.elements).toEqual([
    { type: 'emoji', name: 'lock' },
    { type: 'text', text: ' *x* <@U1> 10:20:30' },
  ]);
});

test.each(['*a ', ' *_', '**a ', '*', 'a*b* ', '`a ', '<', ':a', 'http://,', '*_~a~_* '])(
  'a long line of %j is read in the time that its length takes',
  async (piece) => {
    const make = (size: number) => `x ${piece.repeat(size / piece.length)}`;
    await expectLinear(100_000, make, (text) => mrkdwn(text, date));
  },
);

import { expect, test } from 'vitest';
import { linksIn } from './links.ts';

const inText = (...texts: string[]) => linksIn({ links: [], texts }).found;

test('links of the chat come first, and each domain once', () => {
  expect(
    linksIn({
      links: ['https://b.example/path', 'mailto:bob@mail.example'],
      texts: ['<https://a.example|a> and <http://b.example|b.example>'],
    }).found,
  ).toEqual(['b.example', 'mail.example', 'a.example']);
});

test.each<[string, string, string[]]>([
  ['a bare domain', 'is example.com, or (www.example.org) blocked?', ['example.com', 'www.example.org']],
  ['what was made harmless', 'hxxps://evil[.]example/x evil2[.]example', ['evil.example', 'evil2.example']],
  ['an address', 'from 10.20.6.71 and 2.3.4.500', ['10.20.6.71']],
  ['a name in another script', 'münchen.de', ['xn--mnchen-3ya.de']],
  ['a link with a file ending', 'https://files.zip/a.tgz', ['files.zip']],
  ['escaped marks', 'https://a.example/?x=1&amp;y=2 &lt;b.example&gt;', ['a.example', 'b.example']],
  ['a full stop behind it', 'Look at example.com. Then stop', ['example.com']],
])('%s is found', (_, text, domains) => {
  expect(inText(text)).toEqual(domains);
});

test.each([
  'hotfix.tgz and notes.txt',
  'release 4.50 SP5, version 1.2.3, at 10.30',
  'e.g. this, i.e. that... and so on',
  '<@U0ALICE001> in <#C0HELPDESK|help.desk> at <!date^1700000000^{date}|a.example>',
  '',
])('there is none in %j', (text) => {
  expect(inText(text)).toEqual([]);
});

test('a wrapped link is found as it is, once with its target, and a short one is named as unread', () => {
  const wrapped = 'https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example';
  expect(
    linksIn({
      links: [],
      texts: [`${wrapped} a.example https://bit.ly/x https://b.example/?to=https://c.example`],
    }),
  ).toEqual({
    found: [wrapped, 'b.example', 'c.example'],
    unread: ['https://bit.ly/x'],
  });
});

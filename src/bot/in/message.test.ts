import { expect, test } from 'vitest';
import { readMessage } from './message.ts';

test('links and texts are found in blocks of every kind, and files by their IDs', () => {
  const read = readMessage({
    text: 'the <https://a.example|fallback>',
    blocks: [
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_list',
            elements: [
              { type: 'rich_text_section', elements: [{ type: 'link', url: 'https://b.example' }] },
              { type: 'rich_text_section', elements: [{ type: 'text', text: 'see c.example' }] },
            ],
          },
        ],
      },
      {
        type: 'section',
        text: { type: 'mrkdwn', text: '<https://d.example>' },
        fields: [{ text: 'e.example' }],
      },
      { type: 'actions', elements: [{ type: 'button', url: 'https://f.example', text: { text: 'Open' } }] },
      { type: 'table', rows: [[{ type: 'raw_text', text: 'g.example' }]] },
    ],
    files: [
      { id: 'F1', name: 'a.tgz', size: 12 },
      { id: 'F2', file_access: 'check_file_info' },
      { name: 'without an ID' },
    ],
  });
  expect(read).toEqual({
    links: ['https://b.example', 'https://f.example'],
    texts: [
      'the <https://a.example|fallback>',
      'see c.example',
      '<https://d.example>',
      'e.example',
      'Open',
      'g.example',
    ],
    files: [
      { id: 'F1', name: 'a.tgz', size: 12 },
      { id: 'F2', name: '', size: 0 },
    ],
  });
});

test('an unfurled link counts only as a link, and an app’s attachment counts', () => {
  const read = readMessage({
    attachments: [
      { from_url: 'https://a.example', title_link: 'https://other.example', text: 'about other.example' },
      {
        title: 'Alert',
        title_link: 'https://b.example',
        fields: [{ value: 'c.example' }],
        fallback: 'd.example',
      },
      { is_msg_unfurl: true, from_url: 'https://harbour.slack.com/archives/C1/p1', text: 'f.example' },
    ],
  });
  expect(read.links).toEqual(['https://a.example', 'https://b.example']);
  expect(read.texts).toEqual(['Alert', 'd.example', 'c.example', 'f.example']);
});

const permalink = 'https://harbour.slack.com/archives/C1/p1?thread_ts=1.2&cid=C1';
const rich = (text: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
});

test('a forwarded message’s texts, links and files count, and Slack’s own link to it does not', () => {
  const read = readMessage({
    text: `see <${permalink.replace('&', '&amp;')}|there>`,
    attachments: [
      {
        ...{ is_share: true, from_url: permalink, text: 'a.example', author_name: 'carol.example' },
        fallback: '[today] carol: a.example',
        message_blocks: [{ message: { blocks: [rich('b.example')] } }],
        files: [
          { id: 'F1', name: 'hosts.csv', size: 3 },
          { id: 'F2', file_access: 'check_file_info' },
        ],
        // Its own forwards and unfurled links.
        attachments: [
          {
            is_share: true,
            from_url: permalink,
            text: 'c.example',
            files: [{ id: 'F3', name: 'c.csv' }, { id: 'F1' }],
          },
          { from_url: 'https://d.example', text: 'about e.example', title: 'e.example' },
        ],
      },
      { is_msg_unfurl: true, message_blocks: [{ message: { blocks: [rich('f.example')] } }] },
    ],
  });
  expect(read.links).toEqual(['https://d.example']);
  expect(read.texts).toEqual(['see ', 'a.example', 'b.example', 'c.example', 'f.example']);
  expect(read.files.map(({ id }) => id)).toEqual(['F1', 'F2', 'F3']);
});

test('endless nested forwards do no harm', () => {
  const endless: Record<string, unknown> = { is_share: true, text: 'a.example' };
  endless.attachments = [endless];
  expect(readMessage({ attachments: [endless] }).texts).toContain('a.example');
});

test.each([
  undefined,
  null,
  'text',
  { text: 12, blocks: 'none', attachments: [null, 3], files: [null, { id: 5 }] },
])('a message of an odd shape is an empty one: %j', (message) => {
  expect(readMessage(message)).toEqual({ links: [], texts: [], files: [] });
});

test('endless nested blocks do no harm', () => {
  const endless: Record<string, unknown> = { type: 'section', text: 'a.example' };
  endless.elements = [endless];
  expect(readMessage({ blocks: [endless] }).texts).toContain('a.example');
});

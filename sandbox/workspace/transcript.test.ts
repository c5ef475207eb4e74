import { expect, test } from 'vitest';
import { date } from './plain/text.ts';
import { alice, bob, button, client, helpdesk, start } from './testing.ts';
import { transcript } from './transcript.ts';

const clock = 1_790_000_000_000; // 2026-09-21 14:13:20 UTC
const options = { timeZone: 'UTC', now: clock };

test('a conversation reads like one', async () => {
  const workspace = await start({ clock: () => clock });
  const web = client(workspace);
  await workspace.act({ act: 'type', as: alice, channel: helpdesk, text: 'is example.com blocked, @bob?' });
  const { ts = '' } = await web.chat.postMessage({
    channel: helpdesk,
    text: 'summary',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Disconnect session 12?' } },
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: `Asked by <@${alice}>, *expires* <!date^1790003600^{date_short_pretty} {time}|later>`,
        },
        fields: [
          { type: 'mrkdwn', text: '*User* pat' },
          { type: 'mrkdwn', text: '*Since* 3 h' },
          { type: 'mrkdwn', text: '*Computer* pc-7' },
        ],
      },
      {
        type: 'table',
        column_settings: [{ align: 'left' }, { align: 'right' }],
        rows: [
          [
            { type: 'raw_text', text: 'Site' },
            { type: 'raw_text', text: 'Hits' },
          ],
          [
            { type: 'raw_text', text: 'a.example' },
            { type: 'raw_text', text: '7' },
          ],
        ],
      },
      {
        type: 'context',
        elements: [{ type: 'mrkdwn', text: 'on `edge-1` &amp; <https://a.example|the wiki>' }],
      },
      { type: 'actions', elements: [button('go', 'Disconnect'), button('no', 'Cancel')] },
    ],
  });
  await web.chat.postMessage({
    channel: helpdesk,
    thread_ts: ts,
    text: 'done',
    blocks: [
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'user', user_id: bob },
              { type: 'text', text: ' did it at ' },
              { type: 'date', timestamp: 1_790_000_000, format: '{time}' },
            ],
          },
          {
            type: 'rich_text_list',
            style: 'ordered',
            elements: [
              { type: 'rich_text_section', elements: [{ type: 'text', text: 'asked' }] },
              { type: 'rich_text_section', elements: [{ type: 'text', text: 'checked' }] },
            ],
          },
        ],
      },
    ],
  });
  await web.chat.postEphemeral({ channel: helpdesk, user: alice, text: 'You may not do that.' });

  expect(transcript(workspace.snapshot(alice), 'helpdesk', options)).toBe(
    `
#helpdesk

alice · 14:13
  is example.com blocked, @bob?

appliance-bot · 14:13
  Disconnect session 12?
  Asked by @alice, expires today 15:13
  User pat
  Since 3 h
  Computer pc-7
  Site       Hits
  ───────────────
  a.example     7
  on \`edge-1\` & the wiki (https://a.example)
  [Disconnect] [Cancel]
  │ appliance-bot · 14:13
  │   @bob did it at 14:13
  │   1. asked
  │   2. checked

appliance-bot · 14:13 · (only visible to alice)
  You may not do that.`.trimStart(),
  );
  await web.chat.postMessage({ channel: alice, text: 'Only for you.' });
  expect(transcript(workspace.snapshot(alice), 'appliance-bot', options)).toBe(
    'appliance-bot\n\nappliance-bot · 14:13\n  Only for you.',
  );
  expect(transcript(workspace.snapshot(bob), 'appliance-bot', options)).toBe('');
  expect(transcript(workspace.snapshot(bob), helpdesk, options)).not.toContain('You may not');
  expect(transcript(workspace.snapshot(bob), 'incident', options)).toBe('');
});

test.each([
  ['late on the long day of autumn', '2026-11-02T04:30:00Z', '2026-10-31T16:00:00Z', 'yesterday'],
  ['late on the long day of autumn', '2026-11-02T04:30:00Z', '2026-11-01T04:00:00Z', 'today'],
  [
    'early on the day after the short one of spring',
    '2027-03-15T04:30:00Z',
    '2027-03-14T16:00:00Z',
    'yesterday',
  ],
  [
    'early on the day after the short one of spring',
    '2027-03-15T04:30:00Z',
    '2027-03-14T04:00:00Z',
    '13 Mar 2027',
  ],
  ['on the last evening of a year', '2027-01-01T04:00:00Z', '2027-01-01T05:00:00Z', 'tomorrow'],
])('near days have their names where clocks are turned: %s, at %s', (_, now, at, name) => {
  const reading = { ...unread, timeZone: 'America/New_York', now: Date.parse(now) };
  expect(date(Date.parse(at) / 1_000, '{date_short_pretty}', reading)).toBe(name);
});

/** A transcript without mentions. */
const unread = { person: String, group: String, channel: String };

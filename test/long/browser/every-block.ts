import type { KnownBlock } from '@slack/types';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const raw = (text: string) => ({ type: 'raw_text' as const, text });
const options = ['north', 'south'].map((value) => ({ text: plain(value), value }));
const data = (values: readonly number[]) =>
  values.map((value, index) => ({ label: `day ${index + 1}`, value }));
const chart = (type: string) => ({
  type: 'data_visualization',
  title: `Hits as ${type}`,
  chart: {
    type,
    series: [
      { name: 'allowed', data: data([3, 1, 4]) },
      { name: 'blocked', data: data([1, 5, 9]) },
    ],
    axis_config: { categories: ['day 1', 'day 2', 'day 3'], y_label: 'hits' },
  },
});

/** One of nearly everything that a message of an app can show. */
// A cast: Slack's types do not know the newest of these blocks.
export const everyBlock = [
  { type: 'header', text: plain('Everything :warning: :pushpin:') },
  {
    type: 'section',
    text: {
      type: 'mrkdwn',
      text: '*Bold* `code` <@U0DANA0001> <#C0HELPDESK> <https://a.example|a link>\n> quoted',
    },
    fields: [{ type: 'mrkdwn', text: '*Who*\nbob' }],
    accessory: { type: 'overflow', action_id: 'more', options },
  },
  { type: 'context', elements: [{ type: 'mrkdwn', text: 'Small print with <https://b.example|a link>' }] },
  { type: 'divider' },
  {
    type: 'actions',
    elements: [
      { type: 'static_select', action_id: 'pick', placeholder: plain('Pick one'), options },
      { type: 'button', action_id: 'go', style: 'primary', text: plain('Go') },
      {
        type: 'button',
        action_id: 'ask',
        style: 'danger',
        text: plain('Ask'),
        confirm: {
          title: plain('Restart the gateway?'),
          text: plain('Everybody is thrown out.'),
          confirm: plain('Restart'),
          deny: plain('Keep it'),
          style: 'danger',
        },
      },
      { type: 'datepicker', action_id: 'day' },
      { type: 'radio_buttons', action_id: 'one', options },
    ],
  },
  {
    type: 'table',
    rows: [
      ['time', 'who', 'what', 'where', 'outcome', 'approved by', 'reason'].map(raw),
      ['2026-11-23 23:40', 'bob', 'category add', 'gw-1', 'done', 'dana', 'ticket 4711, as was agreed'].map(
        raw,
      ),
    ],
  },
  chart('line'),
  chart('bar'),
  {
    type: 'data_table',
    caption: 'Syncs by day',
    row_header_column_index: 0,
    rows: [['Name', 'Syncs'].map(raw), ['Ada', '3'].map(raw), ['Ben', '4'].map(raw)],
  },
  { type: 'section', text: { type: 'mrkdwn', text: 'The last block' } },
] as unknown as KnownBlock[];

export const attachments = [
  {
    color: 'danger',
    author_name: 'Tickets',
    title: 'Ticket 7',
    title_link: 'https://tickets.example/7',
    text: 'It is *open*, see <https://b.example|the log>',
    footer: 'since Monday',
  },
];

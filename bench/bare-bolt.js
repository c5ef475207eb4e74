import { App, LogLevel } from '@slack/bolt';
import { request } from 'undici';

/**
 * The bot is measured against this: the least a Bolt app can do. The app checks nothing, remembers nothing, and only
 * acknowledges, or also makes the bot's own two calls. Plain JavaScript, like the built bot: a TypeScript loader would
 * add 16 MB.
 */
const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_API_URL, APPLIANCE_URL, BARE_BOLT } = process.env;
if (!SLACK_BOT_TOKEN || !SLACK_APP_TOKEN || !SLACK_API_URL || !APPLIANCE_URL)
  throw new Error('The environment is not complete.');

const app = new App({
  token: SLACK_BOT_TOKEN,
  appToken: SLACK_APP_TOKEN,
  socketMode: true,
  logLevel: LogLevel.ERROR,
  clientOptions: { slackApiUrl: SLACK_API_URL },
});

app.command('/appliance', async ({ ack, command, client }) => {
  await ack();
  if (BARE_BOLT !== 'answers') return;
  await answer(client, { text: command.text, channel: command.channel_id, user: command.user_id });
});

// Bolt acknowledges events by itself.
app.event('app_mention', async ({ event, client }) => answer(client, event));

await app.start();

async function answer(client, { text, channel, user }) {
  // Slack makes a link of the domain: `categorize <http://example.com|example.com>`.
  const domain = /([^\s|>]+)>?$/.exec(text)?.[1] ?? '';
  const categories = await categoriesOf(domain);
  const names = categories.map(({ category_name }) => category_name).join(', ');
  const [headline, footer] = card(domain, names, user);
  await client.chat.postMessage({
    channel,
    text: `${domain} is in ${categories.length} category: ${names}`,
    blocks: [headline, table(categories), footer],
  });
}

/** The reply of appliance-api.md §4.3. */
async function categoriesOf(domain) {
  const { body } = await request(`${APPLIANCE_URL}/categories/query/${domain}`);
  // Believing whatever comes is what "no checks" means.
  const { Categories } = await body.json();
  return Categories;
}

function card(domain, names, person) {
  return [
    {
      type: 'rich_text',
      elements: [
        {
          type: 'rich_text_section',
          elements: [
            { type: 'text', text: domain, style: { bold: true } },
            { type: 'text', text: ' is in 1 category: ' },
            { type: 'text', text: names, style: { bold: true } },
          ],
        },
      ],
    },
    {
      type: 'context',
      elements: [{ type: 'mrkdwn', text: `<@${person}>  ·  \`/appliance categorize ${domain}\`  ·  on hq` }],
    },
  ];
}

function table(categories) {
  return {
    type: 'table',
    rows: [
      ['Category', 'ID', 'DNS firewall'].map((text) => ({
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [{ type: 'text', text, style: { bold: true } }],
          },
        ],
      })),
      ...categories.map(({ category_id, category_name }) =>
        [category_name, String(category_id), 'off'].map((text) => ({ type: 'raw_text', text })),
      ),
    ],
  };
}

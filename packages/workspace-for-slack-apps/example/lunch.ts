import { App, type AppOptions } from '@slack/bolt';
import type { KnownBlock, ModalView } from '@slack/types';

const dishes = ['Soup', 'Curry', 'Pizza'];

/** A bot that orders lunch: `/lunch` opens a form, its answer is posted, and others order the same by a button. */
export function lunchApp(options: AppOptions): App {
  const app = new App(options);
  /** Meals by person. */
  const orders = new Map<string, string>();
  /** Events that were answered: Slack sends one again when it does not hear of an acknowledgement. */
  const answered = new Set<string>();

  app.command('/lunch', async ({ ack, body, client }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: orderForm(body.channel_id) });
  });

  app.view('order', async ({ ack, body, view, client, logger }) => {
    const dish = view.state.values.dish?.it?.selected_option?.value ?? '';
    const note = view.state.values.note?.it?.value ?? '';
    if (note.includes('free'))
      return ack({ response_action: 'errors', errors: { note: 'Nothing is free.' } });
    await ack();
    const channel = view.private_metadata;
    try {
      await client.chat.postMessage({
        channel,
        text: `<@${body.user.id}> eats ${dish}`,
        blocks: card(`<@${body.user.id}> eats *${dish}*${note === '' ? '' : `: ${note}`}`, dish),
      });
      orders.set(body.user.id, dish);
    } catch (error) {
      logger.warn(error);
      await client.chat.postMessage({
        channel: body.user.id,
        text: `The order could not be posted in <#${channel}>.`,
      });
    }
  });

  app.action('same', async ({ ack, body, action, client }) => {
    await ack();
    if (action.type !== 'button' || body.channel === undefined) return;
    const { value = '' } = action;
    const channel = body.channel.id;
    const user = body.user.id;
    if (orders.get(user) === value) {
      await client.chat.postEphemeral({ channel, user, text: `You have ordered ${value} already.` });
      return;
    }
    orders.set(user, value);
    await client.chat.postMessage({ channel, text: `<@${user}> eats ${value}, too` });
  });

  app.event('app_mention', async ({ event, body, client }) => {
    if (answered.has(body.event_id)) return;
    answered.add(body.event_id);
    const text = [...orders].map(([user, dish]) => `<@${user}>: ${dish}`).join('\n') || 'Nobody has ordered.';
    await client.chat.postMessage({ channel: event.channel, thread_ts: event.ts, text });
  });

  app.event('app_home_opened', async ({ event, client }) => {
    const dish = orders.get(event.user);
    const text = dish === undefined ? 'You have not ordered.' : `You eat *${dish}*.`;
    await client.views.publish({ user_id: event.user, view: { type: 'home', blocks: [section(text)] } });
  });

  return app;
}

const plain = (text: string) => ({ type: 'plain_text' as const, text });

const section = (text: string): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', text } });

const card = (text: string, dish: string): KnownBlock[] => [
  section(text),
  {
    type: 'actions',
    elements: [{ type: 'button', action_id: 'same', text: plain('Same for me'), value: dish }],
  },
];

const orderForm = (channel: string): ModalView => ({
  type: 'modal',
  callback_id: 'order',
  private_metadata: channel,
  title: plain('Order lunch'),
  submit: plain('Order'),
  blocks: [
    {
      type: 'input',
      block_id: 'dish',
      label: plain('Dish'),
      element: {
        type: 'static_select',
        action_id: 'it',
        options: dishes.map((dish) => ({ text: plain(dish), value: dish })),
      },
    },
    {
      type: 'input',
      block_id: 'note',
      optional: true,
      label: plain('Note'),
      element: { type: 'plain_text_input', action_id: 'it' },
    },
  ],
});

import { App, type ReceiverEvent } from '@slack/bolt';
import { expect, test } from 'vitest';
import { createLog } from '../../telemetry/log.ts';
import { holdAcknowledgement, holdEvents } from './held-events.ts';
import { quietLogger } from './inlet.ts';

/** An app without a network that receives events as from a receiver. */
function house() {
  const app = new App({
    receiver: { init: () => undefined, start: async () => undefined, stop: async () => undefined },
    authorize: async () => ({ botToken: 'xoxb-t', botId: 'B1', botUserId: 'UB' }),
    convoStore: false,
    logger: quietLogger(createLog('silent')),
  });
  holdEvents(app);
  const order: string[] = [];
  const body = (type: string): ReceiverEvent['body'] => ({
    type: 'event_callback',
    team_id: 'T1',
    event: { type, user: 'U1', channel: 'C1', ts: '1.0', text: 'x' },
  });
  const hand = (type: string) =>
    app.processEvent({ body: body(type), ack: async () => void order.push('acknowledged') });
  return { app, order, hand };
}

test('an event is acknowledged after its listeners were called, and not before', async () => {
  const { app, order, hand } = house();
  app.event('app_mention', async () => void order.push('heard'));
  await hand('app_mention');
  expect(order).toEqual(['heard', 'acknowledged']);
});

test('an event without a listener is acknowledged, and so is one whose listener fails', async () => {
  const { app, order, hand } = house();
  app.error(async () => undefined);
  app.event('app_mention', async () => {
    throw new Error('broken');
  });
  await hand('user_change');
  await hand('app_mention');
  expect(order).toEqual(['acknowledged', 'acknowledged']);
});

test('an event that its listener holds is acknowledged by that listener alone', async () => {
  const { app, order, hand } = house();
  const written = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  app.event('app_mention', async ({ context }) => {
    const acknowledge = holdAcknowledgement(context);
    void written.promise
      .then(() => order.push('written'))
      .then(acknowledge)
      .then(done.resolve);
  });
  await hand('app_mention');
  expect(order).toEqual([]);
  written.resolve();
  await done.promise;
  expect(order).toEqual(['written', 'acknowledged']);
});

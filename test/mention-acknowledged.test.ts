import { describe, expect, test } from 'vitest';
import { converse } from './conversation.ts';
import { freePort } from './free-port.ts';

const bot = '@appliance-bot';
const helpdesk = 'C0HELPDESK';

const waysIn = {
  'Socket Mode': async () => ({}),
  HTTP: async () => {
    const port = await freePort();
    return {
      workspace: { requestUrl: `http://127.0.0.1:${port}/slack/events` },
      environment: { SLACK_APP_TOKEN: '', PORT: String(port), HOST: '127.0.0.1' },
    };
  },
};

/** A bot whose journal takes no delivery until it is let. */
async function gated(way: keyof typeof waysIn) {
  const gate = Promise.withResolvers<void>();
  const asked: string[] = [];
  const house = await converse({
    ...(await waysIn[way]()),
    world: {
      journal: (journal) => ({
        ...journal,
        claimDelivery: async (...given) => {
          if (given[1] !== undefined) {
            asked.push(given[0]);
            await gate.promise;
          }
          return journal.claimDelivery(...given);
        },
      }),
    },
  });
  const mentions = () => house.workspace.log.envelopes().filter(({ what }) => what === 'app_mention');
  const mention = (text: string) =>
    house.workspace.act({ act: 'type', as: 'U0ALICE001', channel: helpdesk, text: `${bot} ${text}` });
  return { ...house, gate, asked, mention, mentions };
}

describe.each(Object.keys(waysIn) as (keyof typeof waysIn)[])('a mention over %s', (way) => {
  test('is acknowledged when it is written down, and not before', async () => {
    const { gate, asked, mention, mentions, bot: running, read } = await gated(way);
    const sent = mention('categorize example.com');
    await expect.poll(() => asked.length).toBe(1);
    expect(mentions().map(({ ackedAt }) => ackedAt)).toEqual([undefined]);
    gate.resolve();
    await sent;
    await expect.poll(() => mentions().every(({ ackedAt }) => ackedAt !== undefined)).toBe(true);
    await running.idle();
    expect(read()).toContain('example.com is in 1 category');
  });

  test('that Slack sends again while it is being written down is answered once', async () => {
    const { gate, asked, mention, workspace, bot: running, read } = await gated(way);
    workspace.faults.next('delivery', { kind: 'twice' });
    const sent = mention('categorize example.com');
    await expect.poll(() => asked.length).toBe(2);
    gate.resolve();
    await sent;
    await running.idle();
    expect(read().split('example.com is in 1 category')).toHaveLength(2);
  });
});

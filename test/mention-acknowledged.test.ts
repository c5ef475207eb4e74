import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openJournal } from '../src/journal/journal.ts';
import { openSqlite } from '../src/journal/storage/sqlite.ts';
import { JournalUnavailable } from '../src/journal/unavailable.ts';
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
  test('is acknowledged when it is recorded, and not before', async () => {
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

  test('is answered once when Slack delivers it again while the bot records it', async () => {
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

test('a line of a process that died is kept when the next process cannot use its journal at its start', async () => {
  let failures = 0;
  const house = await converse({
    world: {
      journal: (journal) => ({
        ...journal,
        adoptOrphans: async (most) => {
          failures -= 1;
          if (failures >= 0) throw new JournalUnavailable(new Error('no space'), 'full');
          return journal.adoptOrphans(most);
        },
      }),
    },
  });
  await house.restart(async () => {
    const died = await openJournal(openSqlite(join(house.data, 'journal.sqlite')), Date.now, 'one that died');
    await died.claimDelivery('a line', { channel: helpdesk, person: 'U0ALICE001' });
    await died.close();
    failures = 1;
  });
  const told = 'The bot was stopped right after you typed something';
  expect(house.read()).not.toContain(told);
  await house.pass(2_000);
  expect(house.read()).toContain(told);
});

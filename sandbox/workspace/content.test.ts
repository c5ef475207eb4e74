import { expect, test } from 'vitest';
import { button, client, helpdesk, refusalOf, start } from './testing.ts';

const section = (text: string) => [{ type: 'section' as const, text: { type: 'mrkdwn' as const, text } }];

test('the bad blocks of a refused message are pointed at', async () => {
  const workspace = await start();
  const blocks = [...section('fine'), { type: 'actions' as const, elements: [button('a', 'x'.repeat(76))] }];
  expect(
    await refusalOf(client(workspace).chat.postMessage({ channel: helpdesk, text: 'a', blocks })),
  ).toMatchObject({
    error: 'invalid_blocks',
    response_metadata: {
      messages: ['[ERROR] must be less than 76 characters [json-pointer:/blocks/1/elements/0/text/text]'],
    },
  });
  const many = Array.from({ length: 51 }, () => ({ type: 'divider' as const }));
  expect(
    await refusalOf(client(workspace).chat.postMessage({ channel: helpdesk, text: 'a', blocks: many })),
  ).toMatchObject({
    error: 'invalid_blocks',
    errors: ['no more than 50 items allowed [json-pointer:/blocks]'],
  });
});

test('blocks that are each short enough can be too long together', async () => {
  const workspace = await start();
  const post = (count: number) =>
    client(workspace).chat.postMessage({
      channel: helpdesk,
      text: 'a',
      blocks: Array.from({ length: count }, () => section('x'.repeat(2_900))).flat(),
    });
  expect(await post(16)).toMatchObject({ ok: true });
  expect((await refusalOf(post(17))).error).toBe('msg_blocks_too_long');
});

import type { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { createUpload } from './delivery.ts';
import type { Sending } from './sending.ts';

/** The arguments for an upload address. */
async function askedWith(alt: string | undefined): Promise<unknown> {
  const asked: unknown[] = [];
  const files = {
    getUploadURLExternal: async (given: unknown) => {
      asked.push(given);
      return { upload_url: 'https://files.slack.com/upload/1', file_id: 'F1' };
    },
    completeUploadExternal: async () => ({}),
  };
  const upload = createUpload({
    client: { files } as unknown as WebClient,
    fetch: async () => new Response('OK'),
    sending: { send: async (_channel, _repeat, call) => call(), isAway: () => false } satisfies Sending,
  });
  const content = Buffer.from('12');
  await upload('C1', '1.1', { name: 'hits.png', title: 'Hits', content, comment: undefined, alt });
  return asked[0];
}

test('a picture’s description uses Slack’s documented name, and a text has none', async () => {
  expect(await askedWith('Hits by day')).toEqual({ filename: 'hits.png', length: 2, alt_txt: 'Hits by day' });
  expect(await askedWith(undefined)).toEqual({ filename: 'hits.png', length: 2 });
});

import { LogLevel, WebClient } from '@slack/web-api';
import { expect, onTestFinished, test } from 'vitest';
import { startHarbour } from '../../../sandbox/harbour.ts';
import { say } from '../../handlers/reply.ts';
import { createHome } from './home.ts';

const page = {
  headline: say`Hello.`,
  details: [{ kind: 'table', columns: ['Channel'], rows: [[say`helpdesk`]] }],
} as const;

async function start() {
  const workspace = await startHarbour();
  onTestFinished(() => workspace.stop());
  const { botToken, apiUrl } = workspace;
  const show = createHome(
    new WebClient(botToken, { slackApiUrl: apiUrl, retryConfig: { retries: 0 }, logLevel: LogLevel.ERROR }),
  );
  const shown = (person: string) =>
    workspace.snapshot(person).home?.blocks.map(({ type }: { readonly type: string }) => type);
  return { workspace, show, shown };
}
const refusal = (...messages: readonly string[]) =>
  ({ kind: 'error', error: 'invalid_arguments', details: { response_metadata: { messages } } }) as const;

test('where the Home tab takes no tables they are set in fixed width, and that is asked only once', async () => {
  const { workspace, show, shown } = await start();
  workspace.faults.next(
    'views.publish',
    refusal('unsupported type: table [json-pointer:/view/blocks/1/type]'),
  );
  await show('U0ALICE001', page);
  expect(shown('U0ALICE001')).toEqual(['rich_text', 'rich_text']);
  await show('U0VIC00001', page);
  expect(shown('U0VIC00001')).toEqual(['rich_text', 'rich_text']);
});

test('when Slack means something else, tables stay', async () => {
  const { workspace, show, shown } = await start();
  workspace.faults.next('views.publish', refusal('must be a string [json-pointer:/view/blocks/0/text]'));
  await expect(show('U0ALICE001', page)).rejects.toThrow('invalid_arguments');
  await show('U0ALICE001', page);
  expect(shown('U0ALICE001')).toEqual(['rich_text', 'table']);
});

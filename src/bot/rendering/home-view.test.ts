import { LogLevel, WebClient } from '@slack/web-api';
import { expect, onTestFinished, test } from 'vitest';
import { startHarbour } from '../../../sandbox/harbour.ts';
import { say } from '../../handlers/reply.ts';
import { createLog } from '../../telemetry/log.ts';
import { createHome } from './home-view.ts';

const page = {
  headline: say`Hello.`,
  details: [{ kind: 'table', columns: ['Channel'], rows: [[say`helpdesk`]] }],
} as const;

async function start() {
  const workspace = await startHarbour();
  onTestFinished(() => workspace.stop());
  const { botToken, apiUrl } = workspace;
  const logged: string[] = [];
  const show = createHome(
    new WebClient(botToken, { slackApiUrl: apiUrl, retryConfig: { retries: 0 }, logLevel: LogLevel.ERROR }),
    createLog('warn', { write: (line) => void logged.push(line) }),
  );
  const shown = (person: string) =>
    workspace.snapshot(person).home?.blocks.map(({ type }: { readonly type: string }) => type);
  return { workspace, show, shown, logged };
}
const refusal = (...messages: readonly string[]) =>
  ({ kind: 'error', error: 'invalid_arguments', details: { response_metadata: { messages } } }) as const;

test('a Home tab without tables uses fixed width, after one attempt', async () => {
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

test('a refusal for another reason keeps tables', async () => {
  const { workspace, show, shown } = await start();
  workspace.faults.next('views.publish', refusal('must be a string [json-pointer:/view/blocks/0/text]'));
  await expect(show('U0ALICE001', page)).rejects.toThrow('invalid_arguments');
  await show('U0ALICE001', page);
  expect(shown('U0ALICE001')).toEqual(['rich_text', 'table']);
});

test.each([
  ['not_enabled', 'home_off', 'The Home tab of the app is off'],
  ['internal_error', 'home_refused', 'Slack did not take a Home tab'],
  ['invalid_auth', 'home_refused', 'Slack did not take a Home tab'],
])(
  'a Home tab that Slack refuses with %s shows nothing, and the log says why once, without a stack',
  async (error, event, msg) => {
    const { workspace, show, shown, logged } = await start();
    workspace.faults.next('views.publish', { kind: 'error', error }, 2);
    expect(await show('U0ALICE001', page)).toBe('refused');
    expect(await show('U0VIC00001', page)).toBe('refused');
    expect(logged.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ event, msg, code: error, person: 'U0ALICE001', level: 'warn' }),
    ]);
    expect(logged.join()).not.toContain('stack');
    expect(await show('U0ALICE001', page)).toBe('shown');
    expect(shown('U0ALICE001')).toHaveLength(2);
  },
);

import { describe, expect, test } from 'vitest';
import { alice, client, helpdesk, start } from '../../../sandbox/workspace/testing.ts';
import type { Card, Said } from '../../action/base/chat.ts';
import { messageLink, plainText, type Span, say } from '../../handlers/reply.ts';
import { createLog } from '../../telemetry/log.ts';
import { createDelivery } from '../delivery/delivery.ts';
import { renderCard } from './cards.ts';
import { createHome } from './home-view.ts';
import { fullPalette, type Palette, plainPalette } from './palette.ts';
import { render } from './render.ts';
import { mrkdwn } from './slack-text.ts';

const acme: Palette = { ...fullPalette, workspace: 'https://acme.slack.com/' };
const thread = messageLink('the thread', 'C0HELPDESK', '1790000000.000123');
const address = 'https://acme.slack.com/archives/C0HELPDESK/p1790000000000123';
const link = { type: 'link', url: address, text: 'the thread' };

/** A message link in every part that a reply has. */
const everywhere: Said = {
  headline: say`Already running, see ${thread}`,
  details: [
    { kind: 'text', text: [thread] },
    { kind: 'fields', fields: [{ name: 'Where', value: [thread] }] },
    { kind: 'list', items: [[thread]] },
    { kind: 'table', columns: ['Who', 'Where'], rows: [[['U1'], say`${thread}`]] },
  ],
};
const linksIn = (drawn: unknown) => JSON.stringify(drawn).split(JSON.stringify(link)).length - 1;

describe('a link to a message', () => {
  test('opens it in the workspace, anywhere in a reply', () => {
    const { blocks, text } = render(everywhere, acme);
    expect(linksIn(blocks)).toBe(5);
    expect(text.startsWith(`Already running, see <${address}|the thread> · `)).toBe(true);
  });

  test('works in cards and notices, too', () => {
    const card: Card = {
      action: 'a1',
      channel: 'C0HELPDESK',
      card: undefined,
      at: 0,
      kind: 'change',
      state: 'waiting',
      asker: 'U1',
      line: 'rdp disconnect 12',
      appliances: [],
      headline: say`Asked in ${thread}`,
      parts: everywhere.details ?? [],
      notice: say`See ${thread}`,
    };
    const drawn = renderCard(card, acme);
    expect(linksIn(drawn.blocks)).toBe(6);
    expect(drawn.text).toContain(`<${address}|the thread>`);
  });

  test('is its label if the workspace is unknown, in fixed width, in files and in the journal', () => {
    for (const palette of [fullPalette, plainPalette]) {
      const drawn = render(everywhere, palette);
      expect(JSON.stringify(drawn)).not.toContain('archives');
      expect(drawn.text).toMatch(/^Already running, see the thread · /);
    }
    const { blocks } = render(everywhere, { ...plainPalette, workspace: acme.workspace });
    expect(blocks.at(-1)).toMatchObject({
      elements: [{ type: 'rich_text_preformatted', elements: [{ text: 'Who  Where\nU1   the thread' }] }],
    });
    expect(plainText(say`See ${thread}.`)).toBe('See the thread.');
  });

  test.each(['<!channel>', '*bold*', 'a|b>c', '<https://evil.example|Approve>', '\u202egnp.exe', 'a & b'])(
    'shows the label %j and obeys nothing in it',
    (label) => {
      const { blocks, text } = render({ headline: [messageLink(label, 'C1', '1.000001')] }, acme);
      expect(blocks).toMatchObject([
        { elements: [{ elements: [{ type: 'link', text: label.replace('\u202e', '\ufffd') }] }] },
      ]);
      const [, shown = ''] =
        /^<https:\/\/acme\.slack\.com\/archives\/C1\/p1000001\|([^<>]*)>$/.exec(text) ?? [];
      expect(shown).not.toBe('');
      expect(shown).not.toMatch(/(^|\W)[*_~]/);
    },
  );

  test.each([
    ['C1/../../evil', '1.000001'],
    ['//evil.example/C1', '1.000001'],
    ['C1', '1.000001?redirect=evil'],
    ['C1', 'javascript:alert(1)'],
    ['', ''],
  ])('is made of IDs only: %j with %j is but a label', (channel, ts) => {
    expect(JSON.stringify(render({ headline: [messageLink('here', channel, ts)] }, acme))).not.toMatch(
      /"link"|evil|script/,
    );
  });

  test('is made only here: an address in a text is dropped', () => {
    const brought = { ...(thread as object), url: 'https://evil.example/' } as unknown as Span;
    for (const palette of [acme, fullPalette])
      expect(JSON.stringify(render({ headline: [brought] }, palette))).not.toContain('evil');
    const typed = '<https://acme.slack.com/archives/C1/p1|the thread>';
    const { blocks } = render({ headline: [typed] }, acme);
    expect(blocks).toMatchObject([{ elements: [{ elements: [{ type: 'text', text: typed }] }] }]);
    expect(mrkdwn([typed])).not.toContain('<');
  });

  test('is cut with its label, and still opens the message', () => {
    const long = messageLink('x'.repeat(5_000), 'C0HELPDESK', '1790000000.000123');
    const { blocks, text } = render({ headline: [long] }, acme);
    expect(blocks).toMatchObject([{ elements: [{ elements: [{ type: 'link', url: address }, {}] }] }]);
    expect(JSON.stringify(blocks).length).toBeLessThan(2_000);
    expect(text).not.toMatch(/<[^>]*$/);
  });
});

test('messages and Home tabs link to the workspace’s own address', async () => {
  const workspace = await start();
  const slack = client(workspace);
  const { url } = await slack.auth.test();
  const log = createLog('silent');
  const { ts = '' } = await slack.chat.postMessage({ channel: helpdesk, text: 'root' });
  const said: Said = { headline: say`See ${messageLink('the thread', helpdesk, ts)}` };
  const delivery = createDelivery({
    client: slack,
    workspace: url,
    fetch,
    deadline: 5_000,
    now: Date.now,
    sleep: async () => undefined,
    log,
  });
  await delivery.post(helpdesk, undefined, (palette) => render(said, palette));
  await createHome(slack, log, url)(alice, said);
  const { permalink } = await slack.chat.getPermalink({ channel: helpdesk, message_ts: ts });
  const { messages, home } = workspace.snapshot(alice);
  for (const blocks of [messages.at(-1)?.blocks, home?.blocks])
    expect(JSON.stringify(blocks)).toContain(`"url":"${permalink}"`);
});

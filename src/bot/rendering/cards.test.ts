import { describe, expect, test } from 'vitest';
import { checkBlocks } from '../../../sandbox/workspace/blocks.ts';
import type { Card } from '../../action/base/chat.ts';
import { say, strong } from '../../handlers/reply.ts';
import { type State, transitions } from '../../journal/actions/states.ts';
import { renderCard } from './cards.ts';
import { plainPalette } from './palette.ts';
import { readButton } from './render.ts';
import { limits } from './slack-limits.ts';

const card: Card = {
  kind: 'change',
  action: 'a1',
  channel: 'C1',
  card: undefined,
  at: 0,
  state: 'waiting',
  asker: 'U0ALICE001',
  line: 'rdp disconnect 12',
  appliances: ['hq'],
  headline: say`Disconnect session ${strong('12')} of bob?`,
  parts: [{ kind: 'fields', fields: [{ name: 'Person', value: ['bob'] }] }],
  question: { token: 'opaque', verb: 'Disconnect', expiresAt: Date.UTC(2026, 10, 20, 12), approval: false },
};
const { question: _, ...decided } = card;
const states = Object.keys(transitions) as State[];
const problemsOf = (shown: Card) => checkBlocks(renderCard(shown).blocks, 'message').problems;

describe.each(states)('a card that is %s', (state) => {
  test.each(['change', 'lookup'] as const)('can be shown as a %s', (kind) => {
    expect(problemsOf({ ...decided, kind, state })).toEqual([]);
    expect(problemsOf({ ...decided, kind, state, notice: ['It has changed.'], appliances: [] })).toEqual([]);
  });

  test('has buttons only while it waits for a click', () => {
    const { blocks } = renderCard({ ...decided, state });
    expect(blocks.some(({ type }) => type === 'actions')).toBe(false);
  });
});

test('a card shows its state at a glance: an emoji before the headline, in the message and in the notification', () => {
  const mark = (state: State, kind: Card['kind'] = 'change') => {
    const { text, blocks } = renderCard({ ...decided, state, kind });
    const named = /^:(\w+): Disconnect/.exec(text)?.[1];
    expect(JSON.stringify(blocks[0]).includes('emoji')).toBe(named !== undefined);
    return named;
  };
  expect(mark('waiting')).toBeUndefined();
  expect(mark('running')).toBe('hourglass_flowing_sand');
  expect(mark('done')).toBe('white_check_mark');
  expect(mark('done', 'lookup')).toBeUndefined();
  expect(mark('failed')).toBe('x');
  expect(mark('unknown')).toBe('warning');
  expect(mark('refused')).toBe('no_entry');
  expect(mark('cancelled')).toBe(mark('expired'));
});

test('a question has two buttons that carry only the token', () => {
  const { blocks } = renderCard(card);
  expect(problemsOf(card)).toEqual([]);
  const row = blocks.find(({ type }) => type === 'actions');
  const shown = row?.type === 'actions' ? row.elements : [];
  expect(shown).toMatchObject([
    { type: 'button', style: 'danger', text: { type: 'plain_text', text: 'Disconnect' }, value: 'opaque' },
    { type: 'button', text: { type: 'plain_text', text: 'Cancel' }, value: 'opaque' },
  ]);
  const pressed = shown.map((button) =>
    button.type === 'button' ? readButton(button.action_id ?? '', button.value) : undefined,
  );
  expect(pressed).toEqual([
    { button: 'confirm', token: 'opaque', detail: undefined },
    { button: 'cancel', token: 'opaque', detail: undefined },
  ]);
});

test('on several appliances it names each', () => {
  expect(footerOf({ ...decided, appliances: ['hq', 'branch-2'] })[0]).toMatch(/on hq, branch-2$/);
});

test('a card does not repeat appliances at the end of the line', () => {
  const line = 'acl object enable google_sni --on hq';
  expect(footerOf({ ...decided, line, appliances: ['hq'] })[0]).toMatch(/ --on hq`$/);
});

test('a card shows below who asked for what, where, and until when', () => {
  expect(renderCard(card).blocks.at(-1)).toEqual({
    type: 'context',
    elements: [
      {
        type: 'mrkdwn',
        verbatim: true,
        text: '<@U0ALICE001>  ·  `/appliance rdp disconnect 12`  ·  on hq  ·  expires <!date^1795176000^{time}|2026-11-20 12:00 UTC>',
      },
    ],
  });
});

test('a card shows the typed line as plain text, whatever it was', () => {
  const line = '`<!channel>` *bold* <https://evil.example|x> \u202egnp\n`_a_`';
  const [element] = footerOf({ ...decided, line });
  expect(element).toBe(
    '<@U0ALICE001>  ·  `/appliance ˋ&lt;!channel&gt;ˋ *bold* &lt;https://evil.example|x&gt; \ufffdgnp\ufffdˋ_a_ˋ`  ·  on hq',
  );
});

test('a long line is cut below it, with its length', () => {
  const shown = { ...card, line: '<'.repeat(3_000) };
  expect(problemsOf(shown)).toEqual([]);
  const [element = ''] = footerOf(shown);
  // Slack takes 2,000 characters in a context element (slack-facts.md §3).
  expect(element.length).toBeLessThan(2_000);
  expect(element).toContain('… (3011 characters)');
});

test('a notice has its own line', () => {
  const { blocks } = renderCard({ ...card, notice: ['It has changed.'] });
  expect(blocks).toContainEqual({
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'emoji', name: 'warning' },
          { type: 'text', text: ' ' },
          { type: 'text', text: 'It has changed.' },
        ],
      },
    ],
  });
});

test('progress has its own line, and no warning', () => {
  const { blocks } = renderCard({ ...card, progress: ['2 of 3 sent'] });
  expect(blocks).toContainEqual({
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: '2 of 3 sent' }] }],
  });
});

test('on very many appliances it names some, and how many more', () => {
  const appliances = Array.from({ length: 300 }, (_, index) => `branch-office-${index}`);
  expect(problemsOf({ ...card, appliances })).toEqual([]);
  expect(footerOf({ ...decided, appliances })[0]).toMatch(/branch-office-9 and 290 more$/);
});

test('a screen reader reads a card completely, before and after the decision', () => {
  const asked =
    'Disconnect session 12 of bob? · It has changed. · Person: bob · <@U0ALICE001> · `/appliance rdp disconnect 12` · on hq · expires <!date^1795176000^{time}|2026-11-20 12:00 UTC>';
  expect(renderCard({ ...card, notice: ['It has changed.'] }).text).toBe(asked);
  expect(renderCard({ ...decided, state: 'cancelled' }).text).toBe(
    ':white_circle: Disconnect session 12 of bob? · Person: bob · <@U0ALICE001> · `/appliance rdp disconnect 12` · on hq',
  );
});

test('the text of a card is within the limit, and says where the rest is', () => {
  const { text } = renderCard({ ...card, headline: ['&'.repeat(4_000)] });
  expect(text.length).toBeLessThanOrEqual(limits.text);
  expect(text).toMatch(/^(&amp;)+… The rest is in the message\.$/);
});

test('a table on a card can be shown in fixed width', () => {
  const parts = [{ kind: 'table', columns: ['A'], rows: [[['1']]] }] as const;
  expect(renderCard({ ...card, parts }).blocks.some(({ type }) => type === 'table')).toBe(true);
  expect(renderCard({ ...card, parts }, plainPalette).blocks.some(({ type }) => type === 'table')).toBe(
    false,
  );
});

function footerOf(shown: Card): readonly string[] {
  const footer = renderCard(shown).blocks.at(-1);
  if (footer?.type !== 'context') return [];
  return footer.elements.map((element) => (element.type === 'mrkdwn' ? element.text : ''));
}

test('an approval has one coloured button, and its deny button is as quiet as withdraw', () => {
  const asked = { ...card, question: { token: 'opaque', verb: 'Disconnect', expiresAt: 0, approval: true } };
  const buttons = renderCard(asked).blocks.flatMap((block) =>
    block.type === 'actions' ? block.elements : [],
  );
  expect(buttons.map((one) => ('style' in one ? one.style : undefined))).toEqual([
    'primary',
    undefined,
    undefined,
  ]);
});

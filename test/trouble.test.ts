import { describe, expect, test } from 'vitest';
import type { Fault } from '../sandbox/appliance/index.ts';
import { converse } from './conversation.ts';

/** How a change ends that meets this trouble on its way. */
type Ending = 'done' | 'failed' | 'unknown';

/** Faults of an appliance, the sentence that the person gets for each, and the known outcome of a change. */
const troubles: readonly (readonly [string, Fault, RegExp, Ending])[] = [
  [
    'answers past the deadline',
    { kind: 'slow', ms: 2_000 },
    /hq did not answer within 0\.[69] seconds/,
    'unknown',
  ],
  ['does not answer at all', { kind: 'hang' }, /hq did not answer within 0\.[69] seconds/, 'done'],
  ['answers 404', { kind: 'status', status: 404 }, /hq doesn’t know this call \(HTTP 404\)/, 'failed'],
  [
    'answers 500 with a page',
    { kind: 'status', status: 500 },
    /hq answered with an error \(HTTP 500\)/,
    'failed',
  ],
  ['answers with a page', { kind: 'html' }, /hq answered with a web page instead of data/, 'done'],
  [
    'answers with nothing',
    { kind: 'empty' },
    /hq answered with nothing at all|hq took the order without saying/,
    'done',
  ],
  ['answers with broken JSON', { kind: 'broken_json' }, /hq answered with something other than data/, 'done'],
  ['breaks off', { kind: 'reset' }, /The connection to hq broke before the answer was complete/, 'done'],
  [
    'answers with 10 MB',
    { kind: 'huge' },
    /hq answered with more than 4 MB, so reading stopped there/,
    'done',
  ],
];

/** Texts of the card and the thread for each outcome. */
const endings: Readonly<Record<Ending, readonly [string, string]>> = {
  done: ['✅ Session 12 of bob.miller on srv-files-01 disconnected', '12 is gone'],
  failed: ['❌ Disconnecting session 12 of bob.miller on srv-files-01 failed', '12 is still open'],
  unknown: [
    '⚠️ Disconnecting session 12 of bob.miller on srv-files-01: outcome unknown',
    'It may still happen, so look again before you decide.',
  ],
};

/** A question may be silent for 0.6 seconds, a change for 0.9. */
const timeouts = { read: 0.6, whole: 0.9 };

describe.each(troubles)('an appliance that %s', (_, fault, sentence, ending) => {
  test('gives a lookup one sentence for the person and a row in the journal, and the bot lives on', async () => {
    const { type, appliance, bot } = await converse({ timeouts });
    appliance.faults.set('GET /categories/query/{domain}', fault);
    const said = await type('/appliance categorize example.com');
    expect(said).toMatch(sentence);
    expect(said).toContain('No changes were made.');
    expect((await bot.journal.recent(1))[0]).toMatchObject({
      state: 'failed',
      outcome: { says: expect.stringMatching(sentence) },
    });
    appliance.faults.clear();
    expect(await type('/appliance categorize example.com')).toContain('is in 1 category');
  });

  test('gets no card for a change without a preview', async () => {
    const { type, appliance, bot } = await converse({ timeouts });
    appliance.faults.set('GET /rdpproxy/sessions', fault);
    const said = await type('/appliance rdp disconnect 12');
    expect(said).toMatch(sentence);
    expect(said).toContain('(only visible to alice)');
    expect(said).toContain('No changes were made, because the current state couldn’t be read.');
    expect((await bot.journal.recent(1))[0]).toMatchObject({ state: 'failed' });
  });

  test('is asked once to disconnect, and then read back', async () => {
    const { type, press, appliance, bot } = await converse({ timeouts });
    await type('/appliance rdp disconnect 12');
    appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', fault);
    const said = await press('Disconnect');
    expect(appliance.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(said).toMatch(sentence);
    for (const words of endings[ending]) expect(said).toContain(words);
    expect((await bot.journal.recent(1))[0]).toMatchObject({ state: ending });
  });
});

describe('an appliance that is down', () => {
  test('is reported as such, and nothing else happens', async () => {
    const { type, appliance, bot } = await converse({ timeouts });
    await appliance.close();
    const said = await type('/appliance categorize example.com');
    expect(said).toContain('hq is unreachable (ECONNREFUSED). No changes were made. Try again in a moment.');
    expect((await bot.journal.recent(1))[0]).toMatchObject({
      state: 'failed',
      outcome: { code: 'unreachable' },
    });
  });

  test('between the card and the click leaves the question open', async () => {
    const { type, press, appliance } = await converse({ timeouts });
    await type('/appliance rdp disconnect 12');
    await appliance.close();
    const said = await press('Disconnect');
    expect(said).toContain('hq is unreachable');
    expect(said).toContain('[Disconnect] [Cancel]');
  });
});

describe('an appliance that refuses', () => {
  test('is quoted, and the change is reported as failed', async () => {
    const { type, press, appliance, bot } = await converse();
    await type('/appliance rdp disconnect 12');
    appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', {
      kind: 'refuse',
      error: 'the licence has *expired* <!channel>',
    });
    const said = await press('Disconnect');
    expect(said).toContain(
      'hq refused: the licence has *expired*. No changes were made: Sessions read back: 12 is still open.',
    );
    expect((await bot.journal.recent(1))[0]).toMatchObject({ state: 'failed', outcome: { code: 'refused' } });
  });

  test('the bot for its key is reported without the key', async () => {
    const { type } = await converse({ environment: { APPLIANCE_KEY: 'wrong-key-123' } });
    const said = await type('/appliance rdp sessions');
    expect(said).toContain(
      'hq doesn’t accept the bot’s Web API key (HTTP 403). No changes were made. Compare key in the bot’s configuration',
    );
    expect(said).not.toContain('wrong-key-123');
  });
});

describe('a proxy between the bot and an appliance', () => {
  test('is named when it refuses a call with its own page, and nobody is told to change the key', async () => {
    const { type, press, appliance } = await converse();
    appliance.faults.set('GET /categories/list', { kind: 'status', status: 403 });
    const said = await type('/appliance category list');
    expect(said).toContain(
      'hq did not answer, because a proxy or a gateway on the way rejected the call (HTTP 403).',
    );
    expect(said).toContain('hq said: 403 Forbidden');
    expect(said).not.toContain('key');
    await type('/appliance rdp disconnect 12');
    appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'status', status: 403 });
    expect(await press('Disconnect')).toContain('12 is still open');
  });

  test('does not hide an order that ran when it refuses only the answer', async () => {
    const { type, press, appliance } = await converse();
    await type('/appliance rdp disconnect 12');
    const held = { kind: 'status', status: 403, happens: true } as const;
    appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', held);
    const said = await press('Disconnect');
    expect(said).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
    expect(said).toContain('A check showed that it did happen.');
  });
});

describe('text from an appliance', () => {
  test('never becomes a mention, a link or formatting', async () => {
    const { type, workspace } = await converse();
    await type('/appliance rdp sessions');
    await type('/appliance rdp disconnect 19');
    const sent = workspace.log.calls().filter(({ method }) => method.startsWith('chat.'));
    for (const { args } of sent) expect(String(args.text)).not.toContain('<!channel>');
    const elements = JSON.stringify(sent.map(({ args }) => args.blocks));
    expect(elements).toContain('<!channel>');
    expect(elements).not.toContain('broadcast');
    expect(elements).not.toContain('\u202e');
  });
});

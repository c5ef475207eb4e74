import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { stores } from '../../../test/stores.ts';
import { plainText, say } from '../../handlers/reply.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Card, Chat } from '../base/chat.ts';
import { createDraw } from './drawing.ts';
import { offerToKeep } from './kept-offer.ts';

const [sqlite] = stores;
const asked = { team: 'T', channel: 'C', person: 'U', line: 'plan x', effect: 'write' } as const;

/** A plan that runs, with a button that stops it, and what its card has shown. */
async function plan() {
  if (sqlite === undefined) throw new Error('There is a first kind of store');
  const journal = await sqlite.open(await sqlite.newPlace(), { at: 1_000 });
  onTestFinished(() => journal.close());
  const running = await journal.move(await journal.write({ ...asked, state: 'asked' }), 'running');
  if (running === undefined) throw new Error('It is running');
  const content = offerToKeep({ line: 'plan stop A-1', label: 'Stop' });
  await journal.keep({ kind: 'offer', content, channel: 'C', action: running.id, until: 10_000 });
  const shown: (Pick<Card, 'state'> & { readonly labels: readonly string[]; readonly says: string })[] = [];
  const chat: Pick<Chat, 'show'> = {
    show: async ({ state, parts, headline, progress = [] }) => {
      const labels = parts.flatMap((part) =>
        part.kind === 'buttons' ? part.buttons.map(({ label }) => label) : [],
      );
      shown.push({ state, labels, says: plainText(say`${headline} ${progress}`).trim() });
      return '1.1';
    },
  };
  const draw = (from: Journal) =>
    createDraw(
      chat,
      from,
      new Map(),
      async () => undefined,
      async () => undefined,
    );
  return { journal, running: { ...running, card: '1.1' }, shown, draw };
}

test('a card that is drawn late shows how its action stands by then, and what was to be said before is not said', async () => {
  const { journal, running, shown, draw } = await plan();
  const progress = say`1 of 2 lines done`;
  await draw(journal)(running, { progress });
  await journal.move(running, 'done', { outcome: { code: 'plan_done', says: 'Plan done' } });
  await draw(journal)(running, { progress });
  expect(shown).toEqual([
    { state: 'running', labels: ['Stop'], says: 'plan x 1 of 2 lines done' },
    { state: 'done', labels: [], says: 'Plan done' },
  ]);
});

test('of two drawings of a card the first is shown first, however long it takes to read what stands on it', async () => {
  const { journal, running, shown, draw } = await plan();
  const reading = Promise.withResolvers<void>();
  let isFirst = true;
  const drawn = draw({
    ...journal,
    keptOf: async (...given) => {
      const kept = await journal.keptOf(...given);
      if (isFirst) {
        isFirst = false;
        await reading.promise;
      }
      return kept;
    },
  });
  const first = drawn(running);
  while (isFirst) await turn();
  const done = await journal.move(running, 'done', { outcome: { code: 'plan_done', says: 'Plan done' } });
  const last = drawn({ ...running, ...done });
  for (let turns = 0; turns < 20; turns += 1) await turn();
  reading.resolve();
  await Promise.all([first, last]);
  expect(shown.map(({ state, labels }) => [state, labels])).toEqual([
    ['running', ['Stop']],
    ['done', []],
  ]);
});

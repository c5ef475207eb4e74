import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AnyChange } from '../../handlers/command.ts';
import { plainText } from '../../handlers/reply.ts';
import { openJournal } from '../../journal/journal.ts';
import { openSqlite } from '../../journal/storage/sqlite.ts';
import type { Card, Chat } from '../base/chat.ts';
import { createDraw } from '../showing/drawing.ts';
import type { ResolvedTarget } from '../target/target.ts';
import { offerUndo } from './undo.ts';

test('an undo that differs from one appliance to the next has a button for each, and says which was pressed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'undo-'));
  const journal = await openJournal(openSqlite(join(folder, 'journal.sqlite')), Date.now);
  onTestFinished(async () => {
    await journal.close();
    rmSync(folder, { recursive: true });
  });
  const asked = { team: 'T1', channel: 'C1', person: 'U1', line: 'acl object disable google_sni' };
  const done = await journal.write({ ...asked, state: 'done', effect: 'write' });
  // Only what an undo is made of.
  const change = {
    undo: ({ id }: { readonly id: number }) => `acl object enable ${id}`,
  } as unknown as AnyChange;
  const on = (name: string, id: number) => ({
    resolved: { appliance: { name }, args: { id } } as unknown as ResolvedTarget,
    execution: {
      kind: 'happened',
      order: { kind: 'accepted' },
      evidence: [],
      fingerprint: {},
      details: [],
    } as const,
  });
  const offer = () =>
    offerUndo({ journal, now: Date.now }, done, change, [on('hq', 3), on('branch-2', 4), on('branch-3', 3)]);
  await offer();
  // A crash came before the journal knew that it was over, and so it is ended once more.
  await offer();

  const cards: Card[] = [];
  const chat = { show: async (card: Card) => String(cards.push(card)) } as unknown as Chat;
  const none = async () => undefined;
  const draw = createDraw(chat, journal, new Map(), none, none);
  const buttons = () =>
    cards.at(-1)?.parts.flatMap((part) => (part.kind === 'buttons' ? part.buttons : [])) ?? [];
  await draw({ ...done, card: '1.1' });
  expect(buttons().map(({ label }) => label)).toEqual(['Undo on hq, branch-3', 'Undo on branch-2']);
  await journal.take(buttons()[1]?.token ?? '', 'U2');
  await draw({ ...done, card: '1.1' });
  expect(buttons().map(({ label }) => label)).toEqual(['Undo on hq, branch-3']);
  expect(plainText(cards.at(-1)?.progress ?? [])).toBe('Undo on branch-2 was pressed by U2.');
});

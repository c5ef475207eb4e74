import { expect, test } from 'vitest';
import { allOf, asked, openIn, recorder } from '../../test/audit-records.ts';
import { seeded, seeds } from '../../test/seeded.ts';
import { sized } from '../../test/size.ts';
import { stores } from '../../test/stores.ts';
import { isStoredText, storedText } from '../stored-text.ts';
import { namesIn } from './audit/about.ts';
import { verifyRecords } from './audit/verify/verify.ts';
import type { Action } from './journal.ts';

const against = { held: [], keep: () => undefined, now: Date.UTC(2027, 1, 1) };

/** What is odd by itself, or beside another one. */
const odd = [
  ...['\0', '\u0001', '\t', '\n', '\r', '\u001b', '\u007f', '\u0085', '\u00ad', '\u200b', '\u200d', '\u2028'],
  ...['\u202e', '\ud800', '\udbff', '\udc00', '\udfff', '\ufdd0', '\ufeff', '\ufffd', '\ufffe', '\uffff'],
  ...['\u{1f986}', '\u{10ffff}', '\u{fffff}', 'e\u0301', '\\', '\\u0000', '\\ud800', '"', "'", '%', '_', ','],
  ...[' ', 'İ', 'ß', 'ﬃ', '{', '}', '$1', '${', '<!channel>', '&amp;', '--', ';'],
];

/** Anything between nothing and twelve characters: of all of Unicode, with halves of what is two, and often what is odd. */
function anyText(random: () => number): string {
  const any = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const one = () => {
    const kind = random();
    if (kind < 0.4) return any(odd);
    if (kind < 0.6) return String.fromCodePoint(0x20 + Math.floor(random() * 0x5f));
    if (kind < 0.8) return String.fromCharCode(Math.floor(random() * 0x10000));
    return String.fromCodePoint(Math.floor(random() * 0x110000));
  };
  return Array.from({ length: Math.floor(random() * 12) }, one).join('');
}

const texts = (seed: number, count: number) => {
  const random = seeded(seed);
  return Array.from({ length: count }, () => anyText(random));
};

test('a text that can be stored is the same to whoever stores it again, and nothing else in it has changed', () => {
  for (const text of [...seeds(sized(300, 5_000))].flatMap((seed) => texts(seed, 10))) {
    const stored = storedText(text);
    expect(storedText(stored)).toBe(stored);
    expect(isStoredText(stored)).toBe(true);
    expect(Buffer.from(stored).toString()).toBe(stored);
    expect(stored.length).toBe(text.length);
    if (text.isWellFormed() && !text.includes('\0')) expect(stored).toBe(text);
  }
});

test.each(stores)(
  'whatever texts an appliance and a person have, $store keeps, indexes, digests and compares the same ones',
  async (kind) => {
    const opened = await openIn(kind);
    const { journal, store, clock } = opened;
    journal.announced.changes = 'all';
    const written: { readonly id: string; readonly args: Action['args'] }[] = [];
    for (const seed of seeds(sized(40, 150, 400))) {
      clock.at += 1_000;
      const [name = '', says = '', line = '', key = '', ticket = '', reason = ''] = texts(seed, 6);
      const args = { category: { id: 5, name }, [key]: [name, says] };
      const wordy = { ...asked, line, args, ticket, understoodAs: says };
      const action = await journal.write(wordy);
      // Its place among the others is counted by the database.
      expect(await journal.byId(action.id)).toEqual({ ...action, askedSeq: expect.any(Number) });
      // What goes to the appliance is exactly what was asked for.
      expect(action.args).toEqual(args);
      const running = await journal.move(action, 'running', { preview: { question: says, fields: [name] } });
      await journal.note(action.id, { kind: 'shown', content: { question: name } });
      const outcome = { code: 'done', says, headline: name, evidence: [line, name] };
      const done = running && (await journal.move(running, 'done', { outcome }));
      expect(await journal.byId(action.id)).toEqual(done);
      expect(done?.preview).toEqual({ question: says, fields: [name] });
      written.push({ id: action.id, args });

      const once = await journal.writeOnce({ ...wordy, state: 'asked' }, 60_000);
      expect((await journal.writeOnce({ ...wordy, state: 'asked' }, 60_000)).action.id).toBe(once.action.id);

      const watch = await journal.startWatch({
        ...{ kind: 'watch', team: 'T1', channel: 'C1', person: 'U1', subject: says, appliances: ['hq'] },
        ...{ terms: { name }, state: { [key]: says }, nextAt: clock.at + 60_000 },
      });
      expect(await journal.watches()).toContainEqual(watch);
      expect(watch).toMatchObject({ terms: { name }, state: { [key]: says } });
      await journal.stopWatch(watch.id);

      // Who wants a site, and why, is read as it was written.
      const request = { wishes: [{ reason, name }] };
      const asking = await journal.write({ ...wordy, state: 'asked', request });
      expect(await journal.changeRequest(asking, { ...request, [key]: says })).toBe(true);
      expect(await journal.changeRequest(asking, request)).toBe(false);
      expect((await journal.byId(asking.id))?.request).toEqual({ ...request, [key]: says });

      const message = { key: `${seed} ${name}`, kind: 'said', orderingKey: says, content: { [key]: name } };
      await journal.post([message]);
      expect(await journal.claimOrderingKey(says)).toContainEqual(
        expect.objectContaining({ key: storedText(message.key), content: message.content }),
      );
      await journal.acknowledge(message.key);
      const token = await journal.keep({
        ...{ kind: 'offer', content: { [key]: name }, channel: 'C1', until: clock.at + 60_000 },
      });
      expect(await journal.kept(token)).toMatchObject({ content: { [key]: name } });
    }
    await journal.tidy();
    expect(await journal.unsent()).toEqual([]);
    for (const { content } of await journal.pendingWebhooks()) {
      for (const text of Object.values(content.outcome ?? {})) expect(text).toBe(storedText(text));
    }
    // In pieces, so that later records meet what earlier ones have put into the index.
    const aboutAll = { ...recorder, aboutOf: ({ args }: Action) => namesIn(args) };
    while ((await journal.record(aboutAll, 7)) > 0);
    const { broken, unindexed, rows } = await verifyRecords(store, against);
    expect({ broken, unindexed }).toEqual({ broken: undefined, unindexed: [] });
    expect(rows).toBe(written.length);
    const records = await allOf(journal);
    for (const { id, args } of written) {
      const own = records.find(({ record }) => record.action === id)?.record;
      expect(JSON.stringify(own)).not.toMatch(/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/);
      expect(own?.about).toEqual(namesIn(args).map(storedText));
      for (const about of namesIn(args)) {
        const found = await journal.findRecords({ about }, 1_000);
        expect(found.records.map(({ record }) => record.action)).toContain(id);
      }
    }
  },
);

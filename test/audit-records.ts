import { onTestFinished } from 'vitest';
import type { Recorded } from '../src/journal/audit/hash-chain.ts';
import type { AuditFilter } from '../src/journal/audit/search-terms.ts';
import type { Store } from '../src/journal/database.ts';
import type { Journal, NewAction, Recorder } from '../src/journal/journal.ts';
import type { Kind } from './stores.ts';

/** Parts that the tests of audit records share. */

const words = (phrase: string) => phrase.replace(/ [<[].*/, '');

/** Reads the records of the tests, and remembers the announced ones. */
export const recorder: Recorder = {
  commandOf: ({ phrase }) => (phrase === undefined ? undefined : words(phrase)),
  isDenied: ({ outcome }) => outcome?.code === 'role_missing',
  previewOf: (preview) => ({ question: String((preview as { question: string }).question), fields: [] }),
  isWithheld: () => false,
  announce: ({ seq, record }) =>
    record.effect === 'read'
      ? []
      : [{ key: `audit-${seq}`, kind: 'post', orderingKey: 'audit', content: seq }],
};

export interface Opened {
  readonly store: Store;
  readonly journal: Journal;
  readonly clock: { at: number };
  /** Another replica on the same journal. */
  readonly other: () => Promise<Journal>;
}

export async function openIn({ newPlace, open }: Kind): Promise<Opened> {
  const clock = { at: Date.UTC(2027, 0, 1) };
  const place = await newPlace();
  const journal = await open(place, clock, 'first');
  const store = place();
  onTestFinished(() => store.close());
  // An embedded journal belongs to one process.
  const other = async () => (store.isShared ? open(place, clock, 'second') : journal);
  return { store, journal, clock, other };
}

export const asked: NewAction = {
  state: 'asked',
  team: 'T1',
  channel: 'C1',
  person: 'U1',
  line: 'rdp disconnect 12',
  phrase: 'rdp disconnect <session>',
  effect: 'destructive',
  appliance: 'hq',
  args: { session: 12 },
  policy: 'abc123',
  allowedBy: ['helpdesk', 'admin'],
};

export const answered = { code: 'answered', says: 'Here it is.' };

export async function allOf(journal: Journal, filter: AuditFilter = {}): Promise<readonly Recorded[]> {
  return (await journal.findRecords(filter, 10_000)).records;
}

/** So many lookups that are over and recorded. */
export async function recordSome({ journal, clock }: Opened, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    clock.at += 1_000;
    await journal.write({
      ...asked,
      state: 'done',
      effect: 'read',
      line: `status ${number}`,
      outcome: answered,
    });
  }
  while ((await journal.record(recorder)) > 0);
}

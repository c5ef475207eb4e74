import { expect, test } from 'vitest';
import { allOf, answered, asked, openIn, recorder } from '../../../test/audit-records.ts';
import { sized } from '../../../test/size.ts';
import { stores } from '../../../test/stores.ts';
import type { NewAction } from '../journal.ts';
import type { AuditFilter } from './search-terms.ts';

const total = sized(500, 1_000, 2_500);

test.each(stores)(
  `finding gives what a plain look at every one of ${total} records gives, whatever is combined, in $store`,
  async (kind) => {
    const opened = await openIn(kind);
    const { journal, clock } = opened;
    let seed = 42;
    const pick = <const Item>(...items: readonly Item[]): Item => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      // There is something at every index below the length.
      return items[(seed >> 16) % items.length] as Item;
    };
    const written: Promise<unknown>[] = [];
    for (let number = 0; number < total; number += 1) {
      clock.at += 60_000;
      const isDenied = pick(true, false, false);
      const action: NewAction = {
        ...asked,
        state: isDenied ? 'refused' : 'done',
        person: pick('U1', 'U2', 'U3'),
        channel: pick('C1', 'C2'),
        phrase: pick('rdp disconnect <session>', 'rdp sessions', 'rdp', 'status', undefined),
        effect: pick('read', 'destructive'),
        ticket: pick('CHG-1', 'CHG-12', undefined),
        appliance: pick('hq', 'branch', 'hq,branch', undefined),
        outcome: isDenied ? { code: pick('role_missing', 'not_understood'), says: 'No.' } : answered,
      };
      written.push(journal.write(action));
      // As many at once as a store takes.
      if (written.length === 50) await Promise.all(written.splice(0));
    }
    await Promise.all(written);
    while ((await journal.record(recorder)) > 0);
    const all = await allOf(journal);
    expect(all).toHaveLength(total);
    const options: { readonly [name in keyof AuditFilter]-?: readonly AuditFilter[name][] } = {
      by: [undefined, 'U2', 'U9'],
      in: [undefined, 'C1'],
      command: [undefined, 'RDP', 'rdp  disconnect'],
      on: [undefined, ['branch'], ['hq', 'branch']],
      // Beside a few others: each more doubles what is looked at.
      ticket: [undefined],
      plan: [undefined],
      about: [undefined],
      failed: [undefined],
      approved: [undefined],
      until: [undefined],
      denied: [undefined, true],
      changes: [undefined, true],
      notUnderstood: [undefined, true],
      since: [undefined, clock.at - 0.8 * total * 60_000],
    };
    const combine = (names: readonly (keyof AuditFilter)[]): readonly AuditFilter[] => {
      const [name, ...others] = names;
      if (name === undefined) return [{}];
      return combine(others).flatMap((filter) =>
        options[name].map((value) => ({ ...filter, [name]: value })),
      );
    };
    const combined = combine(Object.keys(options) as (keyof AuditFilter)[]);
    expect(combined).toHaveLength(3 * 2 * 3 * 3 * 2 * 2 * 2 * 2);
    const ticket = 'chg-1';
    const filters = [
      ...combined,
      { ticket },
      { ticket, on: ['branch'] },
      { ticket, by: 'U2', changes: true },
      { until: clock.at - 0.3 * total * 60_000 },
      { by: 'U2', since: clock.at - 0.8 * total * 60_000, until: clock.at - 0.3 * total * 60_000 },
      { until: 0 },
    ];
    for (const filter of filters) {
      const command = filter.command?.toLowerCase().split(/\s+/).join(' ');
      const wanted = all.filter(
        ({ record, at }) =>
          (filter.by === undefined || record.person === filter.by) &&
          (filter.in === undefined || record.channel === filter.in) &&
          (command === undefined || `${record.command} `.startsWith(`${command} `)) &&
          (filter.on === undefined || filter.on.some((name) => record.appliances.includes(name))) &&
          (filter.ticket === undefined || record.ticket?.toLowerCase() === filter.ticket) &&
          (!filter.denied || record.decision.allowed === false) &&
          (!filter.changes || record.effect !== 'read') &&
          (!filter.notUnderstood || record.decision.code === 'not_understood') &&
          (filter.since === undefined || at >= filter.since) &&
          (filter.until === undefined || at <= filter.until),
      );
      const { records, count } = await journal.findRecords(filter, 7);
      expect(count, JSON.stringify(filter)).toBe(wanted.length);
      expect(records.map(({ seq }) => seq)).toEqual(wanted.slice(0, 7).map(({ seq }) => seq));
      const before = records.at(-1)?.seq;
      if (before === undefined) continue;
      const next = await journal.findRecords(filter, 7, before);
      expect(next.records.map(({ seq }) => seq)).toEqual(wanted.slice(7, 14).map(({ seq }) => seq));
    }
  },
);

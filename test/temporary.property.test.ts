import { expect, test } from 'vitest';
import { converse } from './conversation.ts';
import { seeded, seeds } from './seeded.ts';
import { sized } from './size.ts';

const minute = 60_000;
const suites = ['TLS_AES_256_GCM_SHA384', 'TLS_AES_128_GCM_SHA256', 'ECDHE-RSA-AES256-GCM-SHA384'];
const people = ['dana', 'bob'];

/** What a person or a hand at the appliance can do to one thing of two or more values. */
interface Thing {
  readonly area: string;
  readonly values: readonly string[];
  readonly line: (value: string) => string;
  readonly read: () => string;
  /** Behind the bot's back. */
  readonly turn: (value: string) => void;
}

/**
 * The value that nobody has set for a time is what counts in the end: what was there at first, or the last that somebody has set for
 * good, in the channel or behind the bot's back. Whatever is temporary must have gone, however it overlaps and nests.
 */
test.each(seeds(sized(8, 150)))(
  'what is temporary leaves what is not, whatever came in between: %i',
  async (seed) => {
    const random = seeded(seed);
    const pick = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)] as One;
    const { type, press, pass, read, appliance, bot } = await converse();
    const { acl, rdp } = appliance.state;
    const things: readonly Thing[] = [
      {
        area: 'acl',
        values: ['enable', 'disable'],
        line: (value) => `acl object ${value} google_sni`,
        read: () => (acl.objects.get(3)?.enabled ? 'enable' : 'disable'),
        turn: (value) => Object.assign(acl.objects.get(3) ?? {}, { enabled: value === 'enable' }),
      },
      {
        area: 'rdp',
        values: suites,
        line: (value) => `rdp ciphers set ${value}`,
        read: () => rdp.tls.offered.join(' '),
        turn: (value) => Object.assign(rdp.tls, { offered: [value] }),
      },
    ];
    const lasting = things.map((thing) => thing.read());
    const edited = new Set<number>();
    const told: string[] = [];
    const say = async (line: string, verb: string) => {
      const person = pick(people);
      told.push(line);
      await type(`/appliance ${line}`, person);
      const [action] = await bot.journal.recent(1);
      if (action?.state === 'waiting') await press(verb, person).catch(() => press('Extend', person));
    };
    for (let step = 0; step < 9; step += 1) {
      const index = Math.floor(random() * things.length);
      const thing = things[index] as Thing;
      const value = pick(thing.values.filter((one) => one !== thing.read()));
      const verb = thing.values === suites ? 'Set' : value === 'enable' ? 'Enable' : 'Disable';
      const what = random();
      const rows = await bot.journal.timedChanges();
      const live = rows.filter(({ undoLine = '' }) => undoLine.startsWith(thing.area));
      // Whoever turns a switch by hand under two who have turned it may mean either of them.
      const isPlain = thing.values === suites || live.length < 2;
      // After a hand at the appliance nobody knows what the next one has seen.
      if (edited.has(index)) await pass(minute);
      else if (what < 0.7 || !isPlain)
        await say(`${thing.line(value)} --for ${1 + Math.floor(random() * 40)}m`, verb);
      else {
        // Nobody else sets these suites: it is nothing that was there before.
        const own = thing.values === suites ? 'AES128-SHA' : value;
        lasting[index] = own;
        edited.add(index);
        told.push(`behind: ${thing.line(own)}`);
        thing.turn(own);
      }
      const minutes = Math.floor(random() * 15);
      told.push(`${minutes} min`);
      await pass(minutes * minute);
    }
    for (let quarter = 0; quarter < 8; quarter += 1) await pass(15 * minute);
    const story = `${told.join('\n')}\n${read('dana')}`;
    expect(
      things.map((thing) => thing.read()),
      story,
    ).toEqual(lasting);
    // What somebody has changed behind its back is left to people, who were asked; everything else is over.
    const left = await bot.journal.timedChanges();
    expect(
      left.filter(({ state }) => state === 'on'),
      story,
    ).toEqual([]);
    if (edited.size === 0) expect(left, story).toEqual([]);
    else if (left.length > 0) expect(read('dana'), story).toContain('This was temporary and was not undone');
  },
  60_000,
);

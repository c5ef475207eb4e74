import { expect, test } from 'vitest';
import { converse } from '../conversation.ts';
import { seeded, seeds } from '../seeded.ts';
import { sized } from '../size.ts';

const minute = 60_000;
const suites = ['TLS_AES_256_GCM_SHA384', 'TLS_AES_128_GCM_SHA256', 'ECDHE-RSA-AES256-GCM-SHA384'];
const people = ['dana', 'bob'];
const site = 'example.com';

/** What a person or a hand at the appliance can do to one thing of two or more values. */
interface Thing {
  /** How the lines that change it begin. */
  readonly phrase: string;
  readonly values: readonly string[];
  readonly line: (value: string) => string;
  /** What the button says, where it asks first. */
  readonly verb: (value: string) => string;
  readonly read: () => string;
  /** Behind the bot's back. */
  readonly turn: (value: string) => void;
}

/**
 * The value that nobody has set for a time is what counts in the end: what was there at first, or the last that somebody has set for
 * good, in the channel or behind the bot's back. Whatever is temporary must have gone, however it overlaps and nests.
 */
test.each(seeds(sized(3, 60)))(
  'what is temporary leaves what is not, whatever came in between: %i',
  async (seed) => {
    const random = seeded(seed);
    const pick = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)] as One;
    const { type, press, pass, read, appliance, bot } = await converse();
    const { acl, categories, rdp } = appliance.state;
    const record = () => acl.objects.get(3)?.records.get(130);
    const target = () => [...rdp.targets.values()].find(({ name }) => name === 'srv-print-01');
    const things: readonly Thing[] = [
      // In the object that is turned itself.
      {
        phrase: 'acl record',
        values: ['enable', 'disable'],
        line: (value) => `acl record ${value} .youtube.com`,
        verb: (value) => (value === 'enable' ? 'Enable' : 'Disable'),
        read: () => (record()?.enabled ? 'enable' : 'disable'),
        turn: (value) => Object.assign(record() ?? {}, { enabled: value === 'enable' }),
      },
      // In the area of the cipher suites, and nothing to do with them.
      {
        phrase: 'rdp target',
        values: ['enable', 'disable'],
        line: (value) => `rdp target ${value} srv-print-01`,
        verb: (value) => (value === 'enable' ? 'Enable' : 'Disable'),
        read: () => (target()?.enabled === 1 ? 'enable' : 'disable'),
        turn: (value) => Object.assign(target() ?? {}, { enabled: value === 'enable' ? 1 : 0 }),
      },
      {
        phrase: 'acl object',
        values: ['enable', 'disable'],
        line: (value) => `acl object ${value} google_sni`,
        verb: (value) => (value === 'enable' ? 'Enable' : 'Disable'),
        read: () => (acl.objects.get(3)?.enabled ? 'enable' : 'disable'),
        turn: (value) => Object.assign(acl.objects.get(3) ?? {}, { enabled: value === 'enable' }),
      },
      {
        phrase: 'rdp ciphers',
        values: suites,
        line: (value) => `rdp ciphers set ${value}`,
        verb: () => 'Set',
        read: () => rdp.tls.offered.join(' '),
        turn: (value) => Object.assign(rdp.tls, { offered: [value] }),
      },
      {
        phrase: 'category',
        values: ['in', 'out'],
        line: (value) =>
          value === 'in' ? `category add ${site} to 252` : `category delete ${site} from 252`,
        verb: (value) => (value === 'in' ? 'Add' : 'Remove'),
        read: () => (categories.all.get(252)?.sites.has(site) ? 'in' : 'out'),
        turn: (value) => {
          const category = categories.all.get(252);
          if (value === 'in') category?.sites.add(site);
          else category?.sites.delete(site);
        },
      },
    ];
    /** A list that only a part of which is touched, by hand or with the bot: none of it is there in the end, and nobody is asked. */
    const list = ['d0.example', 'd1.example', 'd2.example'];
    const inList = () => list.filter((one) => categories.all.get(257)?.sites.has(one));
    const touchList = async () => {
      const [one] = inList().toSorted(() => random() - 0.5);
      if (one === undefined)
        await say(`category add ${list.join(' ')} to 257 --for ${10 + Math.floor(random() * 30)}m`, 'Add');
      else if (random() < 0.5) {
        told.push(`behind: ${one} out of 257`);
        categories.all.get(257)?.sites.delete(one);
      } else {
        await say(`category delete ${one} from 257`, 'Remove');
        if (random() < 0.3) await press('Undo', 'dana').catch(() => undefined);
      }
    };
    const lasting = things.map((thing) => thing.read());
    /** After a hand at the appliance nobody knows what the next one has seen. */
    const edited = new Set<number>();
    /** Of these something is left to people. */
    const asked = new Set<number>();
    const told: string[] = [];
    const say = async (line: string, verb: string, person = pick(people)) => {
      told.push(`@${person}: ${line}`);
      await type(`/appliance ${line}`, person);
      const [action] = await bot.journal.recent(1);
      if (action?.state === 'waiting') await press(verb, person).catch(() => press('Extend', person));
    };
    /** For good, in the channel; and sometimes it was a mistake, and is taken back at once. */
    const sayForGood = async (thing: Thing, value: string): Promise<boolean> => {
      const person = pick(people);
      await say(thing.line(value), thing.verb(value), person);
      if (random() < 0.6) return true;
      told.push(`@${person}: Undo`);
      // Of what did not happen there is none.
      return press('Undo', person).then(
        () => false,
        () => true,
      );
    };
    /** Nothing waits for what is changed beside it, nor for what came after a hand. */
    const onlyOnItsOwn = async () => {
      const rows = await bot.journal.timedChanges();
      for (const { coveredBy, undoLine = '' } of rows) {
        const upper = rows.find(({ action }) => action === coveredBy)?.undoLine;
        const { phrase = '' } = things.find((thing) => undoLine.startsWith(thing.phrase)) ?? {};
        if (upper !== undefined)
          expect(upper.startsWith(phrase), `${told.join('\n')}\n${upper} on ${undoLine}`).toBe(true);
      }
    };
    for (let step = 0; step < 12; step += 1) {
      if (random() < 0.2) await touchList();
      const index = Math.floor(random() * things.length);
      const thing = things[index] as Thing;
      const value = pick(thing.values.filter((one) => one !== thing.read()));
      const what = random();
      const rows = await bot.journal.timedChanges();
      const live = rows.filter(({ undoLine = '' }) => undoLine.startsWith(thing.phrase));
      // Whoever turns a switch under two who have turned it may mean either of them.
      const isPlain = thing.values === suites || live.length < 2;
      // Nobody else sets these suites: it is nothing that was there before.
      const own = thing.values === suites ? 'AES128-SHA' : value;
      const isEdited = edited.has(index);
      if (own === thing.read() || (isEdited && what < 0.5)) await pass(minute);
      else if (isEdited) {
        // What is then said for good counts, also where it is what was temporary before.
        if (await sayForGood(thing, own)) lasting[index] = own;
      } else if (what < 0.6 || !isPlain)
        await say(`${thing.line(value)} --for ${1 + Math.floor(random() * 40)}m`, thing.verb(value));
      else if (what < 0.68) {
        told.push('End now');
        await press('End now', 'dana').catch(() => undefined);
      } else if (what < 0.85) {
        if (await sayForGood(thing, own)) {
          lasting[index] = own;
          asked.add(index);
        }
      } else {
        lasting[index] = own;
        edited.add(index);
        asked.add(index);
        told.push(`behind: ${thing.line(own)}`);
        thing.turn(own);
      }
      const minutes = Math.floor(random() * 15);
      told.push(`${minutes} min`);
      await pass(minutes * minute);
      await onlyOnItsOwn();
    }
    for (let quarter = 0; quarter < 8; quarter += 1) await pass(15 * minute);
    const story = `${told.join('\n')}\n${read('dana')}`;
    expect(
      things.map((thing) => thing.read()),
      story,
    ).toEqual(lasting);
    // What somebody has changed behind its back is left to people, who were asked; everything else is over.
    const left = await bot.journal.timedChanges();
    expect([inList(), left.filter(({ undoLine }) => undoLine?.endsWith('from 257'))], story).toEqual([
      [],
      [],
    ]);
    expect(
      left.filter(({ state }) => state === 'on'),
      story,
    ).toEqual([]);
    if (asked.size === 0) expect(left, story).toEqual([]);
    else if (left.length > 0) expect(read('dana'), story).toContain('This was temporary and was not undone');
  },
);

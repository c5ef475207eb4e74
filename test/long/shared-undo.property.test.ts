import { expect, test } from 'vitest';
import { targetsIn } from '../../src/action/base/stored.ts';
import type { JsonObject } from '../../src/journal/journal.ts';
import { seeded, seeds } from '../seeded.ts';
import { sized } from '../size.ts';
import { withBob } from '../with-bob.ts';

const minute = 60_000;
const from = Date.UTC(2026, 2, 31, 14, 0);
/** What has parts of which each is somebody's wish, and how it is seen on the appliance which of them are there. */
interface Kind {
  readonly all: readonly string[];
  readonly add: (parts: readonly string[]) => string;
  readonly take: (part: string) => string;
  readonly verbs: readonly [string, string];
  readonly partsIn: (args: JsonObject) => readonly string[];
  readonly isThere: (with_: Awaited<ReturnType<typeof withBob>>, part: string) => boolean;
}
const kinds = {
  sites: {
    all: ['a.example', 'b.example', 'c.example', 'd.example'],
    add: (parts) => `category add ${parts.join(' ')} to 257`,
    take: (part) => `category delete ${part} from 257`,
    verbs: ['Add', 'Remove'],
    partsIn: ({ site }) => [site].flat().map(String),
    isThere: ({ category }, part) => category(257).sites.has(part),
  },
  rights: {
    all: ['drives', 'printers', 'audio', 'clipboard'],
    add: (parts) => `rdp policy change 1 --allow ${parts.join(',')}`,
    take: (part) => `rdp policy change 1 --forbid ${part}`,
    verbs: ['Change', 'Change'],
    partsIn: ({ allow, set }) =>
      [allow ?? []]
        .flat()
        .concat(Object.keys(set ?? {}).map((name) => name.replace(/^allow_/, '')))
        .map(String),
    isThere: ({ appliance }, part) =>
      Object.entries(appliance.state.rdp.policies.get(1)?.rights ?? {}).some(
        ([name, given]) => name === `allow_${part}` && given === '1',
      ),
  },
} satisfies Readonly<Record<string, Kind>>;
const people = ['bob', 'dana'];

/** What somebody has asked for, and wants until it ends, is undone, or somebody takes it away for good. */
interface Wish {
  readonly action: string;
  readonly person: string;
  readonly parts: Set<string>;
  /** None: for good. */
  readonly isTimed: boolean;
  readonly asked: number;
  /** The undo that has taken it back. */
  undone?: string | undefined;
  /** It is another wish by now, until the same end. */
  isBack?: boolean;
}

/** A part is there as long as somebody wants it, and no longer, whoever undoes what in which order. */
test.each(
  seeds(sized(6, 40)).flatMap((seed) =>
    Object.entries<Kind>(kinds).map(([name, kind]) => ({ seed, name, kind })),
  ),
)(
  '$name that several want in part are there as long as one of them wants them, whatever is undone: $seed',
  async ({ seed, kind }) => {
    const random = seeded(seed);
    const pick = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)] as One;
    const conversation = await withBob({ from });
    const { type, press, write, pass, read, appliance, bot } = conversation;
    const { policies } = appliance.state.rdp;
    for (const [id, policy] of policies) {
      const none = Object.fromEntries(Object.keys(policy.rights).map((name) => [name, '0']));
      policies.set(id, { ...policy, rights: none as typeof policy.rights });
    }
    const seen = () => kind.all.filter((one) => kind.isThere(conversation, one));
    const wishes: Wish[] = [];
    const told: string[] = [];
    let clock = 0;
    const say = async (line: string, person: string, verb: string) => {
      told.push(`@${person}: ${line}`);
      await type(`/appliance ${line}`, person);
      const [action] = await bot.journal.recent(1);
      if (action?.state === 'waiting') await press(verb, person).catch(() => press('Keep', person));
      return action === undefined ? undefined : bot.journal.byId(action.id);
    };
    const rowOf = async ({ action }: Wish) => (await bot.journal.timedChangesOf(action))[0];
    const isLive = async (wish: Wish) =>
      wish.undone === undefined && (!wish.isTimed || (await rowOf(wish))?.state !== 'over');
    const live = async () => {
      const all = await Promise.all(wishes.map(async (wish) => ((await isLive(wish)) ? [wish] : [])));
      return all.flat();
    };
    const partsOf = (action: Parameters<typeof targetsIn>[0]) =>
      new Set(kind.partsIn(targetsIn(action)[0]?.args ?? {}));
    const undo = async (id: string, person: string) => {
      const card = (await bot.journal.byId(id))?.card;
      told.push(`@${person}: undo of ${(await bot.journal.byId(id))?.line}`);
      const last = async () =>
        (await bot.journal.changesIn(from, from + 1e9)).findLast(
          ({ undoes, state }) => undoes === id && state === 'done',
        );
      const before = await last();
      await write('@appliance-bot undo', person, 'helpdesk', card);
      const after = await last();
      return after?.id === before?.id ? undefined : after;
    };
    for (let step = 0; step < 14; step += 1) {
      const what = random();
      const now = await live();
      const lately = (wish: Wish) => clock - wish.asked < 8;
      if (what < 0.5) {
        const parts = kind.all.filter(() => random() < 0.5).toSorted(() => random() - 0.5);
        const isTimed = random() < 0.7;
        const person = pick(people);
        const isSame = now.some(
          (wish) => wish.person === person && wish.parts.symmetricDifference(new Set(parts)).size === 0,
        );
        const minutes = 2 + Math.floor(random() * 30);
        // The very same by the same person is one change, of which only the end moves.
        if (parts.length > 0 && !isSame) {
          const term = isTimed ? ` --for ${minutes}m` : '';
          const action = await say(`${kind.add(parts)}${term}`, person, kind.verbs[0]);
          if (action?.state === 'done')
            wishes.push({ action: action.id, person, parts: new Set(parts), isTimed, asked: clock });
        }
      } else if (what < 0.72) {
        const own = now.filter(lately);
        const wish = own.length === 0 ? undefined : pick(own);
        if (wish !== undefined) {
          const done = await undo(wish.action, wish.person);
          if (done !== undefined) {
            wish.undone = done.id;
            // What others had left to it goes with it, and does not come back with theirs.
            for (const one of partsOf(done)) {
              const wanting = now.filter((other) => other !== wish && other.parts.has(one));
              expect(wanting, `${told.join('\n')}\ntakes ${one} from others`).toEqual([]);
              for (const other of wishes) if (other !== wish) other.parts.delete(one);
            }
          }
          await pass(1_000);
        }
      } else if (what < 0.82) {
        const taken = wishes.filter((wish) => wish.undone !== undefined && !wish.isBack && lately(wish));
        const wish = taken.length === 0 ? undefined : pick(taken);
        const again = wish?.undone === undefined ? undefined : await undo(wish.undone, wish.person);
        if (wish !== undefined && again !== undefined) {
          if (wish.isTimed)
            wishes.push({ ...wish, action: again.id, parts: partsOf(again), undone: undefined });
          if (wish.isTimed) wish.isBack = true;
          else wish.undone = undefined;
        }
      } else if (what < 0.9) {
        const there = seen();
        if (there.length > 0) {
          const one = pick(there);
          const gone = await say(kind.take(one), pick(people), kind.verbs[1]);
          if (gone?.state === 'done') for (const wish of wishes) wish.parts.delete(one);
        }
      } else {
        const minutes = Math.floor(random() * 12);
        told.push(`${minutes} min`);
        clock += minutes;
        await pass(minutes * minute);
      }
      const wanted = new Set((await live()).flatMap(({ parts }) => [...parts]));
      expect(seen(), `${told.join('\n')}\n${read('bob')}`).toEqual(kind.all.filter((one) => wanted.has(one)));
    }
    for (let quarter = 0; quarter < 4; quarter += 1) await pass(15 * minute);
    const good = new Set((await live()).filter(({ isTimed }) => !isTimed).flatMap(({ parts }) => [...parts]));
    expect(seen(), told.join('\n')).toEqual(kind.all.filter((one) => good.has(one)));
    expect(await bot.journal.timedChanges(), told.join('\n')).toEqual([]);
  },
);

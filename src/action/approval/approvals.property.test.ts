import { expect, test } from 'vitest';
import { everybody, idOf, minute, rule } from '../../../test/approval-policy.ts';
import { approvalUnit } from '../../../test/approval-unit.ts';
import { seeded } from '../../../test/seeded.ts';

/** What becomes of a request, told a second time and apart from the bot. Alice asks; carol has a second account, dana. */
interface Model {
  readonly state: 'waiting' | 'done' | 'cancelled' | 'expired';
  /** Counts what has stood on the card. */
  readonly question: number;
  readonly owner: string;
  readonly until: number;
  /** Of this question, in their order. */
  readonly yes: readonly string[];
}

/** How things are when something happens. */
interface World {
  at: number;
  /** Whose session it is. */
  owner: string;
  approvers: ReadonlySet<string>;
  askerMay: boolean;
  /** So many approvals the policy wants by now. */
  wanted: number;
  /** Whom nobody can look up. */
  hidden: ReadonlySet<string>;
}

type Event =
  | { readonly does: 'approve' | 'deny' | 'withdraw'; readonly who: string; readonly question: number }
  | { readonly does: 'tick' };

const needed = 2;
const open = 10 * minute;
const humanOf = (who: string): string => (who === 'dana' ? 'carol' : who);

function next(model: Model, event: Event, world: World): Model {
  if (model.state !== 'waiting') return model;
  const expired: Model = { ...model, state: 'expired' };
  const isOver = world.at >= model.until;
  if (event.does === 'tick') return isOver ? expired : model;
  const { does, who, question } = event;
  if (question !== model.question) return model;
  if (does === 'withdraw') return who === 'alice' ? { ...model, state: 'cancelled' } : model;
  if (isOver) return expired;
  const isKnown = (one: string) => !world.hidden.has(one) && !world.hidden.has('alice');
  const counts = (one: string) => one !== 'alice' && world.approvers.has(one) && isKnown(one);
  if (!counts(who)) return model;
  if (does === 'deny') return { ...model, state: 'cancelled' };
  if (world.wanted > needed) return model;
  const isNew = model.yes.every((one) => humanOf(one) !== humanOf(who));
  const yes = isNew ? [...model.yes, who] : model.yes;
  const isEnough = new Set(yes.filter(counts).map(humanOf)).size >= needed;
  if (!isEnough || !world.askerMay) return { ...model, yes };
  if (world.owner === model.owner) return { ...model, yes, state: 'done' };
  return { ...model, question: question + 1, owner: world.owner, until: world.at + open, yes: [] };
}

const random = seeded(20_270_104);
const below = (count: number): number => Math.floor(random() * count);
const pick = <Item>(from: readonly Item[]): Item => from[below(from.length)] as Item;
const people = ['alice', 'bob', 'carol', 'dana', 'erin', 'root'];
const other = (set: ReadonlySet<string>, who: string) => set.symmetricDifference(new Set([who]));

/** Something that only changes how things are. */
function turn(world: World, { until }: Model): void {
  const who = pick(people);
  const left = until - world.at;
  const turns = [
    () => (world.at += pick([1, minute, open / 2])),
    () => (world.at += pick([left, left - 1].filter((span) => span > 0).concat(1))),
    () => (world.owner = pick(['bob.miller', 'carla.jones'])),
    () => (world.approvers = other(world.approvers, who)),
    () => (world.askerMay = !world.askerMay),
    () => (world.wanted = world.wanted === needed ? needed + 1 : needed),
    () => (world.hidden = other(world.hidden, who)),
  ];
  pick(turns)();
}

function happening({ question }: Model): Event {
  const does = pick([
    'approve',
    'approve',
    'approve',
    'approve',
    'approve',
    'deny',
    'withdraw',
    'tick',
  ] as const);
  if (does === 'tick') return { does };
  // Somebody's window may be older than the card.
  return { does, who: pick(people), question: random() < 0.9 ? question : 1 + below(question) };
}

test('whatever people, the policy and the clock do, a request ends once, and runs only with the approvals that it needs', async () => {
  const unit = await approvalUnit({ rules: [rule({ count: needed, open })] });
  for (const who of ['carol', 'dana']) unit.people.describe(idOf(who), { human: 'W0CAROL' });
  const ends = new Set<string>();
  for (let sequence = 0; sequence < 500; sequence += 1) {
    const world: World = {
      ...{ at: unit.clock.at, owner: 'bob.miller', approvers: new Set(everybody.approver) },
      ...{ askerMay: true, wanted: needed, hidden: new Set() },
    };
    const settle = () => {
      unit.clock.at = world.at;
      unit.session.owner = world.owner;
      for (const who of people) unit.people.hide(idOf(who), world.hidden.has(who));
      const lists = {
        ...everybody,
        approver: [...world.approvers],
        helpdesk: world.askerMay ? ['alice'] : [],
      };
      unit.change({ lists, rules: [rule({ count: world.wanted, open })] });
    };
    settle();
    await unit.ask('alice');
    const tokens = [unit.token()];
    let models: readonly Model[] = [
      { state: 'waiting', question: 1, owner: world.owner, until: world.at + open, yes: [] },
    ];
    const before = unit.ran.length;
    const log: unknown[] = [];
    for (let step = 0; step < 10; step += 1) {
      const [model] = models;
      if (model === undefined || (model.state !== 'waiting' && random() < 0.5)) break;
      if (random() < 0.35) {
        turn(world, model);
        settle();
        log.push({ ...world });
        continue;
      }
      const events = random() < 0.15 ? [happening(model), happening(model)] : [happening(model)];
      log.push(...events);
      await Promise.all(
        events.map((event) => {
          if (event.does === 'tick') return unit.tick();
          const token = tokens[event.question - 1];
          if (event.does === 'deny') return unit.deny(event.who, 'no', undefined, token);
          return unit.click(event.who, event.does === 'approve' ? 'approve' : 'cancel', token);
        }),
      );
      // Of two at the same moment either may be first.
      const orders = events.length === 1 ? [events] : [events, events.toReversed()];
      models = models.flatMap((from) =>
        orders.map((order) => order.reduce((now, event) => next(now, event, world), from)),
      );
      const { state, expiresAt } = await unit.action();
      const yes = await unit.approvers();
      const runs = unit.ran.length - before;
      const told = { state, yes, runs, until: expiresAt };
      const asModelled = models.map((one) => ({
        ...{ state: one.state, yes: one.yes, runs: one.state === 'done' ? 1 : 0, until: one.until },
      }));
      expect(asModelled, JSON.stringify(log)).toContainEqual(told);
      models = models.filter((_, at) => JSON.stringify(asModelled[at]) === JSON.stringify(told));
      if (state === 'waiting' && tokens.at(-1) !== unit.token()) tokens.push(unit.token());
      // Whatever the model says.
      if (runs > 0) {
        expect(new Set(yes.map(humanOf)).size).toBeGreaterThanOrEqual(needed);
        expect(yes).not.toContain('alice');
      }
      ends.add(state);
    }
  }
  expect([...ends].toSorted()).toEqual(['cancelled', 'done', 'expired', 'waiting']);
});

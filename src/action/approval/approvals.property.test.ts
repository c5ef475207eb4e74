import { describe, expect, test } from 'vitest';
import {
  asked,
  type Event,
  humanOf,
  type Model,
  needed,
  next,
  open,
  type World,
} from '../../../test/approval-model.ts';
import { everybody, idOf, minute, rule } from '../../../test/approval-policy.ts';
import { approvalUnit } from '../../../test/approval-unit.ts';
import { seeded, seeds } from '../../../test/seeded.ts';
import { sized } from '../../../test/size.ts';

const people = ['alice', 'bob', 'carol', 'dana', 'erin', 'root'];

describe('whatever people, the policy and the clock do, a request ends once, and runs only with the approvals that it needs', () => {
  test.each(sized(seeds(3), seeds(15), seeds(40)))('in the sequences of seed %i', async (seed) => {
    const chance = chanceOf(seed);
    const unit = await approvalUnit({ rules: [rule({ count: needed, open })] });
    for (const who of ['carol', 'dana']) unit.people.describe(idOf(who), { human: 'W0CAROL' });
    const { clock, session, ran } = unit;
    const states = new Set<string>();

    for (let sequence = 0; sequence < 50; sequence += 1) {
      const world: World = {
        ...{ at: clock.at, owner: 'bob.miller', approvers: new Set(everybody.approver) },
        ...{ askerMay: true, wanted: needed, hidden: new Set() },
      };
      const bringAbout = () => {
        clock.at = world.at;
        session.owner = world.owner;
        for (const who of people) unit.people.hide(idOf(who), world.hidden.has(who));
        const helpdesk = world.askerMay ? ['alice'] : [];
        const lists = { ...everybody, approver: [...world.approvers], helpdesk };
        unit.change({ lists, rules: [rule({ count: world.wanted, open })] });
      };
      bringAbout();
      await unit.ask('alice');
      const tokens = [unit.token()];
      /** Those that are possible: of two clicks at the same moment either may be first. */
      let models: readonly Model[] = [asked(world)];
      const before = ran.length;
      const log: unknown[] = [];

      for (let step = 0; step < 10; step += 1) {
        const [model = asked(world)] = models;
        if (model.state !== 'waiting' && chance.random() < 0.5) break;
        if (chance.random() < 0.35) {
          chance.turn(world, model);
          bringAbout();
          log.push({ ...world });
          continue;
        }
        const events = Array.from({ length: chance.random() < 0.15 ? 2 : 1 }, () => chance.event(model));
        log.push(...events);
        const ranBefore = ran.length;
        await Promise.all(
          events.map((event) => {
            if (event.does === 'tick') return unit.tick();
            const token = tokens[event.question - 1];
            return event.does === 'deny'
              ? unit.deny(event.who, 'no', undefined, token)
              : unit.click(event.who, event.does, token);
          }),
        );
        const { state, expiresAt: until } = await unit.action();
        const yes = await unit.approvers();
        const found = toldOf({ state, until, yes });
        const orders = [events, events.toReversed()];
        const after = models.flatMap((from) =>
          orders.map((order) => order.reduce((now, event) => next(now, event, world), from)),
        );
        const modelled = new Map(after.map((one) => [toldOf(one), one]));
        expect([...modelled.keys()], JSON.stringify(log)).toContain(found);
        models = after.filter((one) => one === modelled.get(found));
        if (state === 'waiting' && tokens.at(-1) !== unit.token()) tokens.push(unit.token());
        // Whatever the model says.
        if (ran.length > ranBefore) {
          expect(new Set(yes.map(humanOf)).size).toBeGreaterThanOrEqual(needed);
          expect(yes).not.toContain('alice');
          expect(clock.at).toBeLessThan(until ?? 0);
        }
        expect(ran.length - before).toBe(state === 'done' ? 1 : 0);
        states.add(state);
      }
    }
    expect([...states].toSorted()).toEqual(['cancelled', 'done', 'expired', 'waiting']);
  });
});

/** What counts of it: who else has said yes, at the very moment in which it was over, does not. */
const toldOf = ({
  state,
  until,
  yes,
}: Pick<Model, 'yes'> & { readonly state: string; readonly until: unknown }) =>
  JSON.stringify(state === 'waiting' ? { state, until, yes } : { state });

function chanceOf(seed: number) {
  const random = seeded(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const pick = <Item>(from: readonly Item[]): Item => from[below(from.length)] as Item;
  const toggled = (set: ReadonlySet<string>) => set.symmetricDifference(new Set([pick(people)]));
  return {
    random,

    /** Something that only changes how things are. */
    turn: (world: World, { until }: Model): void => {
      const left = until - world.at;
      pick([
        () => (world.at += pick([1, minute, open / 2])),
        () => (world.at += pick([left, left - 1].filter((span) => span > 0).concat(1))),
        () => (world.owner = pick(['bob.miller', 'carla.jones'])),
        () => (world.approvers = toggled(world.approvers)),
        () => (world.hidden = toggled(world.hidden)),
        () => (world.askerMay = !world.askerMay),
        () => (world.wanted = world.wanted === needed ? needed + 1 : needed),
      ])();
    },

    event: ({ question }: Model): Event => {
      const does = pick(['approve', 'approve', 'approve', 'approve', 'deny', 'cancel', 'tick'] as const);
      if (does === 'tick') return { does };
      // What somebody sees may be older than the card.
      return { does, who: pick(people), question: random() < 0.9 ? question : 1 + below(question) };
    },
  };
}

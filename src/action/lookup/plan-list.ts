import type { AnyCommand } from '../../handlers/command.ts';
import type { OpenPlan, PlanBook } from '../../handlers/plan/plan-book.ts';
import { planLeave, planStop } from '../../handlers/plan/plans.commands.ts';
import {
  type Acted,
  code,
  enumerate,
  moment,
  type Offer,
  person,
  plural,
  say,
  type Text,
} from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import { referenceOf } from '../../journal/actions/reference.ts';
import type { Action } from '../../journal/journal.ts';
import type { Invocation } from '../base/chat.ts';
import { shownOf, stepsIn } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { withoutMark } from '../showing/card.ts';
import { isStopping, offerIn, standingOffersOf, stopLabel, type UndoOffer } from '../showing/kept-offer.ts';
import { explain } from '../wording/faults.ts';

/** How long a plan that has stopped can be decided about by its buttons, in milliseconds. */
const lately = 7 * 24 * 60 * 60_000;
/** More rows than anybody reads. */
const most = 100;
/** More lines that are left stand in its thread. */
const mostNamed = 20;

/** The plans of a channel, for whoever asks. */
export function planBookOf(
  parts: Pick<Parts, 'authority' | 'commandByPhrase' | 'journal' | 'notifications' | 'now'>,
  { channel, person: asker, askedIn }: Pick<Invocation, 'channel' | 'person' | 'askedIn'>,
): PlanBook {
  const { authority, commandByPhrase, journal, notifications, now } = parts;

  return {
    list: async () => {
      const phrases = [...commandByPhrase.values()].flatMap((one) => (gathers(one) ? [one.phrase] : []));
      const found = await journal.plansIn(channel, phrases, now() - lately, most);
      const here = found.filter(({ direct }) => direct === undefined || direct === askedIn?.direct);
      return (await Promise.all(here.map(openPlan))).flat();
    },

    leave: async (reference) => {
      const plan = await journal.byReference(reference);
      const command = commandByPhrase.get(plan?.phrase ?? '');
      if (plan === undefined || plan.channel !== channel || !gathers(command))
        return explain({ code: 'no_such_plan', plan: reference });
      if (!(await mayDecide(plan)))
        return {
          headline: say`Only ${person(plan.person)}, who asked for it, and those who may run plans can leave it as it is.`,
        };
      return left(plan);
    },

    stop: async (reference) => {
      const running = await runningHere();
      const there = askedIn?.below === undefined ? [] : running.filter(({ card }) => card === askedIn.below);
      const [below] = there;
      const plan = reference === undefined ? (below ?? running[0]) : await journal.byReference(reference);
      const named = reference === undefined ? say`A plan` : say`${code(reference)}`;
      if (reference === undefined && below === undefined && running.length > 1)
        return {
          headline: say`${plural(running.length, 'plan')} run in this channel: ${enumerate(running.map(({ id }) => code(referenceOf(id))))}. Nothing was stopped. Name one.`,
        };
      if (plan === undefined || !running.some(({ id }) => id === plan.id))
        return { headline: say`${named} isn’t running in this channel. Nothing was stopped.` };
      if (!(await mayDecide(plan)))
        return {
          headline: say`Only ${person(plan.person)}, who asked for it, and those who may run plans can stop it.`,
        };
      if (reference === undefined && below === undefined && plan.person !== asker)
        return {
          headline: say`${person(plan.person)} runs the only plan in this channel: ${whatOf(plan)}. Nothing was stopped so far.`,
          details: [
            {
              kind: 'offers',
              offers: [{ label: stopLabel, line: `${stopping} ${referenceOf(plan.id)}`, loud: true }],
            },
          ],
        };
      const kept = (await journal.keptOf(plan.id, 'offer')).find((one) =>
        isStopping(offerIn(one)?.line ?? ''),
      );
      if (kept === undefined)
        return { headline: say`${code(referenceOf(plan.id))} is about to begin. Try again.` };
      if ((await journal.take(kept.token, asker)) === undefined) {
        const by = (await journal.kept(kept.token))?.takenBy ?? '';
        return { headline: say`${person(by)} has stopped ${code(referenceOf(plan.id))} before.` };
      }
      await journal.wasTaken(kept.token);
      await notifications.draw(plan);
      return {
        changed: true,
        headline: say`Stopping ${code(referenceOf(plan.id))}: the line that runs is finished and read back, and none after it is begun.`,
      };
    },
  };

  /** What runs in this channel. */
  async function runningHere(): Promise<readonly Action[]> {
    const phrases = [...commandByPhrase.values()].flatMap((one) => (gathers(one) ? [one.phrase] : []));
    const found = await journal.plansIn(channel, phrases, now() - lately, most);
    return found.filter(({ state }) => state === 'running');
  }

  /** Whoever asked for it, and those who may run plans. */
  async function mayDecide(plan: Action): Promise<boolean> {
    const command = commandByPhrase.get(plan.phrase ?? '');
    if (asker === plan.person || command === undefined) return asker === plan.person;
    const asked = { args: {}, appliances: 'none', lasts: 'any' } as const;
    return (await authority.decide({ person: asker, channel, command, access: 'suggest', ...asked })).allow;
  }

  async function left(plan: Action): Promise<Acted> {
    const { id } = plan;
    const named = code(referenceOf(id));
    const standing = await waysOn(plan);
    const taken = standing.find(({ takenBy }) => takenBy !== undefined);
    if (taken !== undefined) {
      // A crash may have come before its card said so.
      await notifications.draw(plan);
      const by = person(taken.takenBy ?? '');
      return {
        headline:
          taken.became === undefined
            ? say`${by} has pressed ${taken.label ?? ''} for ${named} before. Nothing was done.`
            : say`${by} was first: ${named} is continued or rolled back with ${code(referenceOf(taken.became.id))}. Nothing was done.`,
      };
    }
    const kept = (await journal.keptOf(id, 'offer')).find(
      (one) => offerIn(one)?.line === `${leaving} ${referenceOf(id)}`,
    );
    if (kept !== undefined && (await journal.take(kept.token, asker)) === undefined) return left(plan);
    if (kept === undefined)
      return { headline: say`${named} has not stopped, or was decided about before. Nothing was done.` };
    const words = await endOf(plan);
    const back = await whatStays(plan);
    await journal.wasTaken(kept.token);
    await notifications.draw(plan);
    await notifications.add(plan, say`${person(asker)} leaves the plan as it is. ${words} ${back}`);
    return { changed: true, headline: say`The plan ${named} ends as it is. ${words} ${back}` };
  }

  /** What becomes of what was done: it stays, but for what is for a time. */
  async function whatStays({ id, plan: root }: Action): Promise<Text> {
    const back = code(`plan rollback ${referenceOf(root ?? id)}`);
    const runs = root === undefined ? [id] : [root, id];
    const steps = (await Promise.all(runs.map((run) => journal.stepsOf(run)))).flat();
    const rows = (await Promise.all(runs.map((run) => journal.timedChangesOfPlan(run)))).flat();
    const timed = rows.filter(({ state }) => state !== 'over');
    if (timed.length === 0) return say`Finished lines stay; ${back} undoes them.`;
    const isAll = steps.every(
      (step) => step.state !== 'done' || timed.some(({ action }) => action === step.id),
    );
    const [end, ...others] = new Set(timed.map(({ endsAt }) => endsAt));
    if (!isAll)
      return say`Temporary lines are undone at their end, and the others stay; ${back} undoes all of it.`;
    return others.length > 0 || end === undefined
      ? say`Each line that was done is undone at its own end; ${back} undoes it before.`
      : say`Finished lines last until ${when(end, now())}; ${back} undoes them before.`;
  }

  /** Every line that nothing came of. */
  async function endOf(plan: Action): Promise<Text> {
    const steps = stepsIn(plan);
    const last = (await journal.stepsOf(plan.id)).at(-1);
    const at = last?.step ?? 0;
    const isLeft = last?.state === 'refused' || last?.outcome?.code === 'not_begun';
    const isRun = !isLeft && (last?.state === 'failed' || last?.state === 'unknown');
    const stopped = isRun ? steps.slice(at - 1, at) : [];
    const rest = steps.slice(isLeft ? at - 1 : at);
    const named = (some: typeof steps): Text => {
      const names = some.map(({ number, line }) => say`line ${number} (${code(line)})`);
      const more = names.length - mostNamed;
      return enumerate(more <= 0 ? names : [...names.slice(0, mostNamed), say`${plural(more, 'more line')}`]);
    };
    const how = last?.state === 'unknown' ? 'Outcome unknown' : 'Failed';
    return [
      ...(stopped.length === 0 ? [] : say`${how}: ${named(stopped)}. `),
      ...(rest.length === 0 ? say`No line is left.` : say`Not run: ${named(rest)}.`),
    ];
  }

  async function openPlan(plan: Action): Promise<readonly OpenPlan[]> {
    const { id, person: by, channel: place, card, direct, ticket, createdAt } = plan;
    const stands = await standsOf(plan);
    if (stands === undefined) return [];
    return [
      {
        person: by,
        channel: place,
        ticket,
        asked: createdAt,
        reference: referenceOf(id),
        what: whatOf(plan),
        card: direct === undefined ? card : undefined,
        ...stands,
      },
    ];
  }

  /** Undefined of what has stopped and was decided about. */
  async function standsOf(plan: Action): Promise<Pick<OpenPlan, 'stands' | 'buttons'> | undefined> {
    const { state, token, consent, runAt, line, outcome } = plan;
    const cancel: readonly Offer[] =
      token === undefined ? [] : [{ label: 'Cancel', line, standing: { press: 'cancel', token } }];
    if (state === 'waiting')
      return {
        stands: say`waits for ${consent === undefined ? 'confirmation' : 'approval'}`,
        buttons: cancel,
      };
    if (state === 'planned' && runAt !== undefined)
      return { stands: say`is planned for ${moment(runAt)}`, buttons: cancel };
    if (state !== 'failed' && state !== 'unknown') {
      const at = (await journal.stepsOf(plan.id)).at(-1)?.step ?? 1;
      const stop = (await standingOffersOf(journal, plan.id)).find((one) => isStopping(one.line));
      const isOpen = stop !== undefined && stop.takenBy === undefined;
      const standing = { press: 'offer', token: stop?.token ?? '' } as const;
      return {
        stands: say`is running: ${at} of ${stepsIn(plan).length} lines`,
        buttons: isOpen ? [{ label: stopLabel, line, standing }] : [],
      };
    }
    const standing = await waysOn(plan);
    if (standing.length === 0 || standing.some(({ takenBy }) => takenBy !== undefined)) return undefined;
    return {
      stands: say`${outcome?.headline ?? outcome?.says ?? 'has stopped'}`,
      buttons: standing.map(({ label = 'Undo', token: of }) => ({
        label,
        line,
        standing: { press: 'offer', token: of } as const,
      })),
    };
  }

  /** What its card offers where it has stopped. */
  async function waysOn({ id }: Action): Promise<readonly UndoOffer[]> {
    return (await standingOffersOf(journal, id)).filter(
      ({ label, line }) => label !== undefined && !isStopping(line),
    );
  }
}

const gathers = (command: AnyCommand | undefined): command is AnyCommand =>
  command?.kind === 'change' && command.gathers !== undefined;

/** "Run this plan of 5 lines on hq" */
function whatOf(plan: Action): Text {
  const shown = shownOf(plan);
  return shown === undefined ? say`${code(plan.line)}` : withoutMark(shown.question);
}

/** What the buttons for it stand for. */
const stopping = planStop.phrase.replace(/ \[.*$/, '');
const leaving = planLeave.phrase.replace(/ <.*$/, '');

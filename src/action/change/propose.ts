import { shippedBulk } from '../../auth/policy.ts';
import type { Arguments, Lasts } from '../../auth/request.ts';
import { countIn } from '../../auth/rule.ts';
import type { AnyChange, AnyCommand } from '../../handlers/command.ts';
import type { TypedTerm } from '../../handlers/language/term.ts';
import type { PlannedStart } from '../../handlers/planned/words.ts';
import {
  channel as channelSpan,
  code,
  type Field,
  type MovedEnd,
  person,
  type Span,
  say,
  type Text,
} from '../../handlers/reply.ts';
import type { Fingerprint } from '../../handlers/results.ts';
import type { Action, ToSend } from '../../journal/journal.ts';
import type { Approvals } from '../approval/approvals.ts';
import { freezeAtEnd } from '../authority/freeze-over.ts';
import type { Invocation, Listener } from '../base/chat.ts';
import { type Consent, isDelegated } from '../base/consent.ts';
import {
  changeOf,
  type Shown,
  shownToStore,
  type Target,
  type Temporary,
  withSources,
} from '../base/stored.ts';
import type { After } from '../base/timeout.ts';
import type { Parts } from '../ground/ground.ts';
import { heldByOthers, onAlready, wantedByOthers } from '../holding/holders.ts';
import type { ResolutionOn } from '../lookup/lookup.ts';
import type { Delivered } from '../outbox/delivered.ts';
import { hold, startOf } from '../planned/hold.ts';
import { drawCard } from '../showing/messages.ts';
import { showLooks } from '../showing/previews.ts';
import { identityIn, identityOn, otherAppliance } from '../target/identity.ts';
import { faultIn, isNothing, previewOn, type TargetPreview } from '../target/target.ts';
import { codeOf, explain, type Fault, outcomeOf } from '../wording/faults.ts';
import { inView, newQuestion, showObstacles } from './question.ts';
import type { Run } from './run.ts';
import type { Gathering } from './supervision.ts';
import {
  asTemporary,
  endFrom,
  endMovedBy,
  endsBefore,
  lastingOf,
  madeOn,
  whoseEnd,
  withEnd,
  withStart,
} from './temporary.ts';

/** What was asked for is looked at, and put before those who decide; what can be put back runs at once. */
export interface Proposals {
  /**
   * Takes the preview. What can be put back runs at once; anything else becomes a card with buttons in the channel, for
   * whoever asked or for those whose consent it takes.
   */
  readonly propose: (to: Invocation, action: Action, command: AnyChange, proposed: Proposed) => Promise<void>;
  /**
   * Puts what only tells something before those whose consent it takes, as it was typed: a lookup, an info, what a change
   * would send. `left`: where it could not be asked, and why.
   */
  readonly request: (
    to: Invocation,
    action: Action,
    command: AnyCommand,
    targets: readonly Target[],
    left: readonly Field[],
    consent: Consent,
  ) => Promise<void>;
  /** Puts what several changes would do together before those who must agree to it; runs it, where that was agreed to before. */
  readonly put: (
    to: Invocation,
    action: Action,
    shown: Shown,
    consent: Consent | undefined,
    how: { readonly isAgreed: boolean; readonly more: readonly ToSend[] },
  ) => Promise<void>;
}

/** What a change was asked for. */
export interface Proposed {
  readonly resolutions: readonly ResolutionOn[];
  readonly consent: Consent | undefined;
  /** How long it is to last. */
  readonly term: TypedTerm | undefined;
  /** When it is to run, where that is not now. */
  readonly start?: PlannedStart | undefined;
  /** Only the end of what an action has made temporary moves, called by what was confirmed then. */
  readonly moves?: readonly [MovedEnd, Fingerprint] | undefined;
  /** The same as it was decided by. */
  readonly lasts: (args: Arguments) => Lasts;
}

export interface ProposalParts extends Parts {
  readonly approvals: Pick<Approvals, 'obstacle'>;
  readonly run: Run;
  /** Asked for later than this is built: it builds on it. */
  readonly gathering: () => Gathering;
  readonly after: After;
}

export function createProposals(parts: ProposalParts): Proposals {
  const { approvals, journal, whisper, outbox, contexts, secretStore, now, sleep, run } = parts;

  return {
    propose: async (to, written, asked, proposed) => {
      let action = written;
      const { resolutions, consent, term, start, lasts } = proposed;
      const origin = to.undo ? to.origin : undefined;
      const lasting = proposed.moves ? { temporary: undefined } : lastingOf(parts, term, start);
      if ('code' in lasting) return refuse(to, action, lasting);
      const named = proposed.moves && (await endMovedBy(parts, asked, ...proposed.moves));
      if (named !== undefined && 'code' in named) return refuse(to, action, named);
      let { command, temporary } = named ?? { command: asked, ...lasting };
      let looks = await inView(parts, to, lookAt(action, command, resolutions, temporary, origin));
      const isDone = named === undefined && looks.every(isNothing) && !to.undo;
      const until = endFrom(start?.at ?? now(), temporary);
      const wanting = { until, person: whoseEnd(to) };
      const on = isDone ? await onAlready(parts, asked, wanting, madeOn(asked, resolutions)) : undefined;
      if (on !== undefined && start !== undefined && on.ends <= start.at)
        return refuse(to, action, endsBefore(on.ends, start, now()));
      if (on !== undefined && 'fault' in on) return refuse(to, action, on.fault);
      if (on !== undefined) {
        ({ command, temporary } = on);
        // What moves an end is done for the ticket of what it moves.
        const ticket = action.ticket ?? (await journal.byId(temporary.extends ?? ''))?.ticket;
        action = { ...action, ticket };
        looks = await lookAt(action, command, resolutions, temporary, origin);
      }
      // On several appliances, what is on already on one of them is left alone there.
      else if (!isDone && named === undefined && !to.undo && looks.some(isNothing))
        looks = await withHeld(asked, until, resolutions, looks);
      const bare = showLooks(command, looks);
      const looked = bare && withSources(bare, to.sources);
      const endsAt = temporary?.early ? undefined : endFrom(start?.at ?? now(), temporary);
      const seen =
        looked &&
        withStart(
          withEnd(
            ...([looked, temporary, now(), ({ args }: Target) => lasts(args)] as const),
            endsAt === undefined ? undefined : freezeAtEnd(parts.authority, asked, looked.targets, endsAt),
          ),
          start,
        );
      // Whoever may not run it does not learn what there is by being refused: that is for those who may.
      const isHidden =
        seen === undefined &&
        consent !== undefined &&
        to.accessRequest === true &&
        to.forSite === undefined &&
        isDelegated({ consent });
      const shown = isHidden ? withStart(showObstacles(action, command, resolutions, looks), start) : seen;
      if (shown === undefined) return refuse(to, action, bareIn(to, faultIn(looks)));
      // An undo was agreed to by its click. What hits several appliances, is much, or was guessed, is a question whatever its effect.
      const isMove = temporary?.extends !== undefined;
      const isKept = isMove && endsAt === undefined && temporary?.early !== true;
      const { askAbove } = parts.authority.policy().bulk ?? shippedBulk;
      const isBulk = shown.targets.some(({ args }) => countIn(args) > askAbove);
      const isBroad = looks.some((one) => one.kind === 'ready' && one.preview.asksFirst === true);
      const isQuestion = looks.length !== 1 || to.guess === true || isKept || isBulk || isBroad;
      const runsAtOnce = command.effect === 'write' && !isQuestion;
      const of = temporary?.early ? temporary.extends : to.origin?.id;
      const wanted =
        isMove && of === undefined ? [] : await wantedByOthers(parts, { action, command, of, looks });
      const isAgreed = ((to.agreed === true && !isKept) || runsAtOnce) && wanted.length === 0;
      return isAgreed && consent === undefined
        ? runAtOnce(to, action, command, shown)
        : ask(to, action, { ...shown, fields: [...shown.fields, ...wanted] }, consent);
    },

    request: (to, action, command, targets, left, consent) => {
      const question = wishes[command.kind](person(action.person), code(action.line));
      return ask(to, action, { question, fields: left, targets }, consent);
    },

    put: async (to, action, shown, consent, { isAgreed, more }) => {
      const command = changeOf(parts.commandByPhrase, action);
      return isAgreed && consent === undefined && command !== undefined
        ? runAtOnce(to, action, command, shown)
        : ask(to, action, shown, consent, more);
    },
  };

  function lookAt(
    action: Action,
    command: AnyChange,
    resolutions: readonly ResolutionOn[],
    temporary: Temporary | undefined,
    /** What it takes back, which must be the same appliance. */
    origin: Action | undefined,
  ): Promise<readonly TargetPreview[]> {
    return Promise.all(
      resolutions.map(async ({ appliance, result }): Promise<TargetPreview> => {
        if (!result.ok) return { kind: 'fault', appliance: appliance.name, fault: result.fault };
        const context = contexts.asking(action, result.resolved);
        const agreed = origin && identityOn(origin, appliance.name);
        const look = await previewOn(command, result.resolved, context, agreed);
        const found = look.kind === 'ready' ? identityIn(look.preview.fingerprint) : undefined;
        const other = otherAppliance(appliance.name, agreed, found);
        if (other !== undefined) {
          const why = say`${other} The change to undo was made on the former one. If it is the same one, with another release, type ${code(`/appliance ${action.line}`)}.`;
          return { kind: 'fault', appliance: appliance.name, fault: { code: 'nothing_to_act_on', why } };
        }
        return temporary === undefined ? look : asTemporary(parts, command, temporary, look);
      }),
    );
  }

  /** With until when it is on, where there is nothing to do because somebody has it on for a time. */
  function withHeld(
    command: AnyChange,
    until: number | undefined,
    resolutions: readonly ResolutionOn[],
    looks: readonly TargetPreview[],
  ): Promise<readonly TargetPreview[]> {
    return Promise.all(
      looks.map(async (look, index): Promise<TargetPreview> => {
        const resolution = resolutions[index];
        if (!isNothing(look) || resolution === undefined) return look;
        const held = await heldByOthers(parts, command, until, madeOn(command, [resolution]));
        return held === undefined
          ? look
          : { kind: 'fault', appliance: resolution.appliance.name, fault: held.fault };
      }),
    );
  }

  /** There is nothing to act on anywhere, or nobody may any more. */
  async function refuse(to: Listener, action: Action, fault: Fault): Promise<void> {
    const reply = explain(fault);
    const state = fault.code === 'appliance' || fault.code === 'file' ? 'failed' : 'refused';
    const code = fault.code === 'appliance' ? fault.failure.code : codeOf(fault);
    await journal.move(action, state, { outcome: { ...outcomeOf(fault), code } });
    await secretStore.forget(action.id);
    return whisper(to, reply, action.id);
  }

  async function runAtOnce(to: Listener, action: Action, command: AnyChange, shown: Shown): Promise<void> {
    const preview = shownToStore(shown);
    const { ticket } = action;
    const later = startOf({ preview }, now());
    // The look took its time, and a role may be gone since it was asked.
    const obstacle = await approvals.obstacle({ ...action, preview }, command);
    if (obstacle !== undefined) return refuse(to, action, obstacle);
    if (later !== undefined) return hold(parts, to, action, later, { preview, ticket });
    const messages = [drawCard(action, 'running')];
    const running = await journal.move(action, 'running', { preview, ticket, messages });
    if (running === undefined) return;
    const delivered = await cardOf(running, messages);
    // What nobody can see is not done.
    if (delivered.kind !== 'sent') {
      const waits = delivered.kind === 'later' ? delivered : undefined;
      const unseen: Fault = {
        ...{ code: 'cannot_post', isOrder: true, reason: delivered.code },
        ...(waits && { waits }),
      };
      await journal.move(running, 'failed', { outcome: outcomeOf(unseen) });
      await secretStore.forget(running.id);
      return whisper(to, explain(unseen));
    }
    const begun = (await journal.byId(running.id)) ?? running;
    return (command.gathers === undefined ? run : parts.gathering().run)(to, begun, command);
  }

  /** What Slack has not confirmed is looked for, and sent again where it is not there: the change goes on with its card. */
  async function cardOf(running: Action, messages: readonly ToSend[]): Promise<Delivered> {
    const first = await outbox.deliver(messages, running);
    if (first.kind !== 'later' || !first.mayStand) return first;
    let last: Delivered = first;
    for (let waited = 0; last.kind === 'later' && waited < longestLook; waited += look) {
      await sleep(look);
      const next = await outbox.deliver(messages);
      last = next.kind === 'later' ? { ...next, mayStand: true } : next;
      // Whoever else was at it has noted where it stands.
      if (last.kind === 'later' && (await journal.byId(running.id))?.card !== undefined)
        return { kind: 'sent' };
    }
    return last;
  }

  async function ask(
    to: Listener,
    action: Action,
    shown: Shown,
    consent: Consent | undefined,
    more: readonly ToSend[] = [],
  ): Promise<void> {
    const messages = [drawCard(action, 'waiting'), ...more];
    // Nobody else sees a direct message: what others must approve, or must see, is asked where they are.
    const isOthers =
      action.direct !== undefined &&
      (consent !== undefined || isTimed(parts.commandByPhrase.get(action.phrase ?? '')));
    const waiting = await journal.move(action, 'waiting', {
      ...newQuestion(now(), shown, consent),
      inChannel: isOthers,
      ticket: action.ticket,
      messages,
    });
    if (waiting === undefined) return;
    const delivered = await outbox.deliver(messages, waiting);
    // A question that comes late is still one, until its time is over.
    if (delivered.kind !== 'refused') {
      if (isOthers)
        await whisper(to, {
          headline: say`Posted in ${channelSpan(action.channel)}, where others see it: ${code(action.line)}.`,
        });
      return;
    }
    const fault: Fault = { code: 'cannot_post', isOrder: true, reason: delivered.code };
    const outcome = outcomeOf(fault);
    const cancelled = await journal.move(waiting, 'cancelled', { outcome }, waiting.token);
    if (cancelled !== undefined) await whisper(to, explain(fault));
  }
}

/** In milliseconds: how often, and for how long, a card is looked for that Slack has not confirmed. Somebody waits for it. */
const look = 1_000;
const longestLook = 20_000;

const isTimed = (command: AnyCommand | undefined): boolean =>
  command?.kind === 'change' && command.timed !== undefined;

/** An undo is about one thing, and nothing else is offered in its place. */
function bareIn({ undo }: Invocation, fault: Fault): Fault {
  return undo && fault.code === 'nothing_to_act_on' ? { code: fault.code, why: fault.why } : fault;
}

/** What somebody wants to be told, as a question to those who may agree. */
const wishes: Readonly<Record<AnyCommand['kind'], (asker: Span, line: Span) => Text>> = {
  lookup: (asker, line) => say`Look this up for ${asker}: ${line}?`,
  info: (asker, line) => say`Tell ${asker} this: ${line}?`,
  change: (asker, line) => say`Show ${asker} what this would send: ${line}?`,
};

import { type Caller, itself, onBehalfOf } from '../caller.ts';
import type { AnyCommand } from '../handlers/command.ts';
import { JournalUnavailable } from '../journal/unavailable.ts';
import { createAlarm } from './approval/alarm.ts';
import { createRequestBook } from './ask/request-book.ts';
import { createSiteRequests, type SiteRequests } from './ask/site-requests.ts';
import { createFirstSteps, type FirstSteps } from './background/first-steps.ts';
import { createAuditCheck, createLifecycle, type Lifecycle } from './background/lifecycle.ts';
import { createRecovery } from './background/recovery.ts';
import { createReplicaWatch } from './background/replica-watch.ts';
import { createRestoreCheck } from './background/restored.ts';
import type { Invocation, Listener, Press, Submission, SubmissionResult } from './base/chat.ts';
import type { Choosable, Query } from './base/form.ts';
import { outside } from './base/request-log.ts';
import { after } from './base/timeout.ts';
import { createWorkInFlight, type WorkInFlight } from './base/work-in-flight.ts';
import { createApplies } from './change/apply.ts';
import { createConfirmation } from './change/confirmation.ts';
import { createRunner } from './change/run.ts';
import { createDueStage, type DueStage } from './due/due.ts';
import { createBuilder, type Opening } from './forms/builder.ts';
import { createForms } from './forms/forms.ts';
import { createParts, type Ground } from './ground/ground.ts';
import { createHistory } from './history/history.ts';
import { createRecorder, type TraceBook } from './history/recorder.ts';
import { createHealth } from './home/health.ts';
import { homePage } from './home/home.ts';
import { createViewers } from './home/viewers.ts';
import { createWaitsFor } from './home/waits.ts';
import { createDirect } from './intake/direct.ts';
import { createGuard } from './intake/guard.ts';
import { createIntake, type Intake } from './intake/intake.ts';
import { createThings } from './intake/known-things.ts';
import { createResults } from './intake/results.ts';
import { createShortcuts, type MessageShortcut, wordless } from './intake/shortcuts.ts';
import { createTurnAway } from './intake/turned-away.ts';
import { createApplianceLocks } from './lock/appliance-locks.ts';
import { createDryRuns } from './lookup/dry-run.ts';
import { createInfos, type InfoParts } from './lookup/info.ts';
import { createLookups } from './lookup/lookup.ts';
import { createWebhookDispatcher, type WebhookOptions } from './outbox/webhook-dispatcher.ts';
import { createPlans } from './plan/plans.ts';
import { createMayCancel } from './planned/cancel.ts';
import { tellHeldUp } from './showing/present.ts';
import { createRequests } from './taking/requests.ts';
import { createTimedChanges } from './timed/timed-changes.ts';
import { createWatches } from './watch/looks.ts';
import { explain, journalFault } from './wording/faults.ts';
import type { EndStep } from './workflow/declared.ts';
import { createSteps, type Steps } from './workflow/steps.ts';

/** Everything that people can do, and what follows from it. */
export interface Actions extends Lifecycle {
  readonly ask: Intake['ask'];
  readonly read: Intake['read'];
  readonly readWithAnswer: Intake['readWithAnswer'];
  /** Tells whoever has edited a message that it does nothing. */
  readonly edited: (invocation: Invocation) => Promise<void>;
  readonly press: (press: Press) => Promise<void>;
  readonly submit: (submission: Submission) => Promise<SubmissionResult>;
  readonly search: (query: Query) => Promise<readonly Choosable[]>;
  readonly shortcut: (shortcut: MessageShortcut) => Promise<void>;
  /** A step of a workflow. */
  readonly step: Steps['run'];
  readonly build: (opening: Opening) => Promise<void>;
  /** Shows somebody their own page, unless they have been shown it often enough, and keeps it true from then on. */
  readonly openHome: (person: string) => Promise<void>;
  /** Sites that people ask for who may not allow them. */
  readonly siteRequests: SiteRequests;
  readonly tellFrozen: DueStage['tellFrozen'];
  readonly firstSteps: FirstSteps;
  readonly work: WorkInFlight;
}

/** What the way of an action is built on. */
export interface ActionsOptions extends Ground {
  readonly commands: readonly AnyCommand[];
  readonly endStep: EndStep;
  /** Undefined where no traces are made. */
  readonly traces?: TraceBook | undefined;
  readonly webhooks: WebhookOptions;
  /** Calls back again and again, until it is called off by what it returns. */
  readonly every: (milliseconds: number, callback: () => void) => () => void;
}

type TakePress = (press: Press) => Promise<void>;

/** Builds the stages of the way of an action, each with those that it works with. */
export function createActions(options: ActionsOptions): Actions {
  const { commandByPhrase, policy, log } = options;
  const parts = { ...options, ...createParts(options), after };
  const { journal, whisper } = parts;

  const explained = (why: Parameters<typeof explain>[0] | JournalUnavailable) =>
    explain(why instanceof JournalUnavailable ? journalFault(why) : why);
  const work = createWorkInFlight((listener, why) => whisper(listener, explained(why)), log);
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  // It belongs to no action any more.
  const later: WorkInFlight['later'] = (task) => outside(() => onBehalfOf(itself, () => work.later(task)));

  // The stages, in the order of their folders: each is given those before it that it works with.
  // history/: until it is known whether the chain goes on, nothing is written into it.
  const restored = createRestoreCheck(parts);
  const recording = {
    ...journal,
    record: async (...given: Parameters<typeof journal.record>) =>
      restored.isKnown() ? journal.record(...given) : 0,
  };
  const recorder = createRecorder(commandByPhrase, policy.current, log, options.traces);
  const historyOf = createHistory({ ...parts, journal: recording, recorder });
  // lookup/
  const lookups = createLookups(parts);
  const dryRuns = createDryRuns(parts);
  const siteRequests = createSiteRequests({
    ...parts,
    later: work.later,
    ask: (invocation) => flow.ask(invocation),
  });
  const requestBook = createRequestBook({
    ...{ ...parts, siteRequests },
    cancel: (...asked) => confirmation.cancelRequest(...asked),
  });
  const mayCancel = createMayCancel({ ...parts, bar: (...asked) => confirmation.bar(...asked) });
  const own: Pick<InfoParts, 'mayCancel' | 'moveTo' | 'barTo' | 'requestBook' | 'waitsFor'> = {
    mayCancel,
    requestBook,
    moveTo: (...asked) => due.reschedule.typed(...asked),
    barTo: (...asked) => due.reschedule.bar(...asked),
    waitsFor: (...asked) => waitsFor(...asked),
  };
  const infos = createInfos({ ...parts, ...own, lookups, historyOf });
  const answering = { lookups, dryRuns, infos };
  // approval/
  const alarm = createAlarm(parts);
  // lock/, timed/ and change/
  const locks = createApplianceLocks({ ...parts, stopping: stopping.signal });
  const applies = createApplies({ ...parts, locks }, later);
  const timedChanges = createTimedChanges({ ...parts, applies, locks }, later);
  const changing = { applies, supervision: timedChanges, locks, stopping: stopping.signal };
  const running = createRunner({ ...parts, ...changing, obstacle: (...asked) => obstacle(...asked) });
  const gathering = () => plans;
  const confirmation = createConfirmation({ ...parts, ...answering, run: running.run, gathering, alarm });
  const { obstacle, begin } = confirmation;
  const due = createDueStage({ ...parts, obstacle, begin, gathering }, later);
  // plan/
  const requests = createRequests(parts);
  const plans = createPlans({
    ...parts,
    ...changing,
    running,
    proposals: confirmation,
    obstacle,
    admit: requests.admit,
  });
  // intake/
  const guard = createGuard(parts);
  const forms = createForms(parts);
  const things = createThings(parts);
  const results = createResults(parts);
  const flow = createIntake({
    ...parts,
    ...answering,
    plans,
    confirmation,
    forms,
    guard,
    requests,
    things,
    results,
  });
  const direct = createDirect({ ...parts, read: flow.read });
  const builder = createBuilder({ ...parts, read: flow.read });
  const shortcut = createShortcuts(parts, flow);
  const turnAway = createTurnAway(parts);
  // home/
  const homeParts = {
    ...parts,
    confirmation,
    health: createHealth({ ...parts, changed: () => viewers.changed() }),
  };
  const waitsFor = createWaitsFor(homeParts);
  const viewers = createViewers({
    ...parts,
    page: (person) => homePage(homeParts, person),
    show: options.showHome,
  });
  // watch/ and workflow/
  const watches = createWatches({
    ...parts,
    read: flow.read,
    ask: (invocation) => taking(invocation, () => flow.ask(invocation)),
  });
  const steps = createSteps({ ...parts, read: flow.read, ask: typed });
  // background/
  const firstSteps = createFirstSteps(parts);
  const recover = createRecovery({ ...parts, running, gathering: plans });
  const watch = createReplicaWatch({ ...parts, later });
  const webhooks = createWebhookDispatcher({ ...parts, ...options.webhooks, isStopping });
  const lifecycle = createLifecycle({
    ...parts,
    journal: recording,
    audit: () => policy.current().audit,
    stopping,
    work,
    confirmation,
    applies,
    timedChanges,
    ...due,
    viewers,
    watches,
    steps,
    webhooks,
    watch,
    restored,
    recover,
    recorder,
    checkAudit: createAuditCheck(parts, log),
  });

  /** What a click counts as (`Guard`), and what answers it. */
  const buttons: Readonly<Record<Press['button'], [countsAs: 'decided' | 'clicked', TakePress]>> = {
    confirm: ['decided', confirmation.press],
    cancel: ['decided', confirmation.press],
    approve: ['decided', confirmation.press],
    deny: ['clicked', confirmation.press],
    offer: ['decided', flow.pressOffer],
    form: ['clicked', forms.press],
    build: ['clicked', builder.press],
    page: ['clicked', results.press],
    filter: ['clicked', results.press],
    export: ['clicked', results.press],
    reschedule: ['clicked', due.reschedule.press],
  };

  return {
    ask: (invocation) =>
      // A form that was taken goes on as what it became.
      isStopping() && invocation.form === undefined ? turnAway.line(invocation) : typed(invocation),
    read: flow.read,
    readWithAnswer: flow.readWithAnswer,
    edited: (invocation) =>
      taking(invocation, () =>
        guard.typed(invocation, () =>
          direct.asked(invocation, (there) => whisper(there, explain({ code: 'edited' }))),
        ),
      ),
    press: (press) => {
      if (isStopping()) return turnAway.click(press);
      return taking(press, async () => {
        const there = await direct.pressed(press);
        if (there === undefined) return;
        const fault = await restored.isLost(there);
        if (fault !== undefined) return parts.interactionLog.decline(there, {}, fault);
        const [countsAs, answer] = buttons[press.button];
        return guard[countsAs](there, () => answer(there));
      });
    },
    submit: async (submission) => {
      try {
        if (isStopping()) return await turnAway.form(submission);
        return (
          following('low', await results.submit(submission)) ??
          following('high', await confirmation.submit(submission)) ??
          following('high', await due.reschedule.submit(submission)) ??
          (await builder.submit(submission)) ??
          (await forms.submit(submission))
        );
      } catch (error) {
        if (!(error instanceof JournalUnavailable)) throw error;
        return { kind: 'over', why: explain(journalFault(error)).headline };
      }
    },
    search: async (query) =>
      (await guard.unless(
        query.person,
        'search',
        async () => (await builder.search(query)) ?? forms.search(query),
      )) ?? [],
    shortcut: (taken) =>
      isStopping()
        ? turnAway.shortcut(taken)
        : taking(taken, () => guard.typed({ ...taken, line: '' }, () => shortcut(taken))),
    step: (step, acknowledge) =>
      isStopping() ? steps.turnAway(step, acknowledge) : steps.run(step, acknowledge),
    build: (opening) => {
      if (isStopping()) return turnAway.shortcut(opening);
      return taking(opening, () => guard.opened(opening, () => builder.open(opening)));
    },
    openHome: async (person) => {
      await guard.unless(person, 'home', () => viewers.opened(person));
    },
    siteRequests,
    tellFrozen: due.tellFrozen,
    firstSteps,
    work,
    ...lifecycle,
  };

  function typed(invocation: Invocation): Promise<void> {
    return taking(invocation, () => guard.typed(invocation, () => direct.asked(invocation, askOrLook)));
  }

  /** What comes without a word, with files or a forwarded message, is answered as by the shortcuts of that message. */
  function askOrLook(invocation: Invocation): Promise<void> {
    const handed = wordless(invocation);
    return handed === undefined ? flow.ask(invocation) : shortcut(handed);
  }

  /** Takes what somebody has typed or pressed, on their behalf. */
  function taking(listener: Listener, task: () => Promise<void>): Promise<void> {
    const { person } = listener;
    const heldUp = tellHeldUp(whisper, listener);
    return onBehalfOf({ person, priority: 'high', heldUp }, task).finally(viewers.changed);
  }

  /** What follows a form that closes is on behalf of whoever has sent it. */
  function following(
    priority: Caller['priority'],
    settled: SubmissionResult | undefined,
  ): SubmissionResult | undefined {
    if (settled?.kind !== 'closed') return settled;
    const { listener, follow } = settled;
    const followed = () => onBehalfOf({ person: listener.person, priority }, follow);
    return { ...settled, follow: () => followed().finally(viewers.changed) };
  }
}

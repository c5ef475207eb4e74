import { z } from 'zod';
import { type ApplianceFailure, isApplianceFailure, Refused } from '../../api/index.ts';
import { codec, optional, type Stored } from '../../codec.ts';
import type { ChangeDeclaration } from '../../handlers/command.ts';
import { FileFailure, type OnAppliance } from '../../handlers/context.ts';
import { type Part, say, type Text } from '../../handlers/reply.ts';
import type { Fingerprint, Ran, Verification } from '../../handlers/results.ts';
import type { NotedEvent } from '../../journal/actions/events.ts';
import { JournalUnavailable } from '../../journal/unavailable.ts';
import { allNoted, answered, repliesOf } from '../base/request-log.ts';
import { ApplianceBusy, type ApplianceTurn, restarting, unsent } from '../lock/appliance-locks.ts';
import { applianceFailure } from '../wording/appliance-failures.ts';

/** What is known in the end, and no more than that (docs/decisions, rule 6). */
export type Execution = {
  /** What was shown, with what the answer to the order told. */
  readonly fingerprint: Fingerprint;
  /** What the appliance said that is worth showing. */
  readonly details: readonly Part[];
} & Ending;

type Ending =
  /** It never left for the appliance. */
  | { readonly kind: 'not_done'; readonly failure: ApplianceFailure | FileFailure | ApplianceBusy }
  /** Read back, and it is so. */
  | { readonly kind: 'happened'; readonly order: Order; readonly evidence: Text }
  /** The order was answered, and nothing on the appliance can show whether it was carried out. */
  | { readonly kind: 'not_checkable'; readonly order: Order; readonly why: string; readonly passing?: true }
  /** Some of it was carried out. `open`: of some it is not known. `final`: looking again shows nothing else. */
  | {
      readonly kind: 'in_part';
      readonly order: Order;
      readonly evidence: Text;
      readonly open?: true;
      readonly final?: true;
    }
  /** The appliance refused the order, or shows what became of it, and reading back shows that it was not carried out. */
  | { readonly kind: 'not_happened'; readonly order: Order; readonly evidence: Text }
  /** Not visible when last looked at: the appliance may show it later, or the order may still be on its way, or still go on. */
  | {
      readonly kind: 'not_yet';
      readonly order: Order;
      readonly evidence: Text;
      /** It was not seen to be done, which is not to say that it was not. */
      readonly isUnderWay: boolean;
    }
  /** The order may be on its way, or be carried out, and nothing on the appliance can show whether it was. */
  | { readonly kind: 'unseen'; readonly order: Order; readonly why: string; readonly passing?: true }
  /** Reading back did not work. */
  | { readonly kind: 'unreadable'; readonly order: Order; readonly reading: ApplianceFailure };

/** Waiting times before each reading back, in milliseconds: an appliance may need a moment to let go. */
const timeout = [0, 500, 1_500, 3_000];
/** And how often something that lasts is looked at after that. */
const pace = 10_000;
/** The bot waits so long before each look at what was accepted and is not visible yet; the last one repeats. */
const laterPauses = [10_000, 20_000, 30_000, 60_000];
/**
 * How long an appliance may take to show what it has accepted, in milliseconds. Its services answer from caches while it is busy, and
 * no limit is documented (field notes).
 */
const usuallyShownWithin = 10 * 60_000;

/** How long after its order a change is looked at in all, in milliseconds. */
export const shownWithinOf = ({
  lasts = 0,
  shownWithin = usuallyShownWithin,
}: Pick<ChangeDeclaration<never>, 'lasts' | 'shownWithin'>): number => Math.max(lasts, shownWithin);

/** Waits; rejects with `Stopped` when the bot is being stopped and the wait is a long one. */
type Sleep = (milliseconds: number) => Promise<void>;

/** The bot is stopped while something goes on: the next start looks on (`recovery.ts`). */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** A pause that a stop ends, unless it is short enough to be waited for. */
export function stoppable(sleep: Sleep, stopping: AbortSignal): Sleep {
  return async (milliseconds) => {
    if (milliseconds < pace) return sleep(milliseconds);
    const stopped = Promise.withResolvers<never>();
    const stop = () => stopped.reject(new Stopped());
    if (stopping.aborted) stop();
    stopping.addEventListener('abort', stop, { once: true });
    try {
      await Promise.race([sleep(milliseconds), stopped.promise]);
    } finally {
      stopping.removeEventListener('abort', stop);
    }
  };
}

/**
 * Runs a change once, never again, and then reads back whether it happened. What others do to the same waits until that was seen,
 * unless the change goes on after its order.
 */
export async function execute<Args>(
  change: Pick<
    ChangeDeclaration<Args>,
    'survey' | 'run' | 'verify' | 'lasts' | 'lastsThoughRefused' | 'sendsNothing'
  >,
  context: OnAppliance<Args>,
  before: Fingerprint,
  sleep: Sleep,
  turn: ApplianceTurn,
): Promise<Execution> {
  const { lasts = 0 } = change;
  try {
    const ended = await turn.alone(async () => {
      const sent = await surveyAndSend(change, context, before, turn);
      return 'ran' in sent && lasts === 0 ? seen(change, context, sent, sleep) : sent;
    });
    return 'ran' in ended ? await seen(change, context, ended, sleep) : ended;
  } catch (error) {
    if (!(error instanceof ApplianceBusy)) throw error;
    return { kind: 'not_done', failure: error, fingerprint: before, details: [] };
  }
}

/** An order that may have left, and what was known before. */
interface Sent {
  readonly order: Order;
  readonly ran: Ran;
  readonly fingerprint: Fingerprint;
}

async function seen<Args>(
  change: Pick<ChangeDeclaration<Args>, 'verify' | 'lasts' | 'lastsThoughRefused' | 'sendsNothing'>,
  context: OnAppliance<Args>,
  { order, ran, fingerprint }: Sent,
  sleep: Sleep,
): Promise<Execution> {
  const ending = await readBack(change, context, fingerprint, sleep, order);
  return { ...ending, details: [...(ran.details ?? []), ...ending.details] };
}

async function surveyAndSend<Args>(
  change: Pick<ChangeDeclaration<Args>, 'survey' | 'run'>,
  context: OnAppliance<Args>,
  before: Fingerprint,
  turn: ApplianceTurn,
): Promise<Sent | Extract<Execution, { kind: 'not_done' }>> {
  let order: Order;
  let ran: Ran;
  let shown = before;
  try {
    if (change.survey?.isNeeded(before)) {
      const found = await change.survey.take(context);
      await noteSurvey(context.appliance.name, found);
      shown = { ...before, ...found };
    }
  } catch (error) {
    const failure = error instanceof JournalUnavailable ? unsent(error) : error;
    if (!isApplianceFailure(failure) && !(failure instanceof ApplianceBusy)) throw error;
    return { kind: 'not_done', failure, fingerprint: before, details: [] };
  }
  const surveyed = Object.fromEntries(Object.entries(shown).filter(([name]) => !(name in before)));
  try {
    ran = await turn.send((giveWay) => change.run({ ...context, giveWay }, shown));
    order = ran.failure
      ? { kind: 'failed', failure: ran.failure }
      : ran.confirmed
        ? { kind: 'accepted', ...(ran.launched && { launched: true }) }
        : { kind: 'unconfirmed' };
  } catch (error) {
    if (error instanceof FileFailure || error instanceof ApplianceBusy) {
      return { kind: 'not_done', failure: error, fingerprint: shown, details: [] };
    }
    if (!isApplianceFailure(error)) throw error;
    if (error.sent === 'no') return { kind: 'not_done', failure: error, fingerprint: shown, details: [] };
    ran = { confirmed: false, details: logOf(error) };
    order = { kind: 'failed', failure: error };
  }
  noteAnswer(context.appliance.name, order, { ...surveyed, ...ran.learned });
  return { order, ran, fingerprint: { ...shown, ...ran.learned } };
}

/** Nothing is sent before what it needs to know is written down, so where that is not known, nothing was. */
export const isNeverSent = (
  { survey }: Pick<ChangeDeclaration<never>, 'survey'>,
  order: Order,
  known: Fingerprint,
): boolean => isLost(order) && survey?.isNeeded(known) === true;

export const neverSent = async (fingerprint: Fingerprint): Promise<Execution> => ({
  kind: 'not_done',
  failure: restarting(),
  fingerprint,
  details: [],
});

/** What an appliance had to say about an order that it broke off (appliance-api.md §4.7). */
function logOf(error: ApplianceFailure): readonly Part[] {
  return error instanceof Refused && error.log.length > 0
    ? [{ kind: 'log', name: 'installation.log', text: error.log.join('\n') }]
    : [];
}

/** Looks whether a change happened, without running it. Also what a restart does with a change that was under way. */
export async function readBack<Args>(
  change: Pick<ChangeDeclaration<Args>, 'verify' | 'lasts' | 'lastsThoughRefused' | 'sendsNothing'>,
  context: OnAppliance<Args>,
  fingerprint: Fingerprint,
  sleep: Sleep,
  order: Order,
): Promise<Execution> {
  const { verify } = change;
  const isRefused = wasRefused(order);
  // Words of refusal may come although the work is under way; an appliance that does not serve the call has not begun it.
  const isNoAnswer = isRefused && order.kind === 'failed' && order.failure.code === 'refused';
  const patience = isNoAnswer ? change.lastsThoughRefused : undefined;
  const isSettledByNo = isRefused && patience === undefined;
  const lasts = isSettledByNo ? 0 : (change.lasts ?? 0);
  const end = (ending: Ending, details: readonly Part[] = []): Execution => ({
    ...ending,
    fingerprint,
    details,
  });
  if (typeof verify !== 'function') return end(unseen(order, { why: verify.notCheckable }));
  if (lasts > 0 && order.kind === 'failed') {
    context.trouble(
      say`${applianceFailure(context.appliance.name, order.failure)} Checking whether it happens all the same.`,
    );
  }
  let last: Verification | ApplianceFailure | undefined;
  let waited = 0;
  for (const pause of isSettledByNo ? timeout.slice(0, 2) : pauses(lasts)) {
    if (patience !== undefined && waited >= patience && !isGoingOn(last)) break;
    waited += pause;
    // What nothing shows by then, nothing will show.
    if (pause === pace && isUnseen(last)) break;
    if (pause > 0) await sleep(pause);
    last = await lookOnce(verify, context, fingerprint);
    // Whoever upgrades or rebuilds may be out of reach in the meantime.
    if (isApplianceFailure(last)) {
      if (lasts === 0) break;
      continue;
    }
    if (last.kind === 'happened' || ('final' in last && last.final)) break;
    if (last.kind === 'under_way') context.progress(last.evidence);
  }
  if (last === undefined) throw new Error('There is always a first look');
  return end(endingOf(last, order, change), detailsOf(last));
}

/**
 * Whether the appliance may show it later: it has answered the order and did not refuse it, and nothing that was read shows
 * what became of it.
 */
export function maybeShownLater(execution: Execution): boolean {
  if (!('order' in execution) || !wasAnswered(execution.order) || wasRefused(execution.order)) return false;
  const { kind } = execution;
  if (kind === 'in_part') return execution.final !== true;
  if (kind === 'not_checkable' || kind === 'unseen') return execution.passing === true;
  return kind === 'not_yet' || kind === 'unreadable';
}

/**
 * Looks again at what may be shown later, until it is, or the time of its kind is over. Nobody waits for it: other changes come
 * in between.
 * @param waited how long it was looked at before, in milliseconds
 */
export async function lookAgain<Args>(
  change: Pick<ChangeDeclaration<Args>, 'verify' | 'lasts' | 'sendsNothing' | 'shownWithin'>,
  context: OnAppliance<Args>,
  before: Execution,
  sleep: Sleep,
  waited: number,
): Promise<Execution> {
  const { verify } = change;
  if (!('order' in before) || typeof verify !== 'function') return before;
  const { order, fingerprint } = before;
  let execution: Execution = before;
  for (const pause of pausesUntil(shownWithinOf(change), waited)) {
    await sleep(pause);
    const last = await lookOnce(verify, context, fingerprint);
    execution = {
      ...endingOf(last, order, change),
      fingerprint,
      details: [...before.details, ...detailsOf(last)],
    };
    if (!maybeShownLater(execution)) return execution;
  }
  // The appliance did not say yes and showed nothing for the whole time, so the order counts as failed.
  return execution.kind === 'not_yet' && !execution.isUnderWay && order.kind === 'failed'
    ? { ...execution, kind: 'not_happened' }
    : execution;
}

function* pausesUntil(end: number, waited: number): Generator<number> {
  let at = 0;
  for (let look = 0; at < end; look += 1) {
    const pause = Math.min(laterPauses[look] ?? laterPauses.at(-1) ?? pace, end - at);
    at += pause;
    // After a stop the bot goes on where it was, and looks at least once.
    if (at > waited || at === end) yield Math.min(pause, Math.max(at - waited, 0));
  }
}

/** What is known after a look. */
function endingOf(
  last: Verification | ApplianceFailure,
  order: Order,
  { sendsNothing }: Pick<ChangeDeclaration<never>, 'sendsNothing'>,
): Ending {
  if (isApplianceFailure(last)) return { kind: 'unreadable', order, reading: last };
  switch (last.kind) {
    case 'not_checkable':
      return unseen(order, last);
    case 'happened':
      return { kind: 'happened', order, evidence: last.evidence };
    case 'in_part': {
      const { kind, evidence, open, final } = last;
      return { kind, order, evidence, ...(open && { open }), ...(final && { final }) };
    }
    case 'under_way':
      return { kind: 'not_yet', order, evidence: last.evidence, isUnderWay: isGoingOn(last) };
    case 'not_happened': {
      const { kind, evidence } = last;
      // Only a refusal, or a look that is the last word, proves that it did not happen.
      const isSettled = wasRefused(order) || sendsNothing || (last.final && wasAnswered(order));
      return isSettled ? { kind, order, evidence } : { kind: 'not_yet', order, evidence, isUnderWay: false };
    }
  }
}

// What was not accepted is not called so.
const unseen = (
  order: Order,
  { why, passing }: { readonly why: string; readonly passing?: true },
): Ending => ({
  kind: order.kind === 'accepted' || order.kind === 'unconfirmed' ? 'not_checkable' : 'unseen',
  order,
  why,
  ...(passing && { passing }),
});

/** Something shows that it goes on. */
const isGoingOn = (last: Verification | ApplianceFailure | undefined): boolean =>
  last !== undefined && 'kind' in last && last.kind === 'under_way' && last.unseen !== true;

const detailsOf = (last: Verification | ApplianceFailure): readonly Part[] =>
  'details' in last && last.details !== undefined ? last.details : [];

const isUnseen = (last: Verification | ApplianceFailure | undefined): boolean =>
  last !== undefined && 'kind' in last && last.kind === 'not_checkable' && last.passing !== true;

/** A failure to look is an answer too. */
async function lookOnce<Args>(
  verify: Extract<ChangeDeclaration<Args>['verify'], (...given: never) => unknown>,
  context: OnAppliance<Args>,
  fingerprint: Fingerprint,
): Promise<Verification | ApplianceFailure> {
  try {
    return await verify(context, fingerprint);
  } catch (error) {
    if (isApplianceFailure(error)) return error;
    throw error;
  }
}

function* pauses(lasts: number): Generator<number> {
  yield* timeout;
  for (let waited = 5_000; waited < lasts; waited += pace) yield pace;
}

/** What became of the order itself, before anybody looked whether it was carried out. */
export type Order =
  /** The appliance said yes. `launched`: and that it has only begun. */
  | { readonly kind: 'accepted'; readonly launched?: true }
  /** The appliance answered, but said neither yes nor no. */
  | { readonly kind: 'unconfirmed' }
  | { readonly kind: 'failed'; readonly failure: ApplianceFailure }
  /** The bot was stopped between writing its intent down and hearing of the outcome. */
  | { readonly kind: 'interrupted' }
  /** It was not known what became of it, and it is looked at once more. */
  | { readonly kind: 'open' }
  /** A mistake of ours came between the two. */
  | { readonly kind: 'stumbled' };

/** What an appliance answered to the whole order, so that a crash while it is read back does not lose it. */
type NotedAnswer = Stored<typeof answerShape>;
const answerShape = z.object({
  appliance: z.string(),
  order: z.enum(['accepted', 'launched', 'unconfirmed', 'refused', 'uncertain']),
  /** Why it refused. */
  reason: optional(z.string()),
  /** Of which operation the refusal is. */
  operation: optional(z.string()),
  /** What its answer told for reading back. */
  learned: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** Its own words. */
  replies: z.array(z.string()),
});

const answers = codec(answerShape);

/** Where nothing was said, there is nothing to be noted. */
function noteAnswer(appliance: string, order: Order, learned: Fingerprint = {}): void {
  const about = { appliance, learned, replies: repliesOf(appliance) };
  if (order.kind === 'accepted') {
    answered(answers.store({ ...about, order: order.launched ? 'launched' : 'accepted' }));
  } else if (order.kind === 'unconfirmed') {
    answered(answers.store({ ...about, order: order.kind }));
  } else if (order.kind === 'failed' && order.failure instanceof Refused) {
    const { reason, operation } = order.failure;
    answered(answers.store({ ...about, order: 'refused', reason, operation }));
  } else if (about.replies.length > 0) {
    answered(answers.store({ ...about, order: 'uncertain' }));
  }
}

/** What was found right before an order, for reading back and for its undo. Nothing is sent before this is written down. */
async function noteSurvey(appliance: string, learned: Fingerprint): Promise<void> {
  answered(answers.store({ appliance, order: 'uncertain', learned, replies: [] }));
  await allNoted();
}

/** What is known of the order on an appliance from before a crash. */
export function answerIn(
  events: readonly NotedEvent[],
  appliance: string,
): { readonly order: Order; readonly learned: Fingerprint; readonly replies: readonly string[] } {
  const noted = events
    .flatMap(({ kind, content }) => (kind === 'answered' ? (answers.read(content) ?? []) : []))
    .findLast((one) => one.appliance === appliance);
  if (noted === undefined) return { order: { kind: 'interrupted' }, learned: {}, replies: [] };
  const { learned, replies } = noted;
  return { order: orderOf(noted), learned, replies };
}

function orderOf({ order, reason = '', operation = '' }: NotedAnswer): Order {
  switch (order) {
    case 'refused':
      return { kind: 'failed', failure: new Refused(reason, { operation, sent: 'yes' }) };
    case 'launched':
      return { kind: 'accepted', launched: true };
    case 'uncertain':
      return { kind: 'interrupted' };
    default:
      return { kind: order };
  }
}

/** Nothing at all was heard of it. */
export const isLost = ({ kind }: Order): boolean => kind === 'interrupted' || kind === 'open';

/** It said no. That is no proof that nothing was done (field notes), but a good reason to think so. */
export const wasRefused = (order: Order): boolean =>
  order.kind === 'failed' && !order.failure.mayHaveHappened;

/** An order that was answered will not be carried out later on; one that was lost on the way may. */
export function wasAnswered(order: Order): boolean {
  if (isLost(order) || order.kind === 'stumbled') return false;
  return order.kind !== 'failed' || order.failure.sent === 'yes';
}

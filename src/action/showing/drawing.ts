import type { AnyCommand } from '../../handlers/command.ts';
import { messageLink, person, say, type Text } from '../../handlers/reply.ts';
import type { Action, Given, Journal, TimedChangeRow } from '../../journal/journal.ts';
import { newestOf } from '../../journal/timed/timed-change-row.ts';
import { JournalUnavailable } from '../../journal/unavailable.ts';
import { createSemaphore } from '../../semaphore.ts';
import type { Button, Card, Chat } from '../base/chat.ts';
import { commandOf, shownOf } from '../base/stored.ts';
import { lostOutcome } from '../wording/restored.ts';
import { changeCard, headlineOf } from './card.ts';
import { isLeaving, isStopping, standingOffersOf, type UndoOffer } from './kept-offer.ts';
import type { CardWords } from './messages.ts';
import type { PlanEnds } from './plans/plan-ends.ts';
import { endedLines } from './plans/plan-lines.ts';
import type { TimedCard } from './timed-card.ts';

/**
 * Draws the card of a change as its action now stands, or posts it; resolves to its message. Rejects with `ChatRefused`. The
 * journal holds the truth whether or not the chat can show it. `words` are said while it stands as whoever draws it knows it.
 */
export type Draw = (action: Action, words?: DrawnWords, key?: string) => Promise<string>;

export interface DrawnWords extends CardWords {
  /** How far it has come; the next drawing shows it no more. */
  readonly progress?: Text | undefined;
}

/** What a card depends on beside its action, and others may change. */
interface Circumstances {
  readonly given: readonly Given[];
  readonly undo: {
    readonly buttons: readonly Button[];
    readonly told: Text | undefined;
    /** All of it was taken back, and that was seen. */
    readonly isUndone: boolean;
  };
  readonly timedChanges: readonly TimedChangeRow[];
  /** Of a plan that has ended, what its lines have become. */
  readonly steps: readonly Action[];
}

export function createDraw(
  chat: Pick<Chat, 'show'>,
  journal: Pick<
    Journal,
    'keptOf' | 'approvalsOf' | 'timedChangesOf' | 'timedChangesOfPlan' | 'stepsOf' | 'byId' | 'isShared'
  >,
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
  timedCard: TimedCard,
  planEnds: PlanEnds,
): Draw {
  /** What stands is read and handed to the chat for one drawing of a card after the other: a late one shows nothing old. */
  const turns = createSemaphore();

  return async (given, words = {}, key = undefined) => {
    // Its end is on its card and not in the journal, which was restored from a backup: what was to be drawn then stays unsaid.
    if (given.card !== undefined && given.outcome?.code === lostOutcome.code) return given.card;
    let drawn = await drawNow(given, words, key);
    const card = await drawn.shown;
    // Another replica may have drawn meanwhile what came after this: what was late must not stay in its place.
    while (journal.isShared) {
      const current = await journal.byId(given.id);
      if (current === undefined) break;
      const circumstances = await circumstancesOf(current);
      if (standing(current, circumstances) === standing(drawn.action, drawn.circumstances)) break;
      // With its key, by which it can still be found.
      drawn = await drawNow({ ...current, card }, {}, key);
      await drawn.shown;
    }
    return card;
  };

  /** Resolves when it is handed to the chat; `shown`: when the chat has taken it. */
  async function drawNow(given: Action, words: DrawnWords, key: string | undefined) {
    const end = await turns.acquire(given.id);
    try {
      const action = await currentOf(given);
      const circumstances = await circumstancesOf(action);
      const card = await cardOf(action, circumstances, action.state === given.state ? words : {});
      const shown = chat.show(card, key);
      // Whoever draws awaits it, once its turn has ended.
      shown.catch(() => undefined);
      return { action, circumstances, shown };
    } finally {
      end();
    }
  }

  /** It may have moved on since it was read. */
  async function currentOf(given: Action): Promise<Action> {
    try {
      const current = (await journal.byId(given.id)) ?? given;
      return { ...current, card: given.card ?? current.card };
    } catch (error) {
      if (!(error instanceof JournalUnavailable)) throw error;
      return given;
    }
  }

  async function cardOf(
    action: Action,
    { given, undo, timedChanges, steps }: Circumstances,
    words: DrawnWords,
  ): Promise<Card> {
    const command = commandOf(commandByPhrase, action);
    // What is on for a time says how it stands, whatever was to be said of how it began.
    const isPlan = shownOf(action)?.steps !== undefined;
    const timedChange = isPlan ? undefined : await timedCard(action, timedChanges);
    const ofPlan =
      !isPlan || undo.isUndone
        ? undefined
        : await planEnds(action, steps, timedChanges, words.headline ?? headlineOf(action, command));
    const said = ofPlan?.headline ?? timedChange?.headline ?? words.headline;
    // What was kept for good is taken back as any other.
    const isUndone = undo.isUndone && (timedChange === undefined || timedChange.isKept);
    const done = timedChange === undefined ? said : undefined;
    const headline = isUndone ? say`Undone: ${done ?? headlineOf(action, command)}` : said;
    const card = changeCard(action, command, {
      headline,
      notice: words.notice,
      progress: words.progress ?? undo.told,
      given,
      alarm: timedChange?.alarm,
      isUndone: undo.isUndone,
      lines: hasEnded(action) && isPlan && !undo.isUndone && !ofPlan?.isOver ? endedLines(action, steps) : [],
      isOver:
        undo.isUndone || (timedChanges.length > 0 && timedChanges.every(({ state }) => state === 'over')),
      buttons:
        timedChange === undefined
          ? [...undosWith(ofPlan, undo.buttons), ...(ofPlan?.buttons ?? []), ...plannedButtons(action)]
          : [...(timedChange.isKept ? undo.buttons : []), ...timedChange.buttons],
    });
    const at = Math.max(action.changedAt, ...given.map((one) => one.at), ...timedChanges.map(newestOf));
    return { ...card, at };
  }

  async function circumstancesOf(action: Action): Promise<Circumstances> {
    const command = commandByPhrase.get(action.phrase ?? '');
    const isTemporary =
      (command?.kind === 'change' && command.timed !== undefined) || shownOf(action)?.temporary !== undefined;
    const isPlan = shownOf(action)?.steps !== undefined;
    const [given, undo, timedChanges] = await Promise.all([
      approvalsOf(action),
      undosFor(action),
      isPlan ? journal.timedChangesOfPlan(action.id) : isTemporary ? journal.timedChangesOf(action.id) : [],
    ]);
    const steps = isPlan && hasEnded(action) ? await journal.stepsOf(action.id) : [];
    return { given, undo, timedChanges, steps };
  }

  /** Where two are the same, so are the cards. */
  function standing(
    { state, token, outcome, request }: Action,
    { given, undo, timedChanges }: Circumstances,
  ): string {
    const times = timedChanges.map((timedChange) => [timedChange.state, timedChange.endsAt]);
    return JSON.stringify([state, token, outcome, request, given, undo, times]);
  }

  async function approvalsOf({ id, token, consent }: Action): Promise<readonly Given[]> {
    return consent === undefined || token === undefined ? [] : journal.approvalsOf(id, token);
  }

  /** Only what is done can be taken back. */
  async function undosFor(action: Action): Promise<Circumstances['undo']> {
    if (!hasEnded(action) && action.state !== 'running') {
      return { buttons: [], told: undefined, isUndone: false };
    }
    const isRunning = action.state === 'running';
    // What stops a plan stands there while it runs, and everything else when it has ended.
    const standing = (await standingOffersOf(journal, action.id)).filter(
      ({ line }) => isStopping(line) === isRunning,
    );
    const undos = standing.filter(({ isUndo }) => isUndo);
    // Of several ways to go on with what has stopped one is taken.
    const isGoneOn = standing.some(({ label, takenBy }) => label !== undefined && takenBy !== undefined);
    const offered = standing.filter(
      ({ label, takenBy }) => takenBy === undefined && (label === undefined || !isGoneOn),
    );
    const open = undos.filter(({ takenBy }) => takenBy === undefined);
    // Whoever has decided otherwise has taken that, too.
    const taken = standing.filter(
      ({ takenBy, line, became }) => takenBy !== undefined && !(isLeaving(line) && became !== undefined),
    );
    const undone = taken.filter(({ isUndo }) => isUndo);
    return {
      buttons: offered.map((undo) => ({
        press: 'offer',
        label: `${undo.label ?? 'Undo'}${onWhere(undo)}`,
        about: action.line,
        token: undo.token,
      })),
      told:
        taken.length === 0
          ? undefined
          : taken.flatMap((undo, index) => [index === 0 ? '' : ' ', ...takenBack(undo)]),
      isUndone: open.length === 0 && undone.length > 0 && undone.every(isDone),
    };
  }
}

/** What takes all of a plan back ends all of it, where it ends as one; when it is over, there is nothing to take back. */
function undosWith(ofPlan: Awaited<ReturnType<PlanEnds>>, buttons: readonly Button[]): readonly Button[] {
  if (ofPlan === undefined) return buttons;
  if (ofPlan.isOver) return [];
  return ofPlan.isOne
    ? buttons.map((one) => (one.label === 'Undo' ? { ...one, label: 'End all now', style: 'danger' } : one))
    : buttons;
}

const hasEnded = ({ state }: Pick<Action, 'state'>): boolean =>
  state === 'done' || state === 'failed' || state === 'unknown';

/** What is planned can be taken back, and moved, until its time. */
const plannedButtons = ({ state, token, line }: Action): readonly Button[] =>
  state === 'planned' && token !== undefined
    ? [
        { press: 'cancel', label: 'Cancel', about: line, token },
        { press: 'reschedule', label: 'Change the time…', about: line, token },
      ]
    : [];

const onWhere = ({ where }: UndoOffer): string => (where === undefined ? '' : ` on ${where}`);

const isDone = ({ became }: UndoOffer): boolean => became?.state === 'done';

/** Whether a click on Undo took it back is told by the action that came of it. */
function takenBack(undo: UndoOffer): Text {
  const { takenBy = '', became } = undo;
  const where =
    became?.card === undefined
      ? []
      : say` ${messageLink('See the change.', became.direct ?? became.channel, became.card)}`;
  if (!undo.isUndo) return say`${undo.label ?? ''}: pressed by ${person(takenBy)}.${where}`;
  return isDone(undo)
    ? say`Undone${onWhere(undo)} by ${person(takenBy)}.${where}`
    : say`Undo${onWhere(undo)} was pressed by ${person(takenBy)}.${where}`;
}

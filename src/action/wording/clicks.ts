import { clock, code, messageLink, moment, person, say, strong, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Action, Kept } from '../../journal/journal.ts';

/** A click on a card that has ended, or goes on, or asks something else by now. */
export function already(action: Action, clicker: string): Text {
  const who =
    action.decidedBy === clicker
      ? say`you`
      : action.decidedBy === undefined
        ? say`somebody`
        : say`${person(action.decidedBy)}`;
  const when = clock(action.changedAt);
  const agreed = action.consent === undefined ? 'confirmed' : 'approved';
  switch (action.state) {
    case 'waiting':
      return say`The question has changed since you were shown it, so your click did nothing. Look at the card again.`;
    case 'cancelled':
      if (action.outcome?.code === 'denied')
        return say`This was already denied by ${who} at ${when}. Your click did nothing.`;
      return action.outcome?.code === 'cancelled'
        ? say`This was already ${action.consent === undefined ? 'canceled' : 'withdrawn'} by ${who} at ${when}. Your click did nothing.`
        : say`This ended at ${when} without anything being done. Your click did nothing; the card says why.`;
    case 'expired':
      return action.consent === undefined
        ? say`This card expired at ${when}; no changes were made. Type the command again if it is still needed.`
        : say`This card expired at ${when}, before it was approved; no changes were made. ${person(action.person)} can request it again if it is still needed.`;
    case 'planned':
      return say`This was already ${agreed} and is planned. Your click did nothing. ${strong('Cancel')} on its card takes it back.`;
    case 'approved':
    case 'running':
      return say`This was already ${agreed} by ${who} at ${when} and is under way. Your click did nothing.`;
    default:
      return say`This was already ${agreed} by ${who}, and it ended at ${when}. Your click did nothing. Result: ${action.outcome?.says ?? 'unknown'}`;
  }
}

/** A click on a button that stands for a line. */
export function offerGone(taken: Kept | undefined): Text {
  return taken?.takenBy === undefined
    ? say`That button has expired, so your click did nothing. Type the command instead.`
    : say`${person(taken.takenBy)} already pressed that button, so your click did nothing.`;
}

/** The same line, typed again while it is under way or waits for a click. */
export function alreadyRunning({
  line,
  createdAt,
  channel,
  direct,
  card,
  state,
  consent,
  runAt,
}: Action): Text {
  const where = card === undefined ? [] : say` ${messageLink('Here it is.', direct ?? channel, card)}`;
  if (state === 'waiting') {
    const what = consent === undefined ? 'to be confirmed' : 'to be approved';
    return say`${code(line)} is already waiting ${what}: you typed it at ${clock(createdAt)}. No second card was posted.${where}`;
  }
  if (state === 'planned' && runAt !== undefined)
    return say`${code(line)} is already planned for ${moment(runAt)}: you typed it at ${clock(createdAt)}. It was not planned a second time.${where}`;
  return say`${code(line)} is already running: you typed it at ${clock(createdAt)}, and it has not finished. It was not started a second time.${where}`;
}

/** A button of a message that the journal knows nothing of. */
export const notInJournal = (knownUntil: number, now: number): Text =>
  say`The bot’s journal was restored from a backup of ${when(knownUntil, now)}, and this message is newer: its buttons are unknown. Your click did nothing. Type the command instead.`;

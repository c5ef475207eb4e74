import { plainText, say, type Text } from '../handlers/reply.ts';
import type { Action } from '../journal/journal.ts';
import type { Alarm } from './approval/alarm.ts';
import { lookupCard } from './card.ts';
import { gotOut } from './chat.ts';
import { changeOf } from './confirm.ts';
import { interrupted } from './outcome.ts';
import type { Parts } from './parts.ts';
import type { Running } from './run.ts';
import { appliancesOf } from './stored.ts';
import { within } from './trail.ts';

/**
 * Brings to an end what a crash has left half-way, here or on another replica: what this one has just taken over. Nothing
 * is run again: what had not been sent is given up, and what may have been sent is read back (design, rule 3). A card
 * that stands and waits for a click needs nothing: its buttons still work.
 */
export type Recover = (left: readonly Action[]) => Promise<void>;

export function createRecover(parts: Parts & { readonly running: Running; readonly alarm: Alarm }): Recover {
  const { commandByPhrase, appliances, journal, chat, whisper, story, running, alarm } = parts;

  return async (left) => {
    await Promise.all(left.map((action) => within(parts, [action.id], async () => finish(action))));
  };

  function finish(action: Action): Promise<void> | undefined {
    switch (action.state) {
      case 'asked':
        return answerLate(action);
      case 'waiting':
        return action.card === undefined ? withdraw(action) : undefined;
      case 'approved':
        return giveUp(action);
      case 'running':
        return action.effect === 'read' ? answerLate(action) : doubt(action);
      case 'unknown':
        // The last to look did not come to an end with it.
        return look(action);
      default:
        return undefined;
    }
  }

  /** A question that was never answered: nothing was changed, and it can simply be asked again. */
  async function answerLate(action: Action): Promise<void> {
    const words = say`I was stopped before I could answer ${action.line}. Nothing was changed. Please ask again.`;
    const failed = await journal.move(action, 'failed', outcome(words));
    if (failed === undefined) return;
    if (failed.card === undefined) return whisper(failed, { headline: words });
    await gotOut(chat.show(lookupCard(failed, words)));
  }

  /** A card that was about to be posted. If it stands after all, its buttons say that it is over. */
  async function withdraw(action: Action): Promise<void> {
    const words = say`I was stopped before I could show you ${action.line}. Nothing was done. Please type it again.`;
    const cancelled = await journal.move(action, 'cancelled', outcome(words), action.token);
    if (cancelled !== undefined) await whisper(cancelled, { headline: words });
  }

  async function giveUp(action: Action): Promise<void> {
    const words = say`I was stopped after the click and before anything was sent, so nothing was done.`;
    const cancelled = await journal.move(action, 'cancelled', outcome(words));
    if (cancelled !== undefined) await story.close(cancelled, words, { headline: words });
  }

  async function doubt(action: Action): Promise<void> {
    const unknown = await journal.move(action, 'unknown', { ...outcome(uncertain), held: true });
    if (unknown === undefined) return;
    // Who has heard of it already hears it twice, and nobody never.
    await Promise.all([alarm(unknown), look(unknown)]);
  }

  async function look(unknown: Action): Promise<void> {
    const command = changeOf(commandByPhrase, unknown);
    const canLook = command !== undefined && appliancesOf(unknown).every((name) => appliances.has(name));
    if (canLook) return running.lookAfter(unknown, command);
    const blind = say`${uncertain} I cannot look: its command or its appliance is no longer there. Please look yourself.`;
    const settled = await journal.move(unknown, 'unknown', {
      outcome: { code: 'blind', says: plainText(blind) },
    });
    return story.close(settled ?? unknown, uncertain, { headline: blind });
  }
}

const uncertain = say`I was stopped while this was under way, so I do not know whether it happened.`;

const outcome = (words: Text) => ({ outcome: { code: interrupted, says: plainText(words) } });

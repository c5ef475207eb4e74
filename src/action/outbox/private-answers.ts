import { answerNotKept, notTold } from '../../telemetry/events/messages.ts';
import type { Log } from '../../telemetry/log.ts';
import { type Chat, ChatRefused, type Listener, type Said } from '../base/chat.ts';
import { type ReplyAddresses, replyAddressLifetime } from '../base/reply-addresses.ts';
import { notifyPerson, whisperTo } from '../showing/messages.ts';
import { repeated } from './delivered.ts';
import type { OutboxDispatcher } from './outbox-dispatcher.ts';

/**
 * Says something to one person alone, at once. What the chat does not take now is kept until it does: whoever was told that
 * their line has arrived hears what came of it. Never rejects: there is nobody else to tell.
 */
export function keepingPrivateAnswers(
  chat: Pick<Chat, 'ephemeral'>,
  outbox: Pick<OutboxDispatcher, 'send'>,
  addresses: Pick<ReplyAddresses, 'remember'>,
  { log, now }: { readonly log: Log; readonly now: () => number },
): (to: Listener, said: Said) => Promise<void> {
  return async (to, said) => {
    try {
      await chat.ephemeral(to, said);
    } catch (error) {
      if (!(error instanceof ChatRefused)) throw error;
      if (error.isPassing) await keep(to, said, error.mayStand);
      else log.tell(notTold, { channel: to.channel, person: to.person, code: error.code });
    }
  };

  async function keep(to: Listener, said: Said, mayStand: boolean): Promise<void> {
    // Only in a direct message can be looked whether it stands: whoever may have seen it sees it at most once more.
    const kept = mayStand ? notifyPerson(to.person, repeated(said)) : whisperTo(to, said);
    if (to.replyTo !== undefined) addresses.remember(kept.key, to.replyTo, now() + replyAddressLifetime);
    try {
      await outbox.send(kept);
    } catch (error) {
      log.tell(answerNotKept, { err: error, person: to.person });
    }
  }
}

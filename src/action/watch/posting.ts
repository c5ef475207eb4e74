import type { Reply } from '../../handlers/reply.ts';
import { watchNotPosted } from '../../telemetry/events/watches.ts';
import type { Log } from '../../telemetry/log.ts';
import { ChatRefused, type Place, type Said } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';

/** What became of a message about something on watch. */
type Posted =
  | { readonly kind: 'stands'; readonly ts: string; readonly isBelow: boolean }
  /** `mayStand`: it may have got out. */
  | { readonly kind: 'later'; readonly mayStand: boolean }
  /** The channel takes nothing from the bot. */
  | { readonly kind: 'no_place'; readonly code: string }
  /** No channel would take it, however plain. */
  | { readonly kind: 'not_said' };

/** Says something once: in its thread if that takes it, else in the channel, and as plain as it must be. */
export type PostOnce = (
  place: Place,
  reply: Reply,
  key: string,
  /** Since when it may stand there already; undefined where it does not. */
  since: number | undefined,
) => Promise<Posted>;

/** Characters of a message that was refused for what it says. */
const plainest = 1_000;

export function createPostOnce({
  chat,
  present,
  log,
}: Pick<Parts, 'chat' | 'present'> & { readonly log: Log }): PostOnce {
  return async ({ channel, card: thread }, reply, key, since) => {
    let below = thread;
    if (since !== undefined) {
      const found = await chat.find({ channel, card: below }, key, since);
      if (found.kind === 'try_later') return { kind: 'later', mayStand: true };
      if (found.kind === 'stands') return { ...found, isBelow: below !== undefined };
    }
    let said = await present(reply, { channel });
    for (let isPlain = false; ; ) {
      try {
        const ts =
          below === undefined
            ? await chat.post(channel, said, key)
            : await chat.reply({ channel, card: below, broadcast: true }, said, key);
        return { kind: 'stands', ts, isBelow: below !== undefined };
      } catch (error) {
        if (!(error instanceof ChatRefused)) throw error;
        const { code, about, isPassing, mayStand } = error;
        if (isPassing) return { kind: 'later', mayStand };
        if (about === 'place') return { kind: 'no_place', code };
        if (about === 'thread' && below !== undefined) below = undefined;
        else if (about === 'content' && !isPlain) {
          isPlain = true;
          said = plain(said);
        } else {
          log.tell(watchNotPosted, { channel, code });
          return { kind: 'not_said' };
        }
      }
    }
  };
}

/** Only what happened. */
const plain = ({ headline }: Said): Said => ({
  headline: headline.map((span) => (typeof span === 'string' ? span.slice(0, plainest) : span)).slice(0, 20),
});

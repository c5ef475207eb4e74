import { ChatRefused, slackAway } from '../../action/base/chat.ts';
import { slackAnswers, slackSilent } from '../../telemetry/events/slack.ts';
import type { Log } from '../../telemetry/log.ts';

/**
 * A circuit breaker: while Slack does not answer, one try in a while finds out for all. Each message that is tried in vain
 * may have been delivered, and has to be looked for later (conversations.history, fifty times a minute: slack-facts.md §4);
 * what is not tried needs no looking.
 */
export interface Breaker {
  /** Whether trying is of no use at the moment. */
  readonly isOpen: () => boolean;
  /** Counts a try. @throws ChatRefused, nothing of which left, where trying is of no use */
  readonly pass: () => void;
  /** Slack answered, whatever it said. */
  readonly answered: () => void;
  /** It did not, or it is in trouble. */
  readonly failed: (code: string) => void;
}

/** After so many failures one after the other. */
const enough = 3;
/** In milliseconds: the pause before the first of the tries that find out, and the longest. */
const pauses = { first: 1_000, longest: 5_000 };

/** `name`: of what, for the log, and for the metric of Slack's Web API (`telemetry/metrics/lasting.ts`). */
export function createBreaker(
  name: string,
  { now, log }: { readonly now: () => number; readonly log: Log },
): Breaker {
  let failures = 0;
  let since = 0;
  let nextTry = 0;
  const isOpen = () => failures >= enough && now() < nextTry;
  const pause = () => Math.min(pauses.first * 2 ** (failures - enough), pauses.longest);

  return {
    isOpen,
    pass: () => {
      if (isOpen()) throw new ChatRefused(slackAway, { isPassing: true, mayStand: false });
      // The others wait for what comes of it.
      if (failures >= enough) nextTry = now() + pause();
    },
    answered: () => {
      if (failures >= enough) log.tell(slackAnswers, { name, seconds: Math.round((now() - since) / 1_000) });
      failures = 0;
    },
    failed: (code) => {
      if (failures === 0) since = now();
      failures += 1;
      nextTry = now() + pause();
      if (failures === enough) log.tell(slackSilent, { name, code });
    },
  };
}

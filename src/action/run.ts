import type { OnAppliance } from '../handlers/command.ts';
import { plainText, say } from '../handlers/reply.ts';
import type { Action } from '../journal/journal.ts';
import type { Listener } from './chat.ts';
import type { Change } from './confirm.ts';
import { execute } from './execute.ts';
import { type Conclusion, conclude, interrupted } from './outcome.ts';
import type { Parts } from './parts.ts';
import { argsOf, subjectOf } from './stored.ts';

/** Runs a confirmed change once, and tells how it ended. The journal already says that it is running. */
export type Run = (
  asker: Listener,
  running: Action,
  command: Change,
  context: OnAppliance<never>,
) => Promise<void>;

export function createRun({ journal, story, sleep }: Parts): Run {
  return async (asker, running, command, context) => {
    // The buttons go away while the appliance works; neither waits for the other.
    const drawn = Promise.allSettled([story.draw(running)]);
    try {
      const execution = await execute(command, context, subjectOf(running), sleep);
      const ending = conclude(command, argsOf(running), context.appliance.name, execution);
      await drawn;
      await finish(asker, running, ending);
    } catch (error) {
      await drawn;
      await finish(asker, running, stumble);
      throw error;
    }
  };

  async function finish(asker: Listener, running: Action, ending: Conclusion): Promise<void> {
    const { state, outcome, headline, story: told } = ending;
    const ended = await journal.move(running, state, { outcome });
    // Even if something else has moved the action on, what we saw is told.
    await story.close({ ...running, ...ended, state }, headline, told, asker);
  }
}

const doubt = say`Something went wrong inside the bot while this was under way, so I do not know whether it happened. I will not send it again by myself: look first, then decide.`;

/** A mistake of ours in mid-change: all that is certain is that the order may be out. */
const stumble: Conclusion = {
  state: 'unknown',
  headline: say`Something went wrong inside the bot: outcome unknown`,
  story: { headline: doubt },
  outcome: { code: interrupted, says: plainText(doubt) },
};

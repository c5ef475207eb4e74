import type { WebClient } from '@slack/web-api';
import type { EndStep } from '../../action/workflow/declared.ts';
import { workflowStepFailed } from '../../telemetry/events/messages.ts';
import type { Log } from '../../telemetry/log.ts';
import { codeOf, isTokenRefused, isTrouble } from '../codes.ts';

/**
 * Ends workflow steps with the bot's own token, because a step's token expires with the step (slack-facts.md
 * §8). Slack refuses a second end.
 */
export function createEndStep(client: WebClient, log: Log): EndStep {
  return async (execution, end) => {
    try {
      await (end.isDone
        ? client.functions.completeSuccess({ function_execution_id: execution, outputs: { ...end.outputs } })
        : client.functions.completeError({ function_execution_id: execution, error: end.why }));
      return true;
    } catch (error) {
      const code = codeOf(error);
      if (isTrouble(error) || isTokenRefused(error) || code === 'ratelimited') return false;
      log.tell(workflowStepFailed, { execution, code });
      return true;
    }
  };
}

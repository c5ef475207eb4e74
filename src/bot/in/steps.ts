import type { App } from '@slack/bolt';
import { stepNames } from '../../action/workflow/declared.ts';
import type { Step } from '../../action/workflow/steps.ts';

/** Hands on the steps of workflows that somebody has started; Slack does not say who (slack-facts.md §8). */
export function onStep(app: App, take: (step: Step, acknowledge: () => Promise<void>) => void): void {
  for (const name of stepNames) {
    app.function(name, { autoAcknowledge: false }, async ({ ack, payload, body, context }) => {
      const { function_execution_id: execution, inputs } = payload;
      take({ name, execution, team: body.team_id, bot: context.botUserId ?? '', inputs }, ack);
    });
  }
}

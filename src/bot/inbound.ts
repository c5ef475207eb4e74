import type { App } from '@slack/bolt';
import type { Invocation, Listener, Press } from '../action/chat.ts';
import type { Log } from '../log.ts';
import { buttons } from './cards.ts';

/** What comes in from Slack, handed on. */
export interface Inbox {
  readonly ask: (invocation: Invocation) => Promise<void>;
  readonly press: (press: Press) => Promise<void>;
  readonly openHome: (person: string) => Promise<void>;
  readonly personChanged: (person: string) => void;
  readonly groupChanged: (group: string) => void;
  /** Runs a task that nobody waits for; `listener` is told if it breaks. */
  readonly track: (task: () => Promise<void>, listener?: Listener) => void;
}

export const slashCommand = '/appliance';

/**
 * Turns each kind of Slack payload into what the rest of the bot works with. Acknowledges first: nothing that can
 * wait stands before `ack()`, neither the network nor the database (design, rule 1).
 */
export function listen(app: App, inbox: Inbox, log: Log): void {
  app.command(slashCommand, async ({ ack, command }) => {
    const invocation: Invocation = {
      team: command.team_id,
      channel: command.channel_id,
      person: command.user_id,
      line: command.text ?? '',
      replyTo: command.response_url,
    };
    inbox.track(async () => {
      await acknowledge(ack, log);
      await inbox.ask(invocation);
    }, invocation);
  });

  for (const [button, actionId] of Object.entries(buttons) as [Press['button'], string][]) {
    app.action({ type: 'block_actions', action_id: actionId }, async ({ ack, body, action }) => {
      const card = body.container.message_ts;
      const token = action.type === 'button' ? action.value : undefined;
      if (typeof card !== 'string' || token === undefined || body.channel === undefined) {
        await acknowledge(ack, log);
        log.warn({ actionId }, 'A click without a message, a channel or a token');
        return;
      }
      const press: Press = {
        channel: body.channel.id,
        person: body.user.id,
        button,
        token,
        card,
        replyTo: body.response_url,
      };
      inbox.track(async () => {
        await acknowledge(ack, log);
        await inbox.press(press);
      }, press);
    });
  }

  // Bolt acknowledges events by itself.
  app.event('app_home_opened', async ({ event }) => {
    if (event.tab === 'home') inbox.track(() => inbox.openHome(event.user));
  });
  app.event('user_change', async ({ event }) => inbox.personChanged(event.user.id));
  app.event('subteam_members_changed', async ({ event }) => inbox.groupChanged(event.subteam_id));
  app.event('subteam_updated', async ({ event }) => inbox.groupChanged(event.subteam.id));
}

/** A socket that closes under the acknowledgement does not undo what the person asked (slack-facts.md §5). */
async function acknowledge(ack: () => Promise<void>, log: Log): Promise<void> {
  try {
    await ack();
  } catch (error) {
    log.warn(
      { error: error instanceof Error ? error.name : 'unknown' },
      'An acknowledgement did not get out',
    );
  }
}

import { hash } from 'node:crypto';
import type { App, GlobalShortcut, MessageShortcut as MessageAction, ViewSubmitAction } from '@slack/bolt';
import type { Invocation, Listener, Press, Submission, SubmissionResult } from '../../action/base/chat.ts';
import type { Choosable, Query } from '../../action/base/form.ts';
import { inPlaceOf } from '../../action/base/in-place.ts';
import type { Opening } from '../../action/forms/builder.ts';
import { type MessageShortcut, messageShortcuts, runCommand } from '../../action/intake/shortcuts.ts';
import type { Step } from '../../action/workflow/steps.ts';
import { clickIncomplete, deliveredTwice, shortcutUnknown } from '../../telemetry/events/slack.ts';
import type { Log } from '../../telemetry/log.ts';
import { holdAcknowledgement } from '../connection/held-events.ts';
import { anyButton, readButton } from '../rendering/buttons.ts';
import { anyInput, enteredIn, formCallback, inputName, offeredBy } from '../rendering/forms.ts';
import { acknowledge, answerTo } from './acknowledge.ts';
import { onOpened } from './entities.ts';
import { onMention } from './mentions.ts';
import { readMessage } from './message.ts';
import { onStep } from './steps.ts';
import { createTakeLine, soon, type Typed, type TypedInbox, whenever } from './typed.ts';

/** What comes in from Slack, handed on. */
export interface Inbox extends TypedInbox {
  /** A message to the bot says something else by now. */
  readonly edited: (invocation: Invocation) => Promise<void>;
  readonly press: (press: Press) => Promise<void>;
  /** Answers a form that was sent, in time for its acknowledgement: nothing but the journal is asked. */
  readonly submit: (submission: Submission) => Promise<SubmissionResult>;
  /** Answers a picker, in time for its acknowledgement. */
  readonly search: (query: Query) => Promise<readonly Choosable[]>;
  /** A shortcut from the menu of a message. */
  readonly shortcut: (shortcut: MessageShortcut) => Promise<void>;
  /** A step of a workflow. */
  readonly step: (step: Step, acknowledge: () => Promise<void>) => Promise<void>;
  /** *Run a command*, from where there is no channel: a global shortcut, or the person's own page. */
  readonly build: (opening: Opening) => Promise<void>;
  readonly openHome: (person: string) => Promise<void>;
  /** The bot itself was invited into a channel. */
  readonly invited: (channel: string) => Promise<void>;
  readonly personChanged: (person: string) => void;
  readonly groupChanged: (group: string) => void;
  /** Another organisation came into a channel, or left it. */
  readonly channelChanged: (channel: string) => void;
  /** Whether this delivery comes for the first time: Slack may deliver again what it has no acknowledgement for. */
  readonly isFirst: (delivery: string, typed?: Pick<Listener, 'channel' | 'person'>) => Promise<boolean>;
}

/** What comes in. */
export interface Listening {
  /** Resolves when nothing is left that has come in and waits for its acknowledgement. */
  readonly acknowledged: () => Promise<void>;
}

interface Origin {
  readonly team: { readonly id: string } | null;
  readonly user: { readonly id: string };
  readonly trigger_id: string;
  /** By which a delivery is known. */
  readonly key: string;
}

export const slashCommand = '/appliance';

/**
 * Turns each kind of Slack payload into what the rest of the bot works with. Acknowledges first: nothing that can
 * wait stands before `ack()` (docs/decisions, rule 1). Only that a line was typed is written down before (`typed.ts`).
 */
export function listen(app: App, inbox: Inbox, log: Log): Listening {
  const unacknowledged = new Set<Promise<void>>();

  /** Something has come in; to be called when it is acknowledged. */
  function cameIn(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    unacknowledged.add(promise);
    return () => {
      unacknowledged.delete(promise);
      resolve();
    };
  }

  /** By its trigger ID, which is a secret for some seconds (slack-facts.md §2): only its digest is kept. */
  const keyOf = (trigger: string): string => hash('sha256', trigger, 'base64url');

  async function isNew(delivery: string, typed?: Invocation): Promise<boolean> {
    const isFirst = await inbox.isFirst(delivery, typed);
    if (!isFirst) log.tell(deliveredTwice);
    return isFirst;
  }

  const takeLine = createTakeLine(inbox, isNew, log);

  app.command(slashCommand, async ({ ack, command }) => {
    const isAcknowledged = cameIn();
    const invocation: Typed = {
      delivery: keyOf(command.trigger_id),
      team: command.team_id,
      channel: command.channel_id,
      person: command.user_id,
      line: command.text ?? '',
      trigger: command.trigger_id,
      replyTo: command.response_url,
    };
    // Slack does not send it again: what is acknowledged and not written down would be lost with a crash.
    takeLine(invocation, ack, soon, isAcknowledged);
  });

  app.action({ type: 'block_actions', action_id: anyButton }, async ({ ack, body, action }) => {
    const { message_ts: card } = body.container;
    // Not every workspace tells the thread with the container (slack-facts.md §11).
    const thread = body.container.thread_ts ?? body.message?.thread_ts;
    const pressed = action.type === 'button' ? readButton(action.action_id, action.value) : undefined;
    if (pressed?.button === 'build' && body.view?.type === 'home') {
      const { team, user, trigger_id } = body;
      return build(ack, { team, user, trigger_id, key: `${trigger_id} ${action.action_id}` });
    }
    // Somebody's own page stands in no channel: what is said of it goes to a direct message.
    const isHome = body.view?.type === 'home';
    const channel = isHome ? body.user.id : (body.channel?.id ?? body.container.channel_id);
    if ((typeof card !== 'string' && !isHome) || pressed === undefined || channel === undefined) {
      await acknowledge(ack, log);
      log.tell(clickIncomplete, { actionId: action.action_id });
      return;
    }
    const press: Press = {
      ...pressed,
      team: body.team?.id ?? '',
      channel,
      person: body.user.id,
      card: typeof card === 'string' ? card : undefined,
      // Slack names a thread for its first message as well, which stands in the channel.
      thread: typeof thread === 'string' && thread !== card ? thread : undefined,
      whispered: body.container.is_ephemeral === true,
      trigger: body.trigger_id,
      replyTo: body.response_url,
    };
    inbox.track(async () => {
      await acknowledge(ack, log);
      if (await isNew(keyOf(`${body.trigger_id} ${action.action_id}`))) await inbox.press(press);
    }, press);
  });

  app.shortcut<MessageAction>({ type: 'message_action' }, async ({ ack, shortcut: chosen }) => {
    const shortcut = messageShortcuts.find((one) => one === chosen.callback_id);
    if (shortcut === undefined) {
      await acknowledge(ack, log);
      log.tell(shortcutUnknown, { callbackId: chosen.callback_id });
      return;
    }
    const taken: MessageShortcut = {
      shortcut,
      team: chosen.team?.id ?? '',
      channel: chosen.channel.id,
      person: chosen.user.id,
      message: readMessage(chosen.message),
      trigger: chosen.trigger_id,
      replyTo: chosen.response_url,
    };
    inbox.track(async () => {
      await acknowledge(ack, log);
      if (await isNew(keyOf(chosen.trigger_id))) await inbox.shortcut(taken);
    }, taken);
  });

  app.shortcut<GlobalShortcut>(
    { type: 'shortcut' },
    async ({ ack, shortcut: { callback_id, ...chosen } }) => {
      if (callback_id === runCommand) return build(ack, { ...chosen, key: chosen.trigger_id });
      await acknowledge(ack, log);
      log.tell(shortcutUnknown, { callbackId: callback_id });
    },
  );

  /** Neither the shortcut nor a click on the person's own page comes from a channel: what is said goes to a direct message. */
  function build(ack: () => Promise<void>, { team, user, trigger_id, key }: Origin): void {
    const opening = { team: team?.id ?? '', channel: user.id, person: user.id, trigger: trigger_id };
    inbox.track(async () => {
      await acknowledge(ack, log);
      if (await isNew(keyOf(key))) await inbox.build(opening);
    }, opening);
  }

  // What a form says and what a picker offers is the acknowledgement itself.
  app.view<ViewSubmitAction>(
    { callback_id: formCallback, type: 'view_submission' },
    async ({ ack, body, view }) => {
      const isAcknowledged = cameIn();
      const submission: Submission = {
        team: body.team?.id ?? '',
        person: body.user.id,
        token: view.private_metadata,
        entered: enteredIn(view.state.values),
        trigger: body.trigger_id,
      };
      inbox.track(async () => {
        try {
          const settled = await inbox.submit(submission);
          await acknowledge(() => ack(answerTo(settled)), log);
          if (settled.kind === 'closed') inbox.track(settled.follow, settled.listener);
          if (settled.kind !== 'accepted') return;
          const { invocation } = settled;
          inbox.track(() => inbox.ask(invocation), invocation);
        } finally {
          isAcknowledged();
        }
      });
    },
  );

  app.options<'block_suggestion'>(
    { type: 'block_suggestion', action_id: anyInput },
    async ({ ack, body }) => {
      const isAcknowledged = cameIn();
      const query: Query = {
        person: body.user.id,
        token: body.view?.private_metadata ?? '',
        input: inputName(body.action_id),
        typed: body.value,
        entered: enteredIn(body.view?.state?.values),
      };
      inbox.track(async () => {
        try {
          const found = await inbox.search(query);
          await acknowledge(() => ack(offeredBy(found)), log);
        } finally {
          isAcknowledged();
        }
      });
    },
  );

  // Slack delivers one again that nobody has acknowledged, and one message may come as two.
  onMention(app, ({ ts, thread, edited, ...from }, ack) => {
    const isAcknowledged = cameIn();
    const delivery = keyOf([from.channel, ts, ...(edited === undefined ? [] : [edited])].join(' '));
    const invocation: Typed = { ...from, ...inPlaceOf({ below: thread }), delivery };
    // Until it is written down it stays unacknowledged, however long that takes: then Slack sends it again.
    if (edited === undefined) return takeLine(invocation, ack, whenever, isAcknowledged);
    inbox.track(async () => {
      await acknowledge(ack, log).finally(isAcknowledged);
      if (await isNew(delivery)) await inbox.edited(invocation);
    }, invocation);
  });
  onOpened(app, (opened) => {
    const delivery = keyOf(opened.opened.trigger);
    inbox.track(async () => {
      if (await isNew(delivery)) await inbox.ask({ ...opened, delivery });
    }, opened);
  });
  onStep(app, (step, ack) => {
    inbox.track(() => inbox.step(step, () => acknowledge(ack, log)));
  });
  app.event('app_home_opened', async ({ event }) => {
    if (event.tab === 'home') inbox.track(() => inbox.openHome(event.user));
  });
  app.event('member_joined_channel', async ({ event, context }) => {
    // Other people come and go without a word.
    if (event.user !== context.botUserId) return;
    const isAcknowledged = cameIn();
    const ack = holdAcknowledgement(context);
    inbox.track(async () => {
      // What is not said so far is said when Slack sends it again, once.
      try {
        await inbox.invited(event.channel);
        await acknowledge(ack, log);
      } finally {
        isAcknowledged();
      }
    });
  });
  app.event('user_change', async ({ event }) => inbox.personChanged(event.user.id));
  app.event('subteam_members_changed', async ({ event }) => inbox.groupChanged(event.subteam_id));
  app.event('subteam_updated', async ({ event }) => inbox.groupChanged(event.subteam.id));
  app.event('channel_shared', async ({ event }) => inbox.channelChanged(event.channel));
  app.event('channel_unshared', async ({ event }) => inbox.channelChanged(event.channel));

  return {
    acknowledged: async () => {
      while (unacknowledged.size > 0) await Promise.all(unacknowledged);
    },
  };
}

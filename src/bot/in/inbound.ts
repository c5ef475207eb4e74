import { hash } from 'node:crypto';
import type {
  App,
  GlobalShortcut,
  MessageShortcut as MessageAction,
  ViewResponseAction,
  ViewSubmitAction,
} from '@slack/bolt';
import {
  type Invocation,
  inPlaceOf,
  type Listener,
  type Press,
  type Submission,
  type SubmissionResult,
} from '../../action/base/chat.ts';
import type { Choosable, Query } from '../../action/base/form.ts';
import type { Opening } from '../../action/forms/builder.ts';
import { type MessageShortcut, messageShortcuts, runCommand } from '../../action/intake/shortcuts.ts';
import { stepNames } from '../../action/workflow/declared.ts';
import type { Step } from '../../action/workflow/steps.ts';
import {
  acknowledgementFailed,
  clickIncomplete,
  deliveredTwice,
  shortcutUnknown,
} from '../../telemetry/events/slack.ts';
import type { Log } from '../../telemetry/log.ts';
import { holdAcknowledgement } from '../connection/held-events.ts';
import {
  anyInput,
  enteredIn,
  errorsOf,
  formCallback,
  formView,
  inputName,
  offeredBy,
  overView,
} from '../rendering/form-views.ts';
import { anyButton, readButton } from '../rendering/render.ts';
import { onMention, readMessage } from './message.ts';

export interface Inbox extends TypedInbox {
  /** A message to the bot was edited. */
  readonly edited: (invocation: Invocation) => Promise<void>;
  readonly press: (press: Press) => Promise<void>;
  /** Answers a submitted form within its acknowledgement: only the journal is asked. */
  readonly submit: (submission: Submission) => Promise<SubmissionResult>;
  /** Answers a picker within its acknowledgement. */
  readonly search: (query: Query) => Promise<readonly Choosable[]>;
  readonly shortcut: (shortcut: MessageShortcut) => Promise<void>;
  readonly step: (step: Step, acknowledge: () => Promise<void>) => Promise<void>;
  /** *Run a command* outside of channels: a global shortcut, or the person's Home tab. */
  readonly build: (opening: Opening) => Promise<void>;
  readonly openHome: (person: string) => Promise<void>;
  readonly invited: (channel: string) => Promise<void>;
  readonly personChanged: (person: string) => void;
  readonly groupChanged: (group: string) => void;
  /** Another organisation joined or left a channel. */
  readonly channelChanged: (channel: string) => void;
  /** Whether this delivery is new: Slack repeats unacknowledged ones. */
  readonly isFirst: (delivery: string, typed?: Pick<Listener, 'channel' | 'person'>) => Promise<boolean>;
}

/** The running listeners. */
interface Listening {
  /** Resolves when no received payload waits for its acknowledgement. */
  readonly acknowledged: () => Promise<void>;
}

interface Origin {
  readonly team: { readonly id: string } | null;
  readonly user: { readonly id: string };
  readonly trigger_id: string;
  /** Identifies a delivery. */
  readonly key: string;
}

export const slashCommand = '/appliance';

/** Only the author reads this, if the line would be lost with a crash of the bot. */
const notWrittenDown =
  'The bot can’t write down what you typed right now, and is working on it. If no answer follows within a minute, type it again.';

/**
 * Turns each kind of Slack payload into the bot's own types. Acknowledges first: nothing slow comes before
 * `ack()` (docs/decisions, rule 1). Only the typed line is stored before.
 */
export function listen(app: App, inbox: Inbox, log: Log): Listening {
  const unacknowledged = new Set<Promise<void>>();

  /** Counts an arrival; the returned function is called after its acknowledgement. */
  function cameIn(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    unacknowledged.add(promise);
    return () => {
      unacknowledged.delete(promise);
      resolve();
    };
  }

  /**
   * Identifies it by its trigger ID, which is a secret for some seconds (slack-facts.md §2), so only a digest
   * is kept.
   */
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
    // Slack does not resend a command: acknowledged and not stored, it would be lost with a crash.
    takeLine(invocation, ack, { kind: 'command', unwritten: () => ack(notWrittenDown) }, isAcknowledged);
  });

  app.action({ type: 'block_actions', action_id: anyButton }, async ({ ack, body, action }) => {
    const { message_ts: card } = body.container;
    // Some workspaces leave the thread out of the container (slack-facts.md §11).
    const thread = body.container.thread_ts ?? body.message?.thread_ts;
    const pressed = action.type === 'button' ? readButton(action.action_id, action.value) : undefined;
    if (pressed?.button === 'build' && body.view?.type === 'home') {
      const { team, user, trigger_id } = body;
      return build(ack, { team, user, trigger_id, key: `${trigger_id} ${action.action_id}` });
    }
    // A Home tab has no channel, so answers go to a direct message.
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
      // Slack also names a thread for its first message, which is in the channel.
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

  /** Neither the shortcut nor a click on the Home tab has a channel, so answers go to a direct message. */
  function build(ack: () => Promise<void>, { team, user, trigger_id, key }: Origin): void {
    const opening = { team: team?.id ?? '', channel: user.id, person: user.id, trigger: trigger_id };
    inbox.track(async () => {
      await acknowledge(ack, log);
      if (await isNew(keyOf(key))) await inbox.build(opening);
    }, opening);
  }

  // The answer to a form or a picker is the acknowledgement itself.
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

  // Slack repeats an unacknowledged event, and one message may arrive as two.
  onMention(app, ({ ts, thread, edited, ...from }, ack) => {
    const isAcknowledged = cameIn();
    const delivery = keyOf([from.channel, ts, ...(edited === undefined ? [] : [edited])].join(' '));
    const invocation: Typed = { ...from, ...inPlaceOf({ below: thread }), delivery };
    // Unacknowledged until it is stored, however long that takes, so that Slack repeats it.
    if (edited === undefined) return takeLine(invocation, ack, { kind: 'event' }, isAcknowledged);
    inbox.track(async () => {
      await acknowledge(ack, log).finally(isAcknowledged);
      if (await isNew(delivery)) await inbox.edited(invocation);
    }, invocation);
  });
  onStep(app, (step, ack) => {
    inbox.track(() => inbox.step(step, () => acknowledge(ack, log)));
  });
  app.event('app_home_opened', async ({ event }) => {
    if (event.tab === 'home') inbox.track(() => inbox.openHome(event.user));
  });
  app.event('member_joined_channel', async ({ event, context }) => {
    // Other people join and leave without a reaction.
    if (event.user !== context.botUserId) return;
    const isAcknowledged = cameIn();
    const ack = holdAcknowledgement(context);
    inbox.track(async () => {
      // A missing greeting is posted when Slack repeats the event, once.
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

/** Receives workflow steps that somebody has started; Slack does not say who (slack-facts.md §8). */
function onStep(app: App, take: (step: Step, acknowledge: () => Promise<void>) => void): void {
  for (const name of stepNames) {
    app.function(name, { autoAcknowledge: false }, async ({ ack, payload, body, context }) => {
      const { function_execution_id: execution, inputs } = payload;
      take({ name, execution, team: body.team_id, bot: context.botUserId ?? '', inputs }, ack);
    });
  }
}

/** The longest wait of an acknowledgement for an answer, in milliseconds, of its 3,000. */
const answerWithin = 2_700;

/** Stops waiting after the time limit. */
async function forAMoment(task: Promise<unknown>, milliseconds: number): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds).unref();
  const settled = task.then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([settled, over]);
  clearTimeout(timer);
}

/** A socket that closes during the acknowledgement does not undo the person's request (slack-facts.md §5). */
async function acknowledge(ack: () => Promise<void>, log: Log): Promise<void> {
  try {
    await ack();
  } catch (error) {
    log.tell(acknowledgementFailed, { error: error instanceof Error ? error.name : 'unknown' });
  }
}

/** Undefined closes the form. */
function answerTo(settled: SubmissionResult): ViewResponseAction | undefined {
  switch (settled.kind) {
    case 'accepted':
    case 'closed':
      return undefined;
    case 'next':
      return { response_action: 'update', view: formView(settled.form) };
    case 'problems':
      return { response_action: 'errors', errors: errorsOf(settled.problems) };
    case 'over':
      return { response_action: 'update', view: overView(settled.why) };
  }
}

type Typed = Invocation & { readonly delivery: string };

export interface TypedInbox {
  readonly ask: (invocation: Invocation) => Promise<void>;
  /** Whether accepted lines are stored; not while the journal is unusable. */
  readonly isWritten: () => boolean;
  /** Resolves when they are, or when everything about them has been said. */
  readonly secured: () => Promise<void>;
  /** A typed line is finished. */
  readonly seenTo: (delivery: string) => Promise<void>;
  /** Runs a task in the background; `listener` hears of its failure. */
  readonly track: (task: () => Promise<void>, listener?: Listener) => void;
  /** Runs a task and waits until its listener has heard of a failure. */
  readonly attempt: (task: () => Promise<void>, listener: Listener) => Promise<void>;
}

/** The way a line was typed, which decides what Slack does without an acknowledgement. */
type Way =
  /**
   * Slack tells the author after three seconds, and never repeats it. `unwritten` says instead that the line is
   * not stored.
   */
  | { readonly kind: 'command'; readonly unwritten: () => Promise<void> }
  /** Slack repeats it three times within six minutes. */
  | { readonly kind: 'event' };

/** How long a command's acknowledgement waits for its storage, in milliseconds of the 3,000 there are. */
const soon = 1_800;

/**
 * Accepts typed lines: each is acknowledged when it is stored, and answered then. If it cannot be stored, it is
 * answered first. If the bot dies before that, Slack tells the author or repeats it.
 */
export function createTakeLine(
  inbox: TypedInbox,
  isNew: (delivery: string, typed: Typed) => Promise<boolean>,
  log: Log,
): (invocation: Typed, ack: () => Promise<void>, way: Way, isAcknowledged: () => void) => void {
  return (invocation, ack, way, isAcknowledged) => {
    const { delivery } = invocation;
    inbox.track(async () => {
      const began = performance.now();
      const taken = isNew(delivery, invocation);
      let isStored = false;
      const stored = taken.then(
        () => {
          isStored = true;
        },
        () => undefined,
      );
      // A line that is acknowledged before it is stored is lost with the process.
      const isSafe = () => isStored && inbox.isWritten();
      const answer = async () => {
        if (!(await taken)) return;
        // The author hears of a failure before the line counts as done.
        await inbox.attempt(() => inbox.ask(invocation), invocation);
        await inbox.seenTo(delivery);
      };
      await (way.kind === 'command' ? forAMoment(stored, soon) : stored);
      if (isSafe()) {
        await acknowledge(ack, log).finally(isAcknowledged);
        return answer();
      }
      let isAnswered = false;
      const answered = answer().then(() => {
        isAnswered = true;
      });
      try {
        if (way.kind === 'command') {
          await forAMoment(answered, answerWithin - (performance.now() - began));
          await acknowledge(isAnswered || isSafe() ? ack : way.unwritten, log);
        } else {
          await answered;
          // A repetition is left to the first delivery.
          if (await taken) await inbox.secured().then(() => acknowledge(ack, log));
        }
      } finally {
        isAcknowledged();
      }
      await answered;
    }, invocation);
  };
}

import { versionOf } from '../../auth/version.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { nameOf } from '../../handlers/command-name.ts';
import { cleanLine } from '../../handlers/language/line.ts';
import type { Match } from '../../handlers/language/match.ts';
import { channel as channelSpan, code, plainText, say, type Text } from '../../handlers/reply.ts';
import { ownWords } from '../../handlers/understanding/own-words.ts';
import type { Reader } from '../../handlers/understanding/reader.ts';
import { type Membership, notThere } from '../authority/own-channels.ts';
import type { Press, Submission, SubmissionResult } from '../base/chat.ts';
import type { Choosable, Form, Query } from '../base/form.ts';
import { createReplyAddresses } from '../base/reply-addresses.ts';
import { type After, inTime } from '../base/timeout.ts';
import type { Parts } from '../ground/ground.ts';
import { builderIn, keepBuilder } from '../showing/form-buttons.ts';

/** Somebody opens it from where there is no channel; `channel` is their own ID until they choose one. */
export type Opening = Pick<Press, 'team' | 'channel' | 'person'> & { readonly trigger: string };

/**
 * A form in which one searches a command as one types. What was chosen goes the way of a typed line: its form, or its answer.
 * Where no channel is known it is asked for first, and nothing is shown before it is certain that the person is in it.
 */
export interface Builder {
  /** From where there is no channel. */
  readonly open: (opening: Opening) => Promise<void>;
  /** A click on *Run a command* in a channel. */
  readonly press: (press: Press) => Promise<void>;
  /** Undefined when the form is another one. */
  readonly submit: (submission: Submission) => Promise<SubmissionResult | undefined>;
  readonly search: (query: Query) => Promise<readonly Choosable[] | undefined>;
}

export interface BuilderParts extends Parts {
  readonly commands: readonly AnyCommand[];
  readonly match: Reader;
  readonly after: After;
}

/** How long a whisper can be answered to, in milliseconds (slack-facts.md §1). */
const replyable = 30 * 60_000;

export function createBuilder(parts: BuilderParts): Builder {
  const { commands, match, authority, ownChannels, journal, chat, whisper, interactionLog, now, after } =
    parts;
  const replyAddresses = createReplyAddresses(now);

  return {
    open: async (opening) => {
      const token = await keepBuilder(opening, parts, { step: 'channel' });
      const isOpen = await chat.openForm(opening.trigger, channelForm(token));
      if (!isOpen) await whisper(opening, { headline: notOpened });
    },

    press: async (press) => {
      const { team, channel, person, trigger, replyTo } = press;
      const kept = await journal.kept(press.token);
      if (kept === undefined || builderIn(kept)?.step !== 'command' || kept.channel !== channel) {
        return interactionLog.decline(press, {}, { code: 'form_over', reply: { headline: gone } });
      }
      if (kept.person !== person) return interactionLog.decline(press, {}, { code: 'not_your_offer' });
      const token = await keepBuilder({ channel, person }, parts);
      if (replyTo !== undefined) replyAddresses.remember(token, replyTo, now() + replyable);
      const isOpen = trigger !== undefined && (await chat.openForm(trigger, commandForm(token, channel)));
      if (isOpen) await interactionLog.opened({ team, channel, person }, { token }, 'command');
      else await whisper(press, { headline: notOpened });
    },

    submit: async (submission) => {
      const { team, person, token, entered, trigger } = submission;
      const kept = await journal.kept(token);
      const builder = kept && builderIn(kept);
      if (kept === undefined || builder === undefined) return undefined;
      if (kept.person !== person) {
        return { kind: 'over', why: say`This form was opened for somebody else. No changes were made.` };
      }
      if (builder.step === 'channel') return channelChosen(submission);
      const { channel } = kept;
      // They may have left it since they named it.
      const out = builder.named ? await keptOut(submission, channel) : undefined;
      if (out !== undefined) return { kind: 'problems', problems: { command: out } };
      const [name] = entered.words.command ?? [];
      const command = commands.find((one) => nameOf(one) === name);
      if (command === undefined) return { kind: 'problems', problems: { command: say`This is needed.` } };
      if ((await journal.take(token, person)) === undefined) return { kind: 'over', why: gone };
      const replyTo = replyAddresses.take(token);
      const asked = { command, typed: {} };
      return {
        kind: 'accepted',
        // Whoever searches has not read what it does: what it changes is put before them.
        invocation: {
          ...{ team, channel, person, trigger, replyTo },
          ...{ line: nameOf(command), asked, form: token, guess: true },
        },
      };
    },

    search: async ({ person, token, typed }) => {
      const kept = await journal.kept(token);
      const builder = kept && builderIn(kept);
      if (kept === undefined || builder === undefined) return undefined;
      if (kept.person !== person) return [];
      const line = cleanLine(typed);
      if (builder.step === 'channel') return channelsFor(person, line.toLowerCase());
      const { channel } = kept;
      const found = builder.named ? await membership(person, channel) : 'member';
      if (found !== 'member') return found === 'lookup_failed' ? [unread] : [];
      await journal.formSearched(token);
      const may = await authority.suggests(person, channel);
      // By its words alone: no appliance is asked at each key.
      const own = ownWords(authority.policy().words ?? {});
      const meant = line === '' ? [] : meantBy(match(line, undefined, own));
      const written = commands.filter((one) => isWritten(one, line.toLowerCase()));
      return [...new Set([...meant, ...written])].filter(may).map((one) => {
        const name = nameOf(one);
        return { word: name, label: `${name} – ${one.summary}` };
      });
    },
  };

  async function channelChosen(submission: Submission): Promise<SubmissionResult> {
    const { team, person, entered } = submission;
    const [channel] = entered.words.channel ?? [];
    if (channel === undefined) return { kind: 'problems', problems: { channel: say`This is needed.` } };
    if (channel === unread.word) return { kind: 'problems', problems: { channel: notThere.lookup_failed } };
    const out = await keptOut(submission, channel);
    if (out !== undefined) return { kind: 'problems', problems: { channel: out } };
    const token = await keepBuilder({ channel, person }, parts, { named: true });
    await interactionLog.opened({ team, channel, person }, { token }, 'command');
    return { kind: 'next', form: commandForm(token, channel) };
  }

  /** Why somebody may have nothing run in a channel that they have only named; undefined when they are in it. */
  async function keptOut({ team, person }: Submission, channel: string): Promise<Text | undefined> {
    const found = await membership(person, channel);
    if (found === 'member') return undefined;
    const why = notThere[found];
    const outcome = { code: found, says: plainText(why) };
    const policy = versionOf(authority.policy());
    // What was named may be anything, and is no channel that anybody's records are told of.
    const line = `(Run a command in ${cleanLine(channel).slice(0, longestId)})`;
    await journal.write({ team, channel: person, person, line, policy, state: 'refused', outcome });
    return why;
  }

  async function membership(person: string, channel: string): Promise<Membership> {
    return (await inTime(after, ownChannels.look(person, channel))) ?? 'lookup_failed';
  }

  async function channelsFor(person: string, words: string): Promise<readonly Choosable[]> {
    const own = (await inTime(after, ownChannels.of(person))) ?? 'lookup_failed';
    if (own === 'lookup_failed') return [unread];
    return own
      .map(({ id, name, appliance }) => ({
        word: id,
        label: `${name === '' ? 'Direct message' : `#${name}`} – ${appliance}`,
      }))
      .filter(({ label }) => label.toLowerCase().includes(words));
  }
}

/** An empty list would say that there is none. */
const unread: Choosable = {
  word: 'lookup_failed',
  label: 'Slack doesn’t tell which channels you are in. Try again in a minute.',
};

/** Of what is named as a channel, what the journal keeps. */
const longestId = 20;

const title = 'Run a command';
const submit = 'Continue';

const channelForm = (token: string): Form => ({
  ...{ token, title, submit },
  explanation: say`Choose the channel to run it in. The list has the channels that you are in and where Appliance Bot is enabled.`,
  inputs: [picker('channel', 'Channel')],
});

const commandForm = (token: string, channel: string): Form => ({
  ...{ token, title, submit },
  explanation: say`Runs in ${placeOf(channel)}. Type what you want to do, such as ${code('kick')}. The next step asks for what the command needs.`,
  inputs: [picker('command', 'Command')],
});

/** A direct message has no name that Slack would show. */
const placeOf = (channel: string): Text =>
  channel.startsWith('D') ? say`your direct message with Appliance Bot` : say`${channelSpan(channel)}`;

const picker = (name: string, label: string): Form['inputs'][number] => ({
  ...{ name, label, optional: false },
  kind: { is: 'search', initial: [], several: false },
});

const gone = say`This form has expired. No changes were made. Type ${code('/appliance help')} for a new one.`;
const notOpened = say`Slack did not open the form. No changes were made. Press the button again, or type the line.`;

const isWritten = (command: AnyCommand, words: string): boolean =>
  [nameOf(command), command.summary.toLowerCase()].some((text) => text.includes(words));

/** Every command that a line may be taken for, the likeliest first. */
function meantBy(found: Match): readonly AnyCommand[] {
  if ('nearest' in found) return found.nearest.map(({ command }) => command);
  if ('continuations' in found) return found.continuations;
  return 'command' in found && found.command !== undefined ? [found.command] : [];
}

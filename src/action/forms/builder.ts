import { versionOf } from '../../auth/policy.ts';
import { shortened } from '../../graphemes.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { nameOf } from '../../handlers/command-name.ts';
import { firstOf, isOf, type Topic, topics } from '../../handlers/help/topics.ts';
import { type Asked, lineOf } from '../../handlers/language/asked.ts';
import { cleanLine } from '../../handlers/language/line.ts';
import type { Match } from '../../handlers/language/match.ts';
import { channel as channelSpan, say, type Text } from '../../handlers/reply.ts';
import type { Reader } from '../../handlers/understanding/reader.ts';
import { sayingsIn } from '../../handlers/understanding/sayings.ts';
import { isFiller } from '../../handlers/understanding/vocabulary.ts';
import { JournalUnavailable } from '../../journal/unavailable.ts';
import type { Membership } from '../authority/own-channels.ts';
import type { Press, Submission, SubmissionResult } from '../base/chat.ts';
import { type Choosable, type Form, type Input, mostChoices, type Query } from '../base/form.ts';
import { createReplyAddresses } from '../base/reply-addresses.ts';
import { type After, inTime } from '../base/timeout.ts';
import type { Parts } from '../ground/ground.ts';
import { builderIn, keepBuilder } from '../showing/form-buttons.ts';
import { explain, outcomeOf } from '../wording/faults.ts';

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
  /** What a line typed in that channel would be taken for. */
  readonly read: (line: string, asker: Pick<Press, 'person' | 'channel'>) => Promise<Match>;
  readonly after: After;
}

/** How long a whisper can be answered to, in milliseconds (slack-facts.md §1). */
const replyable = 30 * 60_000;

export function createBuilder(parts: BuilderParts): Builder {
  const { commands, match, read, authority, ownChannels, journal, chat, whisper, interactionLog } = parts;
  const { commandByPhrase, now, after } = parts;
  const replyAddresses = createReplyAddresses(now);

  return {
    open: async (opening) => {
      const token = await keepBuilder(opening, parts, { step: 'channel' });
      const isOpen = await chat.openForm(opening.trigger, channelForm(token));
      if (!isOpen) await whisper(opening, explain({ code: 'form_not_opened' }));
    },

    press: async (press) => {
      const { team, channel, person, trigger, replyTo } = press;
      const kept = await journal.kept(press.token);
      if (kept === undefined || builderIn(kept)?.step !== 'command' || kept.channel !== channel) {
        return interactionLog.decline(press, {}, { code: 'form_over' });
      }
      if (kept.person !== person) return interactionLog.decline(press, {}, { code: 'not_your_offer' });
      const token = await keepBuilder({ channel, person }, parts);
      if (replyTo !== undefined) replyAddresses.remember(token, replyTo, now() + replyable);
      const isOpen = trigger !== undefined && (await chat.openForm(trigger, commandForm(token, channel)));
      if (isOpen) await interactionLog.opened({ team, channel, person }, { token }, 'command');
      else await whisper(press, explain({ code: 'form_not_opened' }));
    },

    submit: async (submission) => {
      const { team, person, token, entered, trigger } = submission;
      const kept = await journal.kept(token);
      const builder = kept && builderIn(kept);
      if (kept === undefined || builder === undefined) return undefined;
      if (kept.person !== person) return { kind: 'over', why: explain({ code: 'form_not_yours' }).headline };
      if (builder.step === 'channel') return channelChosen(submission);
      const { channel } = kept;
      // They may have left it since they named it.
      const out = builder.named ? await keptOut(submission, channel) : undefined;
      if (out !== undefined) return { kind: 'problems', problems: { command: out } };
      const asked = chosen(entered.words.command?.[0] ?? '');
      if (asked === undefined) return { kind: 'problems', problems: { command: say`This is required.` } };
      if ((await journal.take(token, person)) === undefined)
        return { kind: 'over', why: explain({ code: 'form_over' }).headline };
      const replyTo = replyAddresses.take(token);
      return {
        kind: 'accepted',
        // Whoever searches has not read what it does: what it changes is put before them.
        invocation: {
          team,
          channel,
          person,
          trigger,
          replyTo,
          line: lineOf(asked),
          asked,
          form: token,
          guess: true,
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
      await journal.formSearched(token);
      return (
        (await inTime(after, commandsFor({ person, channel: kept.channel }, builder.named, line))) ?? [slow]
      );
    },
  };

  /** What a choice stands for: a command by its name, or a line with what was typed in it. */
  function chosen(word: string): Asked | undefined {
    const command = commands.find((one) => nameOf(one) === word);
    if (command !== undefined) return { command, typed: {} };
    const found = word === '' ? undefined : match.plainly(cleanLine(word));
    return found?.kind === 'command' || found?.kind === 'missing' ? found : undefined;
  }

  async function commandsFor(
    { channel, person }: { readonly channel: string; readonly person: string },
    isNamed: boolean,
    line: string,
  ): Promise<readonly Choosable[]> {
    const standing = isNamed ? await ownChannels.look(person, channel) : 'member';
    if (standing !== 'member') return standing === 'lookup_failed' ? [unread] : [];
    const [may, used] = await Promise.all([authority.suggests(person, channel), usedIn(person, channel)]);
    // The commonest of each area first, in the order of what people come for.
    const mine = topics.flatMap((topic) => commonestIn(topic, commands.filter(may)));
    const usual = used.filter(may).slice(0, habits.most);
    if (line === '') return everything(usual, mine);
    // Whoever may ask the appliance nothing has it asked for no names either.
    const mayAsk = mine.some(({ kind }) => kind !== 'info');
    const meant = mayAsk ? await read(line, { person, channel }) : match(line);
    const nearest = ('nearest' in meant ? meant.nearest : []).flatMap(({ asked }) =>
      may(asked.command) ? [asked] : [],
    );
    const isImpossible = meant.kind === 'impossible';
    // The line begins several commands: the commonest comes first, as without any typing, and of the others a lookup.
    const rankOf = (command: AnyCommand) => (isCommon(command) ? 0 : command.effect === 'read' ? 1 : 2);
    const begun = choicesOf(meant)
      .filter(({ command }) => may(command))
      .toSorted((one, other) => mine.indexOf(one.command) - mine.indexOf(other.command))
      .toSorted((one, other) => rankOf(one.command) - rankOf(other.command));
    const called = calledSo(line, mine).toSorted(
      (one, other) => Number(isCommon(other)) - Number(isCommon(one)),
    );
    // A guess that only holds a synonym of the line comes after the commands that people call by its very words.
    const isGuessCalledSo = nearest[0] === undefined || called.includes(nearest[0].command);
    const likely = isImpossible
      ? []
      : [...begun, ...(isGuessCalledSo ? [] : called.map((command) => ({ command, typed: {} }))), ...nearest];
    const named = namedBy(line, mine);
    const found = grouped([
      ['Best matches', likely.map(choiceOf)],
      ['Commands with these words', named.map(byName)],
      [
        'The appliance can’t do that. Closest commands',
        isImpossible && named.length === 0 ? nearest.map(choiceOf) : [],
      ],
    ]);
    if (found.length > 0) return found;
    const first = topics.flatMap((topic) => commonestIn(topic, mine).slice(0, 1));
    return grouped([['Nothing that you can run here matches. Try', [...usual, ...first].map(byName)]]);
  }

  /** The commands that somebody runs most, those of this channel first. */
  async function usedIn(person: string, channel: string): Promise<readonly AnyCommand[]> {
    try {
      const used = await journal.usedBy(person, now() - habits.within, habits.looked);
      const here = used.filter((one) => one.channel === channel);
      return [...new Set([...here, ...used].flatMap(({ phrase }) => commandByPhrase.get(phrase) ?? []))];
    } catch (error) {
      // Without the journal the list has everything but their habits.
      if (error instanceof JournalUnavailable) return [];
      throw error;
    }
  }

  async function channelChosen(submission: Submission): Promise<SubmissionResult> {
    const { team, person, entered } = submission;
    const [channel] = entered.words.channel ?? [];
    if (channel === undefined) return { kind: 'problems', problems: { channel: say`This is required.` } };
    if (channel === nowhere.word)
      return { kind: 'problems', problems: { channel: explain({ code: 'not_enabled' }).headline } };
    if (channel === unread.word)
      return { kind: 'problems', problems: { channel: explain({ code: 'lookup_failed' }).headline } };
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
    const policy = versionOf(authority.policy());
    // What was named may be anything, and is no channel that anybody's records are told of.
    const line = `(Run a command in ${shortened(cleanLine(channel), longestId)})`;
    await journal.write({
      team,
      channel: person,
      person,
      line,
      policy,
      state: 'refused',
      outcome: outcomeOf({ code: found }),
    });
    return explain({ code: found }).headline;
  }

  async function membership(person: string, channel: string): Promise<Membership> {
    return (await inTime(after, ownChannels.look(person, channel))) ?? 'lookup_failed';
  }

  async function channelsFor(person: string, words: string): Promise<readonly Choosable[]> {
    const own = (await inTime(after, ownChannels.of(person))) ?? 'lookup_failed';
    if (own === 'lookup_failed') return [unread];
    if (own.length === 0) return [nowhere];
    const all = own.map(({ id, name, appliance }) => ({
      word: id,
      label: `${name === '' ? 'Direct message' : `#${name}`} – ${appliance}`,
    }));
    // People write the name of a channel with spaces as well.
    const found = all.filter(({ label }) =>
      [words, words.replaceAll(' ', '-')].some((one) => label.toLowerCase().includes(one)),
    );
    return found.length > 0 ? found : grouped([['No channel of yours has this name. Yours are', all]]);
  }
}

/** An empty list would say that there is none. */
const unread: Choosable = {
  word: 'lookup_failed',
  label: 'Slack doesn’t tell which channels you are in. Open this again in a minute.',
};

const nowhere: Choosable = {
  word: 'nowhere',
  label: 'You are in no channel where Appliance Bot is enabled. Join one first.',
};

/** What an answer within three seconds has no time for. */
const slow: Choosable = {
  word: 'too_slow',
  label: 'Slack or the appliance is slow to answer. Type again in a moment.',
};

/** How far back somebody's habits go, in milliseconds; how many commands are looked through, and how many are shown. */
const habits = { within: 30 * 24 * 60 * 60_000, looked: 30, most: 6 };

/** More characters are no value of a choice (slack-facts.md §2). */
const longestChosen = 75;

/** Of what is named as a channel, what the journal keeps. */
const longestId = 20;

const title = 'Run a command';
const submit = 'Continue';

const channelForm = (token: string): Form => ({
  token,
  title,
  submit,
  explanation: say`Choose the channel to run it in. The list has the channels that you are in and where Appliance Bot is enabled.`,
  inputs: [picker('channel', 'Channel', 'Type the name of a channel')],
});

const commandForm = (token: string, channel: string): Form => ({
  token,
  title,
  submit,
  explanation: say`Runs in ${placeOf(channel)}. The next step asks for what the command needs.`,
  inputs: [
    {
      ...picker('command', 'Command', 'Type what you want to do'),
      hint: 'In your own words, such as “kick bob” or “why can’t I open example.com”. The list has only what you can run there.',
    },
  ],
});

/** A direct message has no name that Slack would show. */
const placeOf = (channel: string): Text =>
  channel.startsWith('D') ? say`your direct message with Appliance Bot` : say`${channelSpan(channel)}`;

const picker = (name: string, label: string, placeholder: string): Input => ({
  name,
  label,
  optional: false,
  kind: { is: 'search', initial: [], several: false, placeholder },
});

/** The commands that a line names or begins with, with what was typed. */
function choicesOf(found: Match): readonly Asked[] {
  switch (found.kind) {
    case 'command':
    case 'missing':
      return [found];
    case 'incomplete':
    case 'astray':
      return found.continuations.map((command) => ({ command, typed: {} }));
    default:
      // What was typed does not fit into it, and its form asks anew.
      return 'command' in found && found.command !== undefined ? [{ command: found.command, typed: {} }] : [];
  }
}

/** With what was typed, where that can be carried by the choice (slack-facts.md §2). */
function choiceOf({ command, typed, ...manner }: Asked): Choosable {
  const line = lineOf({ command, typed, ...manner });
  const says = Object.values(typed).some((words) => (words ?? []).length > 0);
  const word = says && line.length <= longestChosen ? line : nameOf(command);
  return { word, label: `${word} – ${command.summary}` };
}

const byName = (command: AnyCommand): Choosable => choiceOf({ command, typed: {} });

/** What is chosen stands under the first heading that it fits, and a heading without choices is left out. */
function grouped(
  groups: readonly (readonly [heading: string, choices: readonly Choosable[]])[],
): readonly Choosable[] {
  const all = groups.flatMap(([group, choices]) => choices.map((one) => ({ ...one, group })));
  return all.filter(({ word }, index) => all.findIndex((one) => one.word === word) === index);
}

/** Whether people come for it in its area. */
const isCommon = (command: AnyCommand): boolean =>
  topics.some(({ first }) => first.includes(nameOf(command)));

/** Those of these commands that belong to a topic, the commonest first. */
const commonestIn = (topic: Topic, commands: readonly AnyCommand[]): readonly AnyCommand[] => {
  const entries = commands.filter((one) => isOf(topic, one)).map((command) => ({ command }));
  return firstOf(topic, entries, entries.length).map(({ command }) => command);
};

/** What somebody may run: what they run often, then by what people come for. Each area has its commonest commands in the list. */
function everything(usual: readonly AnyCommand[], mine: readonly AnyCommand[]): readonly Choosable[] {
  const others = mine.filter((one) => !usual.includes(one));
  const byTopic = topics.map((topic) => commonestIn(topic, others));
  const most = Math.max(0, ...byTopic.map(({ length }) => length));
  // The commonest of every area come before the second commonest of any.
  const inTurn = Array.from({ length: most }, (_, rank) =>
    byTopic.flatMap((some) => some[rank] ?? []),
  ).flat();
  const shown = new Set(inTurn.slice(0, mostChoices - usual.length));
  return grouped([
    ['You use often', usual.map(byName)],
    ...topics.map(
      ({ title: heading }, index) =>
        [heading, (byTopic[index] ?? []).filter((one) => shown.has(one)).map(byName)] as const,
    ),
  ]);
}

/** The commands in whose name, summary or sayings all words of a line begin a word: people see the list while they type. */
function namedBy(line: string, commands: readonly AnyCommand[]): readonly AnyCommand[] {
  const fits = holds(line, (written, typed) => written.startsWith(typed));
  const rankOf = (command: AnyCommand): number =>
    [[nameOf(command)], callsOf(command), [`${nameOf(command)} ${command.summary}`]].findIndex((texts) =>
      texts.some(fits),
    );
  return commands
    .map((command) => ({ command, rank: rankOf(command) }))
    .filter(({ rank }) => rank !== -1)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ command }) => command);
}

/** The commands that people call by all words of a line, each of them whole. */
const calledSo = (line: string, commands: readonly AnyCommand[]): readonly AnyCommand[] => {
  const fits = holds(line, (written, typed) => written === typed);
  return commands.filter((command) => callsOf(command).some(fits));
};

const callsOf = ({ phrase, also = [], says }: AnyCommand): readonly string[] => [
  phrase,
  ...also,
  ...sayingsIn(says),
];

/** Whether a text has a word that fits for each word of the line. Fillers count only in a line that has nothing else. */
function holds(line: string, fits: (written: string, typed: string) => boolean): (text: string) => boolean {
  const words = wordsOf(line);
  const telling = words.filter((word) => !isFiller(word));
  const typed = telling.length === 0 ? words : telling;
  return (text) => {
    const written = wordsOf(text);
    return typed.every((word) => written.some((one) => fits(one, word)));
  };
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

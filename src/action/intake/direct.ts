import { versionOf } from '../../auth/policy.ts';
import type { Match } from '../../handlers/language/match.ts';
import type { Action } from '../../journal/journal.ts';
import { targetsIn } from '../authority/asked-of.ts';
import { accessOf } from '../authority/terms.ts';
import type { Invocation, Press } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { recently, saysThat } from '../history/standing.ts';
import { wantedIn } from '../taking/asking.ts';
import { explain, outcomeOf } from '../wording/faults.ts';

/**
 * Direct messages with the bot. They have no rules of their own: what is asked there counts in one of the person's channels, and is
 * answered where it was asked.
 */
export interface Direct {
  /** Asks the same in the channel whose rules count; where there is none, in the direct message. */
  readonly asked: (invocation: Invocation, ask: (there: Invocation) => Promise<void>) => Promise<void>;
  /** The same in the channel that its button is about. Undefined when they are not in it any more, which they were told. */
  readonly pressed: (press: Press) => Promise<Press | undefined>;
}

export interface DirectParts extends Parts {
  readonly read: (line: string, asker: Pick<Invocation, 'person' | 'channel'>) => Promise<Match>;
}

export function createDirect(parts: DirectParts): Direct {
  const { authority, ownChannels, journal, whisper, read, now } = parts;

  return {
    asked: async (invocation, ask) => {
      const { channel: direct, thread } = invocation;
      if (!isDirect(direct)) return ask(invocation);
      const counted = await channelFor(invocation);
      const there = { ...invocation, askedIn: { below: thread, direct }, inPerson: true } as const;
      if (counted === 'lookup_failed') return refuse(there);
      // It is told that nothing is enabled there, and help can be had all the same.
      return ask({ ...there, channel: direct, ...counted });
    },

    pressed: async (press) => {
      const { token, person, channel: place } = press;
      const isHome = place === person;
      if (!isHome && !isDirect(place) && press.whispered !== true) return press;
      const action = await journal.byToken(token);
      if (!isHome && !isDirect(place)) return pressedElsewhere(press, action);
      const direct = isHome ? undefined : place;
      const about = action ?? (await journal.kept(token));
      // What stands in a direct message about a card elsewhere was shown to this person alone.
      const whispered = !isHome && action !== undefined && action.direct !== direct;
      const there = { ...press, inPerson: true, direct, whispered } as const;
      if (about === undefined) return there;
      const { channel } = about;
      const membership = await ownChannels.look(person, channel);
      if (membership === 'member') return { ...there, channel };
      await whisper(there, explain({ code: membership }));
      return undefined;
    },
  };

  /** What is shown to one person alone in a channel may be about another one of theirs. */
  async function pressedElsewhere(press: Press, action: Action | undefined): Promise<Press | undefined> {
    const { person, channel: place } = press;
    if (action === undefined || action.channel === place) return press;
    const membership = await ownChannels.look(person, action.channel);
    if (membership === 'member') return { ...press, channel: action.channel, inPerson: true };
    await whisper(press, explain({ code: membership }));
    return undefined;
  }

  /** The policy may enable one like a channel. */
  function isDirect(channel: string): boolean {
    return channel.startsWith('D') && authority.channel(channel) === undefined;
  }

  /** Whose rules count could not be found out. The line is not read, so it may carry a password. */
  async function refuse(to: Invocation): Promise<void> {
    const { team, channel, person, delivery } = to;
    const fault = { code: 'lookup_failed' } as const;
    const line = '(not read: Slack couldn’t be asked for the channel)';
    const policy = versionOf(authority.policy());
    await journal.write({
      team,
      channel,
      person,
      line,
      delivery,
      policy,
      state: 'refused',
      outcome: outcomeOf(fault),
    });
    await whisper(to, explain(fault));
  }

  /** Where it can be done and they may do it; of several, where they did something last from here. */
  async function channelFor(invocation: Invocation): Promise<Counted | 'lookup_failed' | undefined> {
    const { person, channel: direct, line } = invocation;
    const known = await ownChannels.of(person);
    if (known === 'lookup_failed') return known;
    const own = known.map(({ id }) => id);
    const [first] = own;
    if (first === undefined) return undefined;
    if (own.length === 1) return { channel: first };
    const found = await read(line, { person, channel: first });
    if (found.kind !== 'command' && found.kind !== 'missing') return { channel: first };
    // "undo" and "again" mean what they did last, wherever that was.
    const [newest] = saysThat(found.command) ? await journal.askedBy(person, now() - recently, 1) : [];
    const last = (newest ?? (await journal.lastIn(direct)))?.channel;
    const byRecency = own.toSorted((one, other) => Number(other === last) - Number(one === last));
    const possible = await Promise.all(
      byRecency.map(async (channel) => {
        const targets = targetsIn(found, channel, parts);
        const wanted = { ...wantedIn(found, channel, parts), access: accessOf(found) };
        const { allow } = await authority.decide({ person, channel, ...wanted });
        return allow && targets?.ok !== false ? [{ channel, on: targets?.names.join() }] : [];
      }),
    );
    const [chosen, ...rest] = possible.flat();
    if (chosen === undefined) return { channel: byRecency[0] ?? first };
    const { channel, on } = chosen;
    // Which of their channels is meant was not said: where that makes a difference, what changes something is asked about first.
    return { channel, ...(rest.some((one) => one.on !== on) && { guess: true }) };
  }
}

/** The channel whose rules count, and whether it was guessed. */
type Counted = Pick<Invocation, 'channel' | 'guess'>;

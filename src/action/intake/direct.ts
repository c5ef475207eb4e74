import type { Match } from '../../handlers/language/match.ts';
import { notThere } from '../authority/own-channels.ts';
import type { Invocation, Press } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { accessOf, wantedIn } from './asking.ts';

/**
 * Direct messages with the bot. They have no rules of their own: what is asked there counts in one of the person's channels, and is
 * answered where it was asked.
 */
export interface Direct {
  /** The same in the channel whose rules count; where there is none, in the direct message. */
  readonly asked: (invocation: Invocation) => Promise<Invocation>;
  /** The same in the channel that its button is about. Undefined when they are not in it any more, which they were told. */
  readonly pressed: (press: Press) => Promise<Press | undefined>;
}

export interface DirectParts extends Parts {
  readonly read: (line: string, asker: Pick<Invocation, 'person' | 'channel'>) => Promise<Match>;
}

export function createDirect(parts: DirectParts): Direct {
  const { authority, ownChannels, journal, whisper, read } = parts;

  return {
    asked: async (invocation) => {
      const { channel: direct, thread } = invocation;
      if (!isDirect(direct)) return invocation;
      const channel = await channelFor(invocation);
      const there = { ...invocation, askedIn: { below: thread, direct }, inPerson: true } as const;
      // It is told that nothing is enabled there, and help can be had all the same.
      return { ...there, channel: channel ?? direct };
    },

    pressed: async (press) => {
      const { token, person, channel: place } = press;
      const isHome = place === person;
      if (!isHome && !isDirect(place)) return press;
      const direct = isHome ? undefined : place;
      const action = await journal.byToken(token);
      const about = action ?? (await journal.kept(token));
      // What stands in a direct message about a card elsewhere was shown to this person alone.
      const whispered = !isHome && action !== undefined && action.direct !== direct;
      const there = { ...press, inPerson: true, direct, whispered } as const;
      if (about === undefined) return there;
      const { channel } = about;
      const membership = await ownChannels.look(person, channel);
      if (membership === 'member') return { ...there, channel };
      await whisper(there, { headline: notThere[membership] });
      return undefined;
    },
  };

  /** The policy may enable one like a channel. */
  function isDirect(channel: string): boolean {
    return channel.startsWith('D') && authority.channel(channel) === undefined;
  }

  /** Where they may do it; of several, where they did something last from here. */
  async function channelFor({ person, channel: direct, line }: Invocation): Promise<string | undefined> {
    const own = (await ownChannels.of(person)).map(({ id }) => id);
    const last = (await journal.lastIn(direct))?.channel;
    const [first, ...others] = own.toSorted((one, other) => Number(other === last) - Number(one === last));
    if (first === undefined || others.length === 0) return first;
    const found = await read(line, { person, channel: first });
    if (found.kind !== 'command' && found.kind !== 'missing') return first;
    for (const channel of [first, ...others]) {
      const wanted = { ...wantedIn(found, channel, parts), access: accessOf(found) };
      if ((await authority.decide({ person, channel, ...wanted })).allow) return channel;
    }
    return first;
  }
}

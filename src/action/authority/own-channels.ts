import { channelIn } from '../../auth/decide.ts';
import type { Members } from '../../auth/members.ts';
import type { PolicyInForce } from '../../auth/policy.ts';

/** What somebody may have a command run in who asks from nowhere: by a shortcut, or from their own page. */
export interface OwnChannels {
  /** Those that they are in and that are enabled; that they could not be asked for is told apart from that there are none. */
  readonly of: (person: string) => Promise<readonly OwnChannel[] | 'lookup_failed'>;
  /** Whoever types there is in it; of whoever names it the chat is asked. */
  readonly look: (person: string, channel: string) => Promise<Membership>;
}

interface OwnChannel {
  readonly id: string;
  /** Empty where the chat has no name for it. */
  readonly name: string;
  readonly appliance: string;
}

/** Anything but `member` keeps somebody out. That it is not enabled is told to its members only. */
export type Membership = 'member' | 'not_member' | 'not_enabled' | 'lookup_failed';

export function createOwnChannels({ current }: PolicyInForce, members: Members): OwnChannels {
  return {
    of: async (person) => {
      const known = await members.channelsOf(person);
      if (known === 'lookup_failed') return known;
      const policy = current();
      return [...known]
        .flatMap(([id, name]) => {
          const channel = channelIn(policy, id);
          return channel === undefined ? [] : [{ id, name, appliance: channel.appliance }];
        })
        .toSorted((one, other) => one.name.localeCompare(other.name));
    },
    look: async (person, channel) => {
      const known = await members.channelsOf(person);
      if (known === 'lookup_failed') return known;
      if (!known.has(channel)) return 'not_member';
      return channelIn(current(), channel) === undefined ? 'not_enabled' : 'member';
    },
  };
}

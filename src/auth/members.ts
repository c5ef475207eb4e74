import type { ChannelSharing, Identity, PersonKind } from './request.ts';

/** Lookups of people and channels in the chat. All reject if the chat did not answer. */
export interface PeopleLookup {
  readonly who: (person: string) => Promise<Who>;
  /** The people in a user group; `unreadable` if the chat does not disclose them, which a retry does not change. */
  readonly peopleIn: (group: string) => Promise<readonly string[] | 'unreadable'>;
  /** Names of the people of the workspace; in a very large workspace, of some of them. */
  readonly everybody: () => Promise<readonly KnownPerson[]>;
  /** Whether people of another organisation are in a channel or invited into it. */
  readonly isShared: (channel: string) => Promise<boolean>;
  /** The channels of a person that the bot can see, by ID, with their names. */
  readonly channelsOf: (person: string) => Promise<ReadonlyMap<string, string>>;
}

export interface Who {
  readonly kind: PersonKind;
  /** The same for every account of one human in an organisation. */
  readonly human: string;
}

export interface KnownPerson {
  readonly id: string;
  readonly handle: string;
  /** Further names, the full name first. */
  readonly names: readonly string[];
}

/**
 * People, and the organisations that channels are shared with, cached: the chat answers only some 20 group
 * lookups a minute (slack-facts.md §4).
 */
export interface Members {
  /**
   * A person with everything that a decision needs, including which of `groups` they are in and which could not
   * be read. Never rejects: a failed lookup is an answer.
   */
  readonly identify: (person: string, groups: readonly string[]) => Promise<Identity>;
  readonly placeOf: (channel: string) => Promise<ChannelSharing>;
  /** The people among holders of a role, with user groups opened. A group that cannot be opened adds nobody. */
  readonly openGroups: (holders: readonly string[]) => Promise<readonly string[]>;
  /**
   * The holders (people, groups and the word `everyone`) without bots, to suggest whom to ask. Somebody who
   * cannot be looked up stays.
   */
  readonly withoutBots: (holders: readonly string[]) => Promise<readonly string[]>;
  /** The channels of a person, by ID, with their names. Never rejects. */
  readonly channelsOf: (person: string) => Promise<ReadonlyMap<string, string> | 'lookup_failed'>;
  /**
   * People with this name, ignoring case. Everybody can change their own name, so no permission may depend on
   * it. Rejects if the chat does not answer.
   */
  readonly called: (name: string) => Promise<readonly KnownPerson[]>;
  /**
   * All names of people in lower case, to tell which words of a line name somebody. Rejects if the chat does
   * not answer.
   */
  readonly names: () => Promise<ReadonlySet<string>>;
  readonly forgetPerson: (person: string) => void;
  readonly forgetGroup: (group: string) => void;
  readonly forgetChannel: (channel: string) => void;
}

/** How long each answer is cached, in milliseconds. An event from Slack about a change drops it at once. */
const freshness = {
  person: 5 * 60_000,
  group: 60_000,
  channel: 5 * 60_000,
  // Slack sends no event when somebody leaves a channel, so keep this only as long as a form that searches
  // channels is open.
  membership: 10_000,
  names: 10 * 60_000,
};

export function createMembers(lookup: PeopleLookup, now: () => number): Members {
  const people = remember(lookup.who, freshness.person, now);
  const groups = remember(
    async (group) => {
      const among = await lookup.peopleIn(group);
      return among === 'unreadable' ? undefined : new Set(among);
    },
    freshness.group,
    now,
  );
  const directory = remember(lookup.everybody, freshness.names, now);
  const allNames = remember(
    async () =>
      new Set((await directory.get('')).flatMap(({ handle, names }) => [handle, ...names].map(folded))),
    freshness.names,
    now,
  );
  const channels = remember(lookup.isShared, freshness.channel, now);
  const memberships = remember(lookup.channelsOf, freshness.membership, now);

  const kindOf = async (person: string) => (await people.get(person).catch(() => undefined))?.kind;

  async function groupsOf(person: string, candidates: readonly string[]) {
    const found = await Promise.all(
      candidates.map(async (group) => {
        const among = await groups.get(group).catch(() => undefined);
        return among === undefined ? 'unread' : among.has(person);
      }),
    );
    const unread = candidates.filter((_, index) => found[index] === 'unread');
    return {
      groups: new Set(candidates.filter((_, index) => found[index] === true)),
      ...(unread.length > 0 && { unread: new Set(unread) }),
    };
  }

  return {
    identify: async (id, candidates) => {
      const [who, groups] = await Promise.all([
        people.get(id).catch(() => undefined),
        groupsOf(id, candidates),
      ]);
      return who === undefined ? { kind: 'lookup_failed', id } : { ...who, id, ...groups };
    },
    placeOf: async (channel) => {
      try {
        return (await channels.get(channel)) ? 'shared' : 'own';
      } catch {
        return 'lookup_failed';
      }
    },
    openGroups: async (holders) => {
      const opened = await Promise.all(
        holders.map(async (id) =>
          id.startsWith('S') ? [...((await groups.get(id).catch(() => undefined)) ?? [])] : [id],
        ),
      );
      return [...new Set(opened.flat())];
    },
    withoutBots: async (holders) => {
      const isBot = await Promise.all(
        holders.map(async (id) => /^[UW]/.test(id) && (await kindOf(id)) === 'bot'),
      );
      return holders.filter((_, index) => !isBot[index]);
    },
    channelsOf: (person) => memberships.get(person).catch(() => 'lookup_failed' as const),
    called: async (name) => {
      const wanted = folded(name);
      const everybody = await directory.get('');
      return everybody.filter(({ handle, names }) =>
        [handle, ...names].some((one) => folded(one) === wanted),
      );
    },
    names: () => allNames.get(''),
    forgetPerson: people.forget,
    forgetGroup: groups.forget,
    forgetChannel: channels.forget,
  };
}

const folded = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

/** Caches answers for a while. Questions share one that is under way; failures are not cached. */
function remember<Answer>(ask: (key: string) => Promise<Answer>, freshFor: number, now: () => number) {
  const known = new Map<string, { readonly answer: Promise<Answer>; readonly until: number }>();
  return {
    get: (key: string): Promise<Answer> => {
      const found = known.get(key);
      if (found !== undefined && found.until > now()) return found.answer;
      const answer = ask(key);
      known.set(key, { answer, until: now() + freshFor });
      answer.catch(() => {
        if (known.get(key)?.answer === answer) known.delete(key);
      });
      return answer;
    },
    forget: (key: string): void => void known.delete(key),
  };
}

import type { ChannelSharing, Identity, PersonKind } from './request.ts';

/** How to ask the chat about people and channels. All reject when the question could not be answered. */
export interface PeopleLookup {
  readonly who: (person: string) => Promise<Who>;
  /** The people in a user group, or that the chat does not say: then it will not in a moment, either. */
  readonly peopleIn: (group: string) => Promise<readonly string[] | 'unreadable'>;
  /** What the people of the workspace are called; of very many of them some. */
  readonly everybody: () => Promise<readonly KnownPerson[]>;
  /** Whether people of another organisation are in a channel, or have been invited into it. */
  readonly isShared: (channel: string) => Promise<boolean>;
  /** The channels that somebody is in, as far as the bot may know of them, with what each is called. */
  readonly channelsOf: (person: string) => Promise<ReadonlyMap<string, string>>;
}

export interface Who {
  readonly kind: PersonKind;
  /** The same for every account of one human in an organisation. */
  readonly human: string;
}

/** What somebody is called. */
export interface KnownPerson {
  readonly id: string;
  readonly handle: string;
  /** What else they are called, first their full name. */
  readonly names: readonly string[];
}

/** Who people are and whom channels are shared with, kept for a while: the chat answers only some 20 group lookups a minute (slack-facts.md §4). */
export interface Members {
  /**
   * Everything a decision needs to know of a person, with those of `groups` that they are in, and those that could not be read.
   * Never rejects: a failed lookup is an answer.
   */
  readonly identify: (person: string, groups: readonly string[]) => Promise<Identity>;
  /** Never rejects either. */
  readonly placeOf: (channel: string) => Promise<ChannelSharing>;
  /** People among holders of a role, user groups opened; a group that cannot be opened contributes nobody. */
  readonly openGroups: (holders: readonly string[]) => Promise<readonly string[]>;
  /** Those whom somebody can turn to: of people, groups and the word `everyone`, all but bots. Whoever cannot be looked up stays. */
  readonly withoutBots: (holders: readonly string[]) => Promise<readonly string[]>;
  /** The channels that somebody is in, by ID, with what each is called. Never rejects either. */
  readonly channelsOf: (person: string) => Promise<ReadonlyMap<string, string> | 'lookup_failed'>;
  /**
   * Those who are called so, whatever the case. A name is changed by whoever has it: nobody may be given or refused anything by it.
   * Rejects when the chat does not say.
   */
  readonly called: (name: string) => Promise<readonly KnownPerson[]>;
  /** All that people are called, in small letters: whoever reads a line knows by it which word is somebody. Rejects likewise. */
  readonly names: () => Promise<ReadonlySet<string>>;
  readonly forgetPerson: (person: string) => void;
  readonly forgetGroup: (group: string) => void;
  readonly forgetChannel: (channel: string) => void;
}

/** How long an answer is believed, in milliseconds. Slack also says when one of them changes, and then it is forgotten at once. */
const freshness = {
  person: 5 * 60_000,
  group: 60_000,
  channel: 5 * 60_000,
  // Slack does not say when somebody leaves a channel: no longer than a form that searches them is open before somebody.
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

/** Remembers answers for a while; questions asked while one is under way share it, and failures are not remembered. */
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

import type { Identity, PersonKind } from './decide.ts';
import { type ChannelPolicy, groupsIn } from './policy.ts';

/** How to ask the chat about people. Both reject when the question could not be answered. */
export interface Lookup {
  readonly kindOf: (person: string) => Promise<PersonKind>;
  /** The people in a user group. */
  readonly peopleIn: (group: string) => Promise<readonly string[]>;
}

/** Who people are, kept for a while: the chat answers only some 20 group lookups a minute (slack-facts.md §4). */
export interface Members {
  /** Everything a decision in this channel needs to know of a person. Never rejects: a failed lookup is an answer. */
  readonly identify: (person: string, channel: ChannelPolicy | undefined) => Promise<Identity>;
  /** People among holders of a role, user groups opened; a group that cannot be opened contributes nobody. */
  readonly openGroups: (holders: readonly string[]) => Promise<readonly string[]>;
  readonly forgetPerson: (person: string) => void;
  readonly forgetGroup: (group: string) => void;
}

/** How long an answer is believed, in milliseconds. Slack also says when either changes, and then it is forgotten at once. */
const freshness = { person: 5 * 60_000, group: 60_000 };

export function createMembers(lookup: Lookup, now: () => number): Members {
  const people = remember(lookup.kindOf, freshness.person, now);
  const groups = remember(async (group) => new Set(await lookup.peopleIn(group)), freshness.group, now);

  async function groupsOf(person: string, candidates: readonly string[]): Promise<ReadonlySet<string>> {
    const membership = await Promise.all(
      candidates.map(async (group) => (await groups.get(group)).has(person)),
    );
    return new Set(candidates.filter((_, index) => membership[index]));
  }

  return {
    identify: async (id, channel) => {
      const candidates = channel === undefined ? [] : groupsIn(channel);
      const [kind, memberships] = await Promise.allSettled([people.get(id), groupsOf(id, candidates)]);
      if (kind.status === 'rejected') return { kind: 'lookup_failed', id, lookup: 'person' };
      if (memberships.status === 'rejected') return { kind: 'lookup_failed', id, lookup: 'group' };
      return { kind: kind.value, id, groups: memberships.value };
    },
    openGroups: async (holders) => {
      const opened = await Promise.all(
        holders.map(async (id) => (id.startsWith('S') ? [...(await groups.get(id).catch(() => []))] : [id])),
      );
      return [...new Set(opened.flat())];
    },
    forgetPerson: people.forget,
    forgetGroup: groups.forget,
  };
}

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

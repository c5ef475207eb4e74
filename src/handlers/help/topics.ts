import type { AnyCommand } from '../command.ts';
import { areaOf, nameOf } from '../command-name.ts';

/** A purpose of users, with the areas that serve it. */
export interface Topic {
  readonly title: string;
  /** Typed after `help`. */
  readonly word: string;
  /** Every area of a listed command belongs to one topic; a test checks this. */
  readonly areas: readonly string[];
  /** Names of the commands that are shown first. */
  readonly first: readonly string[];
}

export const topics: readonly Topic[] = [
  {
    title: 'Look up a website',
    word: 'website',
    areas: ['why', 'categorize', 'analyze', 'ask', 'requests', 'withdraw'],
    first: ['why', 'categorize'],
  },
  {
    title: 'Remote desktop',
    word: 'rdp',
    areas: ['rdp', 'mfa'],
    first: ['rdp sessions', 'rdp disconnect', 'rdp members'],
  },
  {
    title: 'Health',
    word: 'health',
    areas: ['status', 'services', 'network', 'appliance', 'watch', 'watches', 'unwatch', 'schedule'],
    first: ['status', 'services'],
  },
  {
    title: 'Rules and categories',
    word: 'rules',
    areas: ['acl', 'apply', 'category', 'filter', 'pending', 'plan', 'planned', 'plans', 'ssl', 'temporary'],
    first: ['category add', 'category move', 'acl find', 'category show'],
  },
  {
    title: 'Emergency',
    word: 'emergency',
    areas: ['emergency'],
    first: ['emergency enable', 'emergency disable', 'emergency status'],
  },
  {
    title: 'History',
    word: 'history',
    areas: [
      'audit',
      'timeline',
      'show',
      'share',
      'can',
      'who',
      'whoami',
      'undo',
      'cancel',
      'again',
      'more',
      'approvals',
    ],
    first: ['audit', 'timeline', 'whoami'],
  },
  {
    title: 'Servers and software',
    word: 'servers',
    areas: [
      ...['authentication', 'directory', 'dns', 'download', 'engine', 'ftp', 'help', 'mirror', 'proxy'],
      ...['resolver', 'software', 'sql', 'upgrade', 'version', 'vlan'],
    ],
    first: ['directory status', 'software list', 'upgrade status'],
  },
];

export const isOf = (topic: Topic, command: AnyCommand): boolean => topic.areas.includes(areaOf(command));

export function topicNamed(words: string): Topic | undefined {
  return topics.find(({ title, word }) => [word, title.toLowerCase().replace(/\?$/, '')].includes(words));
}

/** The commands of a topic that are shown first, if they are among these. */
export function firstOf<Entry extends { readonly command: AnyCommand }>(
  topic: Topic,
  entries: readonly Entry[],
  most: number,
): readonly Entry[] {
  const rank = ({ command }: Entry) => {
    const index = topic.first.indexOf(nameOf(command));
    return index === -1 ? topic.first.length : index;
  };
  return entries.toSorted((one, other) => rank(one) - rank(other)).slice(0, most);
}

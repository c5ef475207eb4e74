import type { AclRecord, AskedAppliance } from '../../api/index.ts';

/** What came of a search in the records of all objects. */
export interface RecordSearch {
  readonly records: readonly AclRecord[];
  /** How many of them have it nowhere but in their note, which the appliance searches and does not show. */
  readonly inNotes: number;
}

/** The words to look for: "ticket 4711" and `ticket, 4711` are both two. */
export const wordsIn = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.flatMap((text) => text.toLowerCase().split(/\s+/)).filter((word) => word !== '')),
];

/**
 * The records that have every one of the words in their pattern, user or note. Word by word, because only the
 * appliance's own search looks into notes, and a text with a space in it cannot be handed to that (appliance-api.md §4.1:
 * the keyword stands in the path).
 */
export async function searchRecords(
  appliance: AskedAppliance,
  words: readonly string[],
): Promise<RecordSearch> {
  const [first = [], ...others] = await Promise.all(
    words.map((text) => appliance.acl.searchRecords({ text })),
  );
  const everywhere = others.map((records) => new Set(records.map(({ id }) => id)));
  const records = first.filter(({ id }) => everywhere.every((ids) => ids.has(id)));
  return { records, inNotes: records.filter((one) => !words.every((word) => isSeenIn(one, word))).length };
}

const isSeenIn = ({ pattern, uid = '', description = '', other = '' }: AclRecord, word: string): boolean =>
  [pattern, uid, description, other].some((text) => text.toLowerCase().includes(word));

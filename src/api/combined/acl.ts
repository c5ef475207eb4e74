import { z } from 'zod';
import { recordId } from '../endpoint.ts';
import { type AclRecord, patternInPath } from '../endpoints/acl.ts';
import { type ApplianceFailure, isApplianceFailure } from '../errors.ts';
import { extentOf, isPart, withExtent } from '../reading/extent.ts';
import type { Accepted } from '../reading/reply-reader.ts';
import { combined } from './combined.ts';

export interface NewRecords {
  readonly objectId: number;
  readonly patterns: readonly string[];
  readonly uid?: string;
  readonly description?: string;
}

export interface AddedRecord {
  readonly pattern: string;
  readonly answer: Accepted | ApplianceFailure;
}

/** In characters. Servers refuse request lines of more than about 8,000 bytes. */
const longestPath = 4_000;

/**
 * Patterns without escapes, short enough for a path. For escapes, as in regular expressions, it is unknown how
 * often the appliance decodes them.
 */
const asItIs = /^[\w.:*~-]{1,1000}$/;

/** Calls for ACL records that choose the form for their content (appliance-api.md §4.1). */
export const acl = {
  /**
   * Adds records to an object. Plain patterns go together in the path form. The PUT form takes one pattern at a
   * time, for everything a path cannot carry (commas, slashes, regular expressions, a trailing dot, letters
   * beyond ASCII) and for everything with a user or a description. Every pattern has its own result, in the
   * given order and each once; a failed pattern does not reject. Patterns of one path share its result.
   */
  addRecords: combined({
    summary:
      'Adds records to an object by the call that can carry their patterns, and returns the outcome of each.',
    effect: 'write',
    takes: {
      objectId: recordId.describe('The ID of the object (group), as `acl.listObjects` gives it.'),
      patterns: z.array(z.string()).describe('The patterns of the new records: any.'),
      uid: z.string().optional().describe('Who pushes them.'),
      description: z.string().optional().describe('Text that is kept beside each.'),
    },
    async run(
      appliance,
      { objectId, patterns, uid, description }: NewRecords,
      options,
    ): Promise<AddedRecord[]> {
      const plain = uid === undefined && description === undefined ? patterns.filter(isShortAndPlain) : [];
      const added = new Map<string, AddedRecord>();
      const answered = (pattern: string, answer: AddedRecord['answer']) =>
        added.set(pattern, { pattern, answer });
      for (const together of inPaths(plain)) {
        const answer = await answerOf(
          appliance.acl.addRecordsByPath({ objectId, records: together }, options),
        );
        for (const pattern of together) answered(pattern, answer);
      }
      for (const pattern of patterns) {
        if (added.has(pattern)) continue;
        const fields = {
          ...(uid === undefined ? {} : { uid }),
          ...(description === undefined ? {} : { description }),
        };
        answered(pattern, await answerOf(appliance.acl.addRecord({ objectId, pattern, ...fields }, options)));
      }
      return [...new Set(patterns)].flatMap((pattern) => added.get(pattern) ?? []);
    },
  }),

  /**
   * Finds records with this text in description, user or pattern. Text that the search's path cannot carry is
   * searched in the list of all objects.
   */
  searchRecords: combined({
    summary: 'The records with any text in their description, user or pattern.',
    effect: 'read',
    takes: {
      text: z
        .string()
        .describe('What to look for in description, user and pattern; it may stand anywhere in them.'),
    },
    async run(appliance, { text }: { readonly text: string }, options): Promise<AclRecord[]> {
      if (isPlain(text) || text.trim() === '') return appliance.acl.findRecords({ pattern: text }, options);
      const wanted = text.toLowerCase();
      const objects = await appliance.acl.listObjects(options);
      // An object without records in the list is asked for them: not reported is not none.
      const records = await Promise.all(
        objects.map(({ id, items }) => items ?? appliance.acl.listRecords({ objectId: id }, options)),
      );
      const found = records
        .flat()
        .filter(({ pattern, uid = '', description = '', other = '' }) =>
          [pattern, uid, description, other].some((value) => value.toLowerCase().includes(wanted)),
        );
      const lists = [objects, ...records];
      return withExtent(found, {
        operation: 'acl.searchRecords',
        namesMore: lists.some(isPart),
        isWritten: lists.every((one) => extentOf(one)?.isWritten !== false),
      });
    },
  }),
};

function isPlain(pattern: string): boolean {
  return patternInPath.safeParse(pattern).success;
}

function isShortAndPlain(pattern: string): boolean {
  return asItIs.test(pattern) && isPlain(pattern);
}

function inPaths(patterns: readonly string[]): string[][] {
  const paths: string[][] = [];
  let length = longestPath;
  for (const pattern of new Set(patterns)) {
    // With its comma.
    length += pattern.length + 1;
    if (length > longestPath) {
      paths.push([]);
      length = pattern.length + 1;
    }
    paths.at(-1)?.push(pattern);
  }
  return paths;
}

async function answerOf(call: Promise<Accepted>): Promise<Accepted | ApplianceFailure> {
  try {
    return await call;
  } catch (error) {
    if (isApplianceFailure(error)) return error;
    throw error;
  }
}

import { z } from 'zod';
import { recordId } from '../endpoint.ts';
import type { AddedSites } from '../endpoints/categories.ts';
import { type ApplianceFailure, BadArgument, isApplianceFailure } from '../errors.ts';
import { tell } from '../listener.ts';
import { combined } from './combined.ts';

export interface ManySites {
  readonly id: number;
  /** Domain names and IP addresses; read only as fast as they are sent. A plain string is refused. */
  readonly sites: (Iterable<string> & object) | AsyncIterable<string>;
  /** Sites in one request. Default: 500. */
  readonly perRequest?: number;
  /** Parallel requests. Default: 4, within the appliance's pace. */
  readonly atOnce?: number;
  /** Called after every request with the number of sites sent so far. */
  readonly onProgress?: (progress: { readonly sites: number }) => void;
}

/**
 * The result for many sites. `accepted` and the sites of `failed` and `unsent` are everything that was read
 * from the source.
 */
export interface ManySitesAdded {
  /** Sites in accepted requests. The appliance may have had some before. */
  readonly accepted: number;
  /** The number of added sites by the appliance's own words; absent if it gives none. */
  readonly count?: number;
  /** Failed requests, with their sites. After the first failure nothing more is sent. */
  readonly failed: readonly { readonly sites: readonly string[]; readonly error: ApplianceFailure }[];
  /** Sites that were read but not sent, because another request had failed. */
  readonly unsent: readonly string[];
  /** True if the source was read to its end and nothing failed. */
  readonly complete: boolean;
}

export const categories = {
  /**
   * Adds any number of sites to a category, in parallel chunks. The sites become active only after `compile`
   * and `compileRules` (appliance-api.md §4.3). A failed chunk does not reject. If the source itself fails, the
   * call rejects with its error after all requests have ended.
   */
  addManySites: combined({
    summary: 'Adds any number of sites to a category, in chunks, with progress.',
    effect: 'write',
    takes: {
      id: recordId.describe('The ID of the category, as `categories.list` gives it.'),
      sites: z
        .array(z.string())
        .describe('Domain names and IP addresses; in a program also what gives one after the other.'),
      perRequest: z.int().optional().describe('Sites in one request. Default: 500.'),
      atOnce: z.int().optional().describe('Requests under way at once. Default: 4.'),
    },
    async run(appliance, given: ManySites, options): Promise<ManySitesAdded> {
      const { id, sites, perRequest = 500, atOnce = 4, onProgress } = given;
      if (typeof sites === 'string') throw badArgument('sites', 'is a string, not a list');
      checkCount('perRequest', perRequest);
      checkCount('atOnce', atOnce);
      const failed: { sites: readonly string[]; error: ApplianceFailure }[] = [];
      const unsent: string[] = [];
      const chunks = inChunks(sites, (chunk) => chunk.length >= perRequest || failed.length > 0);
      let accepted = 0;
      let count: number | undefined = 0;

      const work = async () => {
        for await (const chunk of chunks) {
          if (failed.length > 0) {
            unsent.push(...chunk);
            return;
          }
          const answer = await appliance.categories.addSites({ id, sites: chunk }, options).catch(failureOf);
          if (isApplianceFailure(answer)) {
            failed.push({ sites: chunk, error: answer });
          } else {
            accepted += chunk.length;
            count = sum(count, answer);
            tell(onProgress, { sites: accepted });
          }
          if (failed.length > 0) return;
        }
      };
      const ends = await Promise.allSettled(Array.from({ length: atOnce }, work));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
      return {
        accepted,
        ...(count === undefined ? {} : { count }),
        failed,
        unsent,
        complete: failed.length === 0,
      };
    },
  }),
};

function checkCount(argument: string, count: number): void {
  if (Number.isSafeInteger(count) && count > 0) return;
  throw badArgument(argument, 'is not a whole number greater than 0');
}

function badArgument(argument: string, problem: string): BadArgument {
  return new BadArgument(argument, problem, { operation: 'categories.addManySites' });
}

/** One chunk after the other, for any number of readers. */
async function* inChunks(
  source: Iterable<string> | AsyncIterable<string>,
  isEnough: (chunk: readonly string[]) => boolean,
): AsyncGenerator<string[], void> {
  let chunk: string[] = [];
  for await (const one of source) {
    chunk.push(one);
    if (!isEnough(chunk)) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

function failureOf(error: unknown): ApplianceFailure {
  if (isApplianceFailure(error)) return error;
  throw error;
}

/** One answer without a number makes the sum unknown. */
function sum(sofar: number | undefined, { count }: AddedSites): number | undefined {
  return sofar === undefined || count === undefined ? undefined : sofar + count;
}

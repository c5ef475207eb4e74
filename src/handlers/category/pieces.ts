import { type AskedAppliance, isApplianceFailure, type ManySitesAdded } from '../../api/index.ts';
import type { Named } from '../argument.ts';
import { type Part, say, type Text } from '../reply.ts';
import type { Fingerprint, Verification } from '../results.ts';
import { reasonOf } from '../wording/reason.ts';
import { calledCategory, counted, expectTold, isIn, placesOf, sample, spread } from './sites.ts';

/** A range of a list of sites that was sent in one request, or not sent. */
interface Piece {
  readonly from: number;
  readonly until: number;
  /** The failure of its request; absent if it was not sent. */
  readonly why?: string;
  /** Its request may still arrive. */
  readonly mayCome?: true;
}

/** Records the failed and unsent chunks for reading back; empty if all were accepted. */
export function brokenPieces(sites: readonly string[], { failed, unsent, accepted }: ManySitesAdded) {
  if (failed.length === 0) return {};
  const at = new Map(sites.map((site, index) => [site, index]));
  const pieceOf = (all: readonly string[]): Piece => {
    const from = at.get(all[0] ?? '') ?? 0;
    return { from, until: from + all.length };
  };
  const refused = failed.map(({ sites: all, error }) => ({
    ...pieceOf(all),
    why: reasonOf(error),
    ...(error.sent === 'maybe' && { mayCome: true }),
  }));
  // Sites were read in the order of the list.
  const read = accepted + unsent.length + failed.reduce((sum, one) => sum + one.sites.length, 0);
  const left = [
    ...unsentRanges(unsent, at),
    ...(read < sites.length ? [{ from: read, until: sites.length }] : []),
  ];
  return { broken: JSON.stringify([...refused, ...left]) };
}

/** Unsent chunks are in order, but other chunks may stand between two of them. */
function unsentRanges(unsent: readonly string[], at: ReadonlyMap<string, number>): readonly Piece[] {
  const ranges: { from: number; until: number }[] = [];
  for (const index of unsent.map((site) => at.get(site) ?? 0)) {
    const last = ranges.at(-1);
    if (last?.until === index) last.until += 1;
    else ranges.push({ from: index, until: index + 1 });
  }
  return ranges;
}

/** The read-back of one chunk. */
interface PieceSeen {
  readonly piece: Piece;
  readonly there: readonly string[];
  readonly absent: readonly string[];
  readonly unread: readonly string[];
  readonly words: Text;
}

/** Reads back a list whose requests failed in part, chunk by chunk, so that each result was seen. */
export async function verifyPieces(
  appliance: AskedAppliance,
  to: Named,
  sites: readonly string[],
  { broken }: Fingerprint,
): Promise<Extract<Verification, { evidence: Text }>> {
  const pieces = JSON.parse(String(broken)) as readonly Piece[];
  const failed = pieces.filter(({ why }) => why !== undefined);
  const unsent = pieces.filter(({ why }) => why === undefined).flatMap((one) => sitesOf(sites, one));
  const isBroken = new Set(pieces.flatMap((one) => sitesOf(sites, one)));
  const accepted = sites.filter((site) => !isBroken.has(site));
  const name = calledCategory(to);
  const seen = await Promise.all(failed.map((piece) => lookAt(appliance, to, piece, sitesOf(sites, piece))));
  const taken =
    accepted.length === 0
      ? undefined
      : await lookAt(appliance, to, { from: 0, until: 0 }, accepted).then((one) => ({
          ...one,
          words: say`${counted(accepted.length)}: accepted, ${one.words}`,
        }));
  const all = [...(taken === undefined ? [] : [taken]), ...seen];
  const absent = [...all.flatMap((one) => one.absent), ...unsent];
  const unread = all.flatMap((one) => one.unread);
  const there = all.reduce((sum, one) => sum + one.there.length, 0);
  const details: readonly Part[] = [
    {
      kind: 'list',
      items: [
        ...all.map(({ words }) => words),
        ...(unsent.length === 0 ? [] : [say`${counted(unsent.length)}: not sent after that.`]),
      ],
    },
    ...fileOf('sites-not-added.txt', absent),
    ...fileOf('sites-unknown.txt', unread),
  ];
  const evidence =
    absent.length + unread.length === 0
      ? say`Looked up a sample of each batch: all are in ${name}.`
      : say`Read-back by batch: ${counted(there)} in ${name}, ${counted(absent.length)} not${unread.length === 0 ? '' : `, ${counted(unread.length)} unknown`}. See the list below.`;
  if (absent.length + unread.length === 0) return { kind: 'happened', evidence, details };
  const isOpen =
    unread.length > 0 || seen.some(({ piece, absent: gone }) => piece.mayCome && gone.length > 0);
  // A request that may still arrive needs another look.
  if (isOpen) return { kind: 'in_part', evidence, details, open: true };
  return { kind: there === 0 ? 'not_happened' : 'in_part', evidence, details, final: true };
}

const sitesOf = (sites: readonly string[], { from, until }: Piece): readonly string[] =>
  sites.slice(from, until);

const fileOf = (name: string, sites: readonly string[]): readonly Part[] =>
  sites.length === 0 ? [] : [{ kind: 'log', name, text: sites.join('\n') }];

/** Looks at a sample, and at every site if the sample is mixed. */
async function lookAt(
  appliance: AskedAppliance,
  to: Named,
  piece: Piece,
  sites: readonly string[],
): Promise<PieceSeen> {
  const { why, mayCome } = piece;
  const [name, number] = [calledCategory(to), counted(sites.length)];
  const none = { there: [], absent: [], unread: [] };
  try {
    // One failed query means that a hundred would fail too.
    const [asked, ...others] = spread(sites, sample);
    const one = await placesOf(appliance, asked === undefined ? [] : [asked]);
    const first = [...one, ...(await placesOf(appliance, others))];
    const isMixed = new Set(first.map((place) => isIn(place, to))).size > 1;
    const looked = new Set(first.map(({ site }) => site));
    const rest = isMixed ? sites.filter((site) => !looked.has(site)).slice(0, mostOneByOne) : [];
    const places = [...first, ...(await placesOf(appliance, rest))];
    expectTold(places);
    const found = new Set(places.filter((place) => isIn(place, to)).map(({ site }) => site));
    const sampled = isMixed || looked.size === sites.length ? '' : ` (${looked.size} of them checked)`;
    if (!isMixed && found.size > 0) {
      const how = why === undefined ? `in ${name}` : `in ${name} anyway`;
      return {
        ...none,
        piece,
        there: sites,
        words:
          why === undefined
            ? say`${how}${sampled}.`
            : say`${number}: ${how}${sampled}; the request failed: ${why}.`,
      };
    }
    const read = new Set(places.map(({ site }) => site));
    const known = isMixed ? sites.filter((site) => read.has(site)) : sites;
    const unread = isMixed ? sites.filter((site) => !read.has(site)) : [];
    const absent = known.filter((site) => !found.has(site));
    const so = mayCome ? 'not yet' : 'not';
    const rests = unread.length === 0 ? '' : `; ${counted(unread.length)} not checked`;
    const where = isMixed
      ? say`${found.size.toLocaleString('en')} of them in ${name}, ${so} the other ${absent.length.toLocaleString('en')}${rests}`
      : say`${so} in ${name}${sampled}`;
    return {
      piece,
      there: known.filter((site) => found.has(site)),
      absent,
      unread,
      words: why === undefined ? say`${where}.` : say`${number}: ${where}: ${why}.`,
    };
  } catch (error) {
    if (!isApplianceFailure(error)) throw error;
    const unknown = say`unknown, could not be read back: ${reasonOf(error)}.`;
    return {
      ...none,
      piece,
      unread: sites,
      words: why === undefined ? unknown : say`${number}: ${unknown} The request failed: ${why}.`,
    };
  }
}

/** The most sites for single queries; each costs a request. */
const mostOneByOne = 500;

import {
  type Accepted,
  type Appliance,
  type ApplianceFailure,
  type AskedAppliance,
  isApplianceFailure,
  type ManySitesAdded,
} from '../../api/index.ts';
import type { Named } from '../argument.ts';
import type { OnAppliance } from '../context.ts';
import { inWaves } from '../lists/waves.ts';
import { plural, say, type Text } from '../reply.ts';
import type { Ran } from '../results.ts';
import { number } from '../wording/quantities.ts';
import { reasonOf } from '../wording/reason.ts';
import { brokenPieces } from './pieces.ts';
import {
  calledCategory,
  counted,
  expectTold,
  inPart,
  isIn,
  placesOf,
  type Seen,
  sample,
  sitesText,
  someOf,
  spread,
} from './sites.ts';

type Telling = Pick<OnAppliance<unknown>, 'progress' | 'giveWay'>;

/** Sites in four requests at once. After them, other commands may use the appliance. */
const together = 4 * 500;

/**
 * Sends one order for each site, in turn. A refusal does not stop the others. If it is uncertain whether an
 * order arrived, nothing more is sent. Rejects with the first failure if no site went through.
 */
export async function eachInTurn(
  sites: readonly string[],
  context: Telling,
  order: (site: string) => Promise<Accepted>,
): Promise<Ran> {
  const failed: { readonly site: string; readonly why: string }[] = [];
  const failures: ApplianceFailure[] = [];
  let confirmed = true;
  let sent = 0;
  await inWaves(sites, context, async (site) => {
    if (failures.some((failure) => failure.sent !== 'yes')) {
      failed.push({ site, why: 'not sent' });
      return;
    }
    try {
      confirmed = (await order(site)).confirmed && confirmed;
      sent += 1;
      if (sites.length > 1) context.progress(say`${number(sent)} of ${counted(sites.length)}`);
    } catch (error) {
      if (!isApplianceFailure(error)) throw error;
      failures.push(error);
      failed.push({ site, why: reasonOf(error) });
    }
  });
  if (sites.length === 0) return { confirmed: true };
  if (failed.length === sites.length) throw gravest(failures);
  return {
    confirmed: confirmed && failed.length === 0,
    ...(failed.length === 0
      ? {}
      : {
          failure: gravest(failures),
          details: [
            {
              kind: 'table',
              columns: ['Site', 'Result'],
              rows: failed.map(({ site, why }) => [say`${site}`, say`${why}`]),
            },
          ],
        }),
  };
}

/** Sends any number of sites into a category. Rejects with the first failure if the appliance took none. */
export async function handOver(
  appliance: Appliance,
  to: Named,
  sites: readonly string[],
  { progress, giveWay }: Telling,
): Promise<Ran> {
  const [only] = sites;
  if (only !== undefined && sites.length === 1)
    return appliance.categories.addSite({ id: to.id, site: only });
  let added: ManySitesAdded = { accepted: 0, failed: [], unsent: [], complete: true };
  for (let at = 0; at < sites.length && added.complete; at += together) {
    if (at > 0) await giveWay();
    const next = await appliance.categories.addManySites({
      id: to.id,
      sites: sites.slice(at, at + together),
      onProgress: ({ sites: taken }) => progress(say`${number(at + taken)} of ${counted(sites.length)} sent`),
    });
    added = { ...next, accepted: added.accepted + next.accepted };
  }
  const failures = added.failed.map(({ error }) => error);
  if (added.complete) return { confirmed: true };
  const failure = gravest(failures);
  // Nothing arrived, so there are no chunks to report.
  if (added.accepted === 0 && !failure.mayHaveHappened) throw failure;
  return { confirmed: false, failure, learned: brokenPieces(sites, added) };
}

/** The failure that leaves most open, because "nothing was changed" must be true of all. */
function gravest(failures: readonly ApplianceFailure[]): ApplianceFailure {
  const found = failures.find(({ mayHaveHappened }) => mayHaveHappened) ?? failures[0];
  if (found === undefined) throw new Error('There is no failure');
  return found;
}

/**
 * Reads back whether all sites are in a category. Checks each of a few, and a sample of many, and says which.
 * @param tellOthers whether to count those that are in other categories too
 */
export async function verifyIn(
  appliance: AskedAppliance,
  category: Named,
  sites: readonly string[],
  tellOthers = false,
): Promise<Seen> {
  const asked = spread(sites, sample);
  const places = await placesOf(appliance, asked);
  const outside = places.filter((place) => !isIn(place, category));
  expectTold(outside);
  const missing = outside.map(({ site }) => site);
  const name = calledCategory(category);
  const subject = sampled(places, sites);
  if (missing.length === 0) {
    const all = asked.length === 1 ? 'it is' : asked.length === sites.length ? 'all are' : 'all of these are';
    const others = places.filter(({ categories }) => categories.length > 1).length;
    const rest =
      tellOthers && others > 0
        ? ` ${others} of them ${others === 1 ? 'is' : 'are'} also in other categories (the appliance does not check for duplicates).`
        : '';
    return { kind: 'happened', evidence: say`Looked up ${subject}: ${all} in ${name}.${rest}` };
  }
  const found = asked.length - missing.length;
  const evidence =
    asked.length === 1
      ? say`Looked up ${subject}: it is not in ${name}.`
      : say`Looked up ${subject}: ${found} of them ${found === 1 ? 'is' : 'are'} in ${name}. Missing: ${someOf(missing)}.`;
  return found > 0 ? inPart(evidence) : { kind: 'not_happened', evidence };
}

export async function verifyOut(
  appliance: AskedAppliance,
  category: Named,
  sites: readonly string[],
): Promise<Seen> {
  const places = await placesOf(appliance, spread(sites, sample));
  expectTold(places);
  const left = places.filter((place) => isIn(place, category)).map(({ site }) => site);
  const name = calledCategory(category);
  if (left.length === 0) return { kind: 'happened', evidence: outOf(sites, name, places) };
  const evidence = say`Looked up ${sampled(places, sites)}: ${someOf(left)} ${left.length === 1 ? 'is' : 'are'} still found in ${name}. A parent domain may be in it, too.`;
  return left.length < places.length ? inPart(evidence) : { kind: 'not_happened', evidence };
}

/** Reads back whether sites are in one category and no longer in the other. */
export async function verifyMoved(
  appliance: AskedAppliance,
  from: Named,
  to: Named,
  sites: readonly string[],
): Promise<Seen> {
  const places = await placesOf(appliance, spread(sites, sample));
  expectTold(places);
  const wrong = places.filter((place) => !isIn(place, to) || isIn(place, from)).map(({ site }) => site);
  const [name, old] = [calledCategory(to), calledCategory(from)];
  const asked = sampled(places, sites);
  if (wrong.length === 0) {
    const all = sites.length === 1 ? 'it is' : 'all are';
    return {
      kind: 'happened',
      evidence: say`Looked up ${asked}: ${all} in ${name} and no longer in ${old}.`,
    };
  }
  const [first] = places;
  if (first !== undefined && places.length === 1) {
    const now = isIn(first, to) ? `in ${name}, but still found in ${old}` : `not in ${name}`;
    return { kind: 'not_happened', evidence: say`Looked up ${asked}: it is ${now}.` };
  }
  const evidence = say`Looked up ${asked}: not moved from ${old} to ${name}: ${someOf(wrong)}.`;
  return wrong.length < places.length ? inPart(evidence) : { kind: 'not_happened', evidence };
}

/** *100 of the 5,000 sites, spread over the list* */
const sampled = (looked: readonly unknown[], sites: readonly string[]): string =>
  looked.length === sites.length
    ? sitesText(sites)
    : `${looked.length} of the ${counted(sites.length)}, spread over the list`;

function outOf(sites: readonly string[], name: string, places: Awaited<ReturnType<typeof placesOf>>): Text {
  const [only] = places;
  const asked = sampled(places, sites);
  if (only === undefined || places.length > 1) {
    return say`Looked up ${asked}: none is in ${name} now.`;
  }
  const others = only.categories.length;
  const now =
    others === 0
      ? 'is now in no category'
      : `is still in ${plural(others, 'other category', 'other categories')}`;
  return say`Looked up ${asked}: it is no longer in ${name} and ${now}.`;
}

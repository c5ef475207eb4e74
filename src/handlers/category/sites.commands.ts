import type { AskedAppliance } from '../../api/index.ts';
import { afterSites } from '../applied.ts';
import type { Argument, Named } from '../argument.ts';
import { broadFields, broadSites } from '../broad.ts';
import { change } from '../declare.ts';
import { readDomain } from '../language/domain.ts';
import { splitList } from '../language/line.ts';
import { code, type Field, say, strong } from '../reply.ts';
import {
  type Fingerprint,
  happened,
  nothing,
  type Preview,
  ready,
  skippedField,
  withSkipped,
} from '../results.ts';
import { number } from '../wording/quantities.ts';
import { eachInTurn, verifyIn, verifyMoved, verifyOut } from './orders.ts';
import {
  calledCategory,
  category,
  counted,
  domainAbove,
  expectTold,
  heldFromAbove,
  isAmong,
  isIn,
  joined,
  missingIn,
  notOrdered,
  placeText,
  type SitePlace,
  siteLine,
  sites,
  sitesDone,
  sitesOrdered,
  sitesText,
  someOf,
  split,
  whereText,
} from './sites.ts';
import { isMany, preview, survey, thoseThat } from './survey.ts';

/** Sites that an undo must leave in a category. */
const keep: Argument<readonly string[]> = {
  what: 'sites that stay in the first category as well',
  example: 'example.com,example.org',
  read: (typed) => {
    const all = splitList(typed).map((one) => readDomain(one));
    const known = all.filter((one) => one !== undefined);
    return known.length === all.length
      ? { ok: true, value: known }
      : { ok: false, problem: { code: 'malformed', wanted: 'sites with commas between them' } };
  },
};

export const move = change({
  phrase: 'category move <site>… from <category> to <next> [--keep]',
  says: `
    move <site> to <next> / change category of <site> / recategorize <site> to <next> /
    wrong category <site> / unblock <site> / put <site> from <category> into <next> /
    change the category of <site> from <category> to <next> / <site> is in the wrong category /
    reclassify <site> / <site> belongs in <next> not <category> / <site> is not <category> but <next> /
    transfer <site> from <category> to <next> / <site> should be <next> instead of <category> /
    reclassify <site> from <category> to <next> / <site> is miscategorized / shift <site> to <next> /
    change <site> from <category> to <next> / <site> is wrongly in <category> /
    <site> should be <next> not <category> / <site> should be in <next> not in <category> /
    <site> is <next> not <category> / switch <site> to <next> /
    <site> is filed under <category> but should be <next>
  `,
  args: { site: sites, category, next: category, keep },
  summary: 'Move sites from one category to another',
  example: 'category move example.com from 252 to 257',
  effect: 'write',
  alsoDoes: [
    { name: 'category delete', always: true, with: ({ site, category: from }) => ({ site, category: from }) },
    { name: 'category add', always: true, with: ({ site, next }) => ({ site, category: next }) },
  ],
  verb: 'Move',
  each: 'site',
  doing: ({ site, category: from, next }, shown) =>
    say`Moving ${sitesOrdered(site, orderedOf(site, shown))} from category ${calledCategory(from)} to ${calledCategory(next)}`,
  done: ({ site, category: from, next }, shown) =>
    say`${strong(sitesDone(site, orderedOf(site, shown), isUnsurveyed(shown)))} moved from category ${calledCategory(from)} to ${strong(calledCategory(next))}`,
  preview: async ({ appliance, args: { site, category: from, next } }) => {
    if (from.id === next.id) return nothing`Both categories are the same: ${strong(calledCategory(from))}.`;
    const places = await preview(appliance, site, (place) => isIn(place, from));
    const inside = places.filter((place) => isIn(place, from));
    // The appliance forces the addition: it would also add sites that it did not remove (appliance-api.md
    // §4.3).
    if (inside.length === 0) return notThere(site, from, places);
    const leaving = inside.map((place) => place.site);
    const both = inside.filter((place) => isIn(place, next)).map((place) => place.site);
    const broad = broadSites(leaving);
    return ready({
      asksFirst: broad.length > 0,
      question: say`Move ${strong(sitesText(isMany(site) ? site : leaving))} from category ${strong(calledCategory(from))} to ${strong(calledCategory(next))}?`,
      fields: [
        { name: 'Sites', value: someOf(isMany(site) ? site : leaving) },
        ...broadFields(broad, leaving.length),
        ...lookedUp(site, places, inside.length, from),
        ...(await fromAbove(appliance, leaving, from)),
      ],
      fingerprint: {
        from: from.id,
        next: next.id,
        sites: joined(leaving),
        both: joined(both),
        ...many(site),
      },
    });
  },
  survey: {
    isNeeded: isUnsurveyed,
    take: async (context) => {
      const { site, category: from, next } = context.args;
      const places = await survey(context, site);
      return {
        inside: thoseThat(places, (place) => isIn(place, from)),
        both: thoseThat(places, (place) => isIn(place, from) && isIn(place, next)),
      };
    },
  },
  run: (context, shown) => {
    const { appliance } = context;
    const { category: from, next, keep: kept = [] } = context.args;
    const staying = new Set(kept);
    return eachInTurn(leavingIn(shown), context, (site) =>
      staying.has(site)
        ? appliance.categories.addSite({ id: next.id, site })
        : appliance.categories.moveSite({ id: from.id, site, nextId: next.id }),
    );
  },
  verify: async ({ appliance, args: { site, category: from, next, keep: kept = [] } }, shown) => {
    const staying = new Set(kept);
    const leaving = leavingIn(shown);
    const moved = leaving.filter((one) => !staying.has(one));
    const seen = await (leaving.length === 0
      ? noneLeft(from)
      : moved.length === 0
        ? verifyIn(appliance, next, leaving)
        : verifyMoved(appliance, from, next, moved));
    return withSkipped(seen, notOrdered(site, leaving, notIn(from)));
  },
  undo: ({ category: from, next, keep: kept }, shown) => {
    const moved = leavingIn(shown);
    const both = split(shown.both);
    // A site that stayed in the first category may have been in the second before, so it is not removed.
    if (moved.length === 0 || kept !== undefined) return undefined;
    // Sites that were in both categories must stay in the second.
    if (both.length === moved.length) return siteLine('add', moved, `to ${from.id}`);
    const stay = both.length === 0 ? '' : ` --keep ${both.join(',')}`;
    return siteLine('move', moved, `from ${next.id} to ${from.id}${stay}`);
  },
  doneOf: (now, then, args) =>
    now.from === then.from && now.next === then.next ? doneOf(now, then, args) : undefined,
  within: true,
  requires: ({ category: from, next }) => [...afterSites(from.id), ...afterSites(next.id)],
});

export const remove = change({
  phrase: 'category delete <site>… from <category>',
  says: `
    remove <site> from category <category> / take <site> out of <category> /
    delete site <site> from <category> / uncategorize <site> / <site> does not belong in <category> /
    <site> should not be in <category> / drop <site> from <category> / <site> is not <category> /
    kick <site> out of <category> / get <site> out of <category> / erase <site> from category <category> /
    delete <site> from <category> / <site> is wrongly categorized as <category>, remove it /
    take <site> off the blocklist / take <site> off the list / <site> off the blacklist /
    get <site> off the blocklist / <site> is wrongly blocked, remove it / <site> was blocked by mistake /
    remove <site> from the blocked sites / stop blocking <site> / unblock <site> again / débloque <site> /
    debloquer <site> / <site> freischalten / gib <site> frei
  `,
  args: { site: sites, category },
  summary: 'Remove sites from a category',
  example: 'category delete example.com from 252',
  effect: 'destructive',
  verb: 'Remove',
  each: 'site',
  doing: ({ site, category: from }, shown) =>
    say`Removing ${sitesOrdered(site, orderedOf(site, shown))} from category ${calledCategory(from)}`,
  done: ({ site, category: from }, shown) =>
    say`${strong(sitesDone(site, orderedOf(site, shown), isUnsurveyed(shown)))} removed from category ${strong(calledCategory(from))}`,
  preview: async ({ appliance, args: { site, category: from } }) => {
    const places = await preview(appliance, site, (place) => isIn(place, from));
    const inside = places.filter((place) => isIn(place, from));
    if (inside.length === 0) return notThere(site, from, places);
    const leaving = inside.map((place) => place.site);
    const staying = inside
      .map((place) => ({ ...place, categories: place.categories.filter(({ id }) => id !== from.id) }))
      .filter(({ categories }) => categories.length > 0);
    return ready({
      question: say`Remove ${strong(sitesText(isMany(site) ? site : leaving))} from category ${strong(calledCategory(from))}?`,
      fields: [
        { name: 'Sites', value: someOf(isMany(site) ? site : leaving) },
        ...broadFields(broadSites(leaving), leaving.length),
        { name: 'Afterwards', value: staying.length === 0 ? say`in no category` : whereText(staying) },
        ...lookedUp(site, places, inside.length, from),
        ...(await fromAbove(appliance, leaving, from)),
      ],
      fingerprint: {
        category: from.id,
        sites: joined(leaving),
        staying: staying.map(placeText).join('; '),
        ...many(site),
      },
    });
  },
  survey: {
    isNeeded: isUnsurveyed,
    take: async (context) => {
      const { site, category: from } = context.args;
      return { inside: thoseThat(await survey(context, site), (place) => isIn(place, from)) };
    },
  },
  run: (context, shown) => {
    const { categories } = context.appliance;
    const { id } = context.args.category;
    return eachInTurn(leavingIn(shown), context, (site) => categories.deleteSite({ id, site }));
  },
  verify: async ({ appliance, args: { site, category: from } }, shown) => {
    const leaving = leavingIn(shown);
    const seen = leaving.length === 0 ? noneLeft(from) : await verifyOut(appliance, from, leaving);
    return withSkipped(seen, notOrdered(site, leaving, notIn(from)));
  },
  undo: ({ category: { id } }, shown) => {
    const removed = leavingIn(shown);
    return removed.length === 0 ? undefined : siteLine('add', removed, `to ${id}`);
  },
  doneOf,
  within: true,
  beside: ['staying'],
  requires: ({ category: { id } }) => afterSites(id),
});

/**
 * For many sites, the sample may be gone and another part of the list shown. Only the lookup right before the
 * order covers each.
 */
function doneOf(
  now: Fingerprint,
  then: Fingerprint,
  { site }: { readonly site: readonly string[] },
): readonly string[] | undefined {
  if (now.category !== then.category || now.of !== then.of) return undefined;
  if (now.of !== undefined) return missingIn(site, now.inside);
  return isAmong(now.sites, then.sites) ? missingIn(split(then.sites), now.sites) : undefined;
}

function notThere(sites: readonly string[], from: Named, places: readonly SitePlace[]): Preview {
  expectTold(places);
  const elsewhere = places.filter(({ categories }) => categories.length > 0);
  const where = elsewhere.length === 0 ? [] : say` ${whereText(elsewhere)}.`;
  return nothing`${strong(sitesText(sites))} ${sites.length === 1 ? 'is' : 'are'} not in category ${strong(calledCategory(from))}.${where}`;
}

/** The sites that leave the category: for many, those found right before the order; otherwise those shown. */
const leavingIn = ({ sites: shown, inside }: Fingerprint): readonly string[] => split(inside ?? shown);

/** The sites in the order, if known; for many, all named sites until they are looked up. */
const orderedOf = (named: readonly string[], shown: Fingerprint): readonly string[] | undefined =>
  shown.sites === undefined ? undefined : isUnsurveyed(shown) ? named : leavingIn(shown);

function isUnsurveyed({ of, inside }: Fingerprint): boolean {
  return of !== undefined && inside === undefined;
}

function noneLeft(from: Named) {
  return happened`Nothing was sent: none of them was in ${calledCategory(from)} any more.`;
}

const notIn = (category: Named): string => `not in ${calledCategory(category)}`;

/** Records that the preview looked at a sample only. */
const many = (all: readonly string[]): Fingerprint => (isMany(all) ? { of: all.length } : {});

/** The sites to skip; for many, the number that was looked at. */
function lookedUp(
  all: readonly string[],
  places: readonly SitePlace[],
  inside: number,
  from: Named,
): readonly Field[] {
  const there = places.filter((place) => isIn(place, from)).map(({ site }) => site);
  if (!isMany(all)) return skippedField(notOrdered(all, there, notIn(from)));
  return [
    {
      name: 'Looked up',
      value: say`${number(places.length)} of ${counted(all.length)}: ${number(inside)} in ${calledCategory(from)}. All of them are looked up before anything is sent, and what is not there is skipped.`,
    },
  ];
}

async function fromAbove(
  appliance: AskedAppliance,
  sites: readonly string[],
  from: Named,
): Promise<readonly Field[]> {
  const held = await heldFromAbove(appliance, sites, from);
  const [first] = held;
  if (first === undefined) return [];
  return [
    {
      name: 'Note',
      value: say`${code(domainAbove(first) ?? '')} is also in ${calledCategory(from)}, so ${someOf(held)} may still be found there afterwards`,
    },
  ];
}

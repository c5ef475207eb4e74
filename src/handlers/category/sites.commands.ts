import type { AskedAppliance } from '../../api/index.ts';
import { afterSites } from '../applied.ts';
import type { Named } from '../argument.ts';
import { change } from '../declare.ts';
import { code, type Field, say, strong } from '../reply.ts';
import { nothing, type Preview, ready } from '../results.ts';
import { eachInTurn, verifyMoved, verifyOut } from './orders.ts';
import {
  calledCategory,
  category,
  domainAbove,
  fieldUnless,
  heldFromAbove,
  isIn,
  joined,
  oneOfFewSites,
  placesOf,
  placeText,
  type SitePlace,
  siteLine,
  sitesText,
  someOf,
  split,
  whereText,
} from './sites.ts';

export const move = change({
  phrase: 'category move <site>… from <category> to <next>',
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
  args: { site: oneOfFewSites, category, next: category },
  summary: 'Move sites from one category to another',
  example: 'category move example.com from 252 to 257',
  effect: 'write',
  verb: 'Move',
  doing: ({ site, category: from, next }) =>
    say`Moving ${sitesText(site)} from category ${calledCategory(from)} to ${calledCategory(next)}`,
  done: ({ site, category: from, next }) =>
    say`${strong(sitesText(site))} moved from category ${calledCategory(from)} to ${strong(calledCategory(next))}`,
  preview: async ({ appliance, args: { site, category: from, next } }) => {
    if (from.id === next.id) return nothing`Both categories are the same: ${strong(calledCategory(from))}.`;
    const places = await placesOf(appliance, site);
    const inside = places.filter((place) => isIn(place, from));
    // The appliance forces the addition: it would also add what it has not removed (appliance-api.md §4.3).
    if (inside.length === 0) return notThere(site, from, places);
    const sites = inside.map((place) => place.site);
    const both = inside.filter((place) => isIn(place, next)).map((place) => place.site);
    return ready({
      question: say`Move ${strong(sitesText(sites))} from category ${strong(calledCategory(from))} to ${strong(calledCategory(next))}?`,
      fields: [
        { name: 'Sites', value: someOf(sites) },
        ...leftAlone(places, from),
        ...(await fromAbove(appliance, sites, from)),
      ],
      fingerprint: { from: from.id, next: next.id, sites: joined(sites), both: joined(both) },
    });
  },
  run: ({ appliance, args: { category: from, next }, progress }, shown) =>
    eachInTurn(split(shown.sites), progress, (site) =>
      appliance.categories.moveSite({ id: from.id, site, nextId: next.id }),
    ),
  verify: ({ appliance, args: { category: from, next } }, shown) =>
    verifyMoved(appliance, from, next, split(shown.sites)),
  undo: ({ category: from, next }, shown) => {
    const sites = split(shown.sites);
    const both = split(shown.both);
    // Those that were in both before must stay in the second.
    if (both.length === 0) return siteLine('move', sites, `from ${next.id} to ${from.id}`);
    return both.length === sites.length ? siteLine('add', sites, `to ${from.id}`) : undefined;
  },
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
  args: { site: oneOfFewSites, category },
  summary: 'Remove sites from a category',
  example: 'category delete example.com from 252',
  effect: 'destructive',
  verb: 'Remove',
  doing: ({ site, category: from }) => say`Removing ${sitesText(site)} from category ${calledCategory(from)}`,
  done: ({ site, category: from }) =>
    say`${strong(sitesText(site))} removed from category ${strong(calledCategory(from))}`,
  preview: async ({ appliance, args: { site, category: from } }) => {
    const places = await placesOf(appliance, site);
    const inside = places.filter((place) => isIn(place, from));
    if (inside.length === 0) return notThere(site, from, places);
    const sites = inside.map((place) => place.site);
    const staying = inside
      .map((place) => ({ ...place, categories: place.categories.filter(({ id }) => id !== from.id) }))
      .filter(({ categories }) => categories.length > 0);
    return ready({
      question: say`Remove ${strong(sitesText(sites))} from category ${strong(calledCategory(from))}?`,
      fields: [
        { name: 'Sites', value: someOf(sites) },
        { name: 'Afterwards', value: staying.length === 0 ? say`in no category` : whereText(staying) },
        ...leftAlone(places, from),
        ...(await fromAbove(appliance, sites, from)),
      ],
      fingerprint: { category: from.id, sites: joined(sites), staying: staying.map(placeText).join('; ') },
    });
  },
  run: ({ appliance, args: { category: from }, progress }, shown) =>
    eachInTurn(split(shown.sites), progress, (site) =>
      appliance.categories.deleteSite({ id: from.id, site }),
    ),
  verify: ({ appliance, args: { category: from } }, shown) => verifyOut(appliance, from, split(shown.sites)),
  undo: ({ category: { id } }, shown) => siteLine('add', split(shown.sites), `to ${id}`),
  requires: ({ category: { id } }) => afterSites(id),
});

function notThere(sites: readonly string[], from: Named, places: readonly SitePlace[]): Preview {
  const elsewhere = places.filter(({ categories }) => categories.length > 0);
  const where = elsewhere.length === 0 ? [] : say` ${whereText(elsewhere)}.`;
  return nothing`${strong(sitesText(sites))} ${sites.length === 1 ? 'is' : 'are'} not in category ${strong(calledCategory(from))}.${where}`;
}

function leftAlone(places: readonly SitePlace[], from: Named): readonly Field[] {
  const others = places.filter((place) => !isIn(place, from)).map(({ site }) => site);
  return fieldUnless(others.length === 0, 'Skipped', say`${someOf(others)}, not in ${calledCategory(from)}`);
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

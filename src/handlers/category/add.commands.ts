import { afterSites } from '../applied.ts';
import { flag, type Named } from '../argument.ts';
import { broadFields, broadSites, heldAmong, heldFields } from '../broad.ts';
import { change } from '../declare.ts';
import { code, say, strong, type Text } from '../reply.ts';
import { type Fingerprint, nothing, ready, skippedField, withSkipped } from '../results.ts';
import { number } from '../wording/quantities.ts';
import { handOver, verifyIn } from './orders.ts';
import { verifyPieces } from './pieces.ts';
import {
  calledCategory,
  category,
  counted,
  domainAbove,
  fieldUnless,
  heldFromAbove,
  isAmong,
  isIn,
  joined,
  missingIn,
  notOrdered,
  placeText,
  siteLine,
  sites,
  sitesDone,
  sitesOrdered,
  sitesText,
  someOf,
  spellingFields,
  split,
  whereText,
} from './sites.ts';
import { isMany, preview, survey, thoseThat } from './survey.ts';

/** Sites in the one request that also compiles. A longer list is sent in chunks, and compiled afterwards. */
const mostAtOnce = 500;

export const add = change({
  phrase: 'category add <site>… to <category> [--now]',
  says: `
    put <site> in <category> / add <site> to category <category> / block <site> /
    block website <site> for everybody / allow <site> / unblock <site> / ban <site> /
    deny access to <site> / categorize <site> as <category> / blacklist <site> / whitelist <site> /
    add site <site> in <category> / sperre <site> / filter <site> / block access to <site> /
    block <site> please / block <site> for all / <site> should be blocked / nobody should open <site> /
    close <site> / lock <site> / <site> must be allowed / allow access to <site> / let people use <site> /
    make <site> available / open up <site> / free <site> / <site> belongs in <category> /
    <site> should be in <category> / file <site> under <category> / tag <site> as <category> /
    add the domain <site> to <category> / gib <site> frei / <site> freigeben / <site> sperren /
    phishing site <site> block it / users need <site> / block dns lookups for <site> / <site> is malicious /
    <site> is a phishing page / <site> must be blocked / users should not reach <site> /
    block this site <site> / add <site> to the blocklist / put <site> on the blacklist /
    add <site> to the blocked sites / allow <site> for everyone / open <site> for everybody /
    whitelist <site> for all / add <site> and <site> to <category> / make <site> reachable /
    make <site> reachable for <somebody> / <site> should work for <somebody> / <somebody> needs <site> /
    get <site> working / kill access to <site> / chuck <site> into <category> /
    throw <site> into <category> / stick <site> in <category> / <somebody> needs <site> in <category> /
    <site> needs to be in <category> / get rid of <site> for everyone / i want <site> gone / restrict access to <site> / no more <site> /
    stop people from going to <site> / make <site> unavailable / make <site> unreachable / cut off <site> / <site> is a scam /
    <site> spreads malware / block <site> right now / let <somebody> on <site> /
    <site> for <somebody> please / bloque <site> / sperr <site>
  `,
  args: {
    site: sites,
    category,
    now: flag(`compile and apply in the same request, up to ${mostAtOnce} sites`),
  },
  summary: 'Add sites to a category, one or thousands',
  example: 'category add shop.example.net to 252',
  effect: 'write',
  verb: 'Add',
  each: 'site',
  doing: ({ site, category: to }, shown) =>
    say`Adding ${sitesOrdered(site, orderedOf(site, shown))} to category ${calledCategory(to)}`,
  done: ({ site, category: to }, shown) =>
    say`${strong(sitesDone(site, orderedOf(site, shown), isUnsurveyed(shown)))} added to category ${strong(calledCategory(to))}`,
  preview: async ({ appliance, args: { site, category: to, now } }) => {
    if (now === true && site.length > mostAtOnce)
      return nothing`${code('--now')} takes at most ${mostAtOnce} sites, not ${counted(site.length)}. Without it, the sites are sent in batches and compiled afterwards.`;
    const places = await preview(appliance, site, (place) => !isIn(place, to));
    const outside = places.filter((place) => !isIn(place, to));
    // The appliance also finds a site by a domain above it. Such a site may have no entry of its own.
    const there = isMany(site) ? [] : places.filter((place) => isIn(place, to)).map((place) => place.site);
    const held = await heldFromAbove(appliance, there, to);
    const fresh = outside.length === 0 ? places.filter((place) => held.includes(place.site)) : outside;
    const broad = broadSites(site);
    const wide = [
      ...broadFields(broad, site.length),
      ...heldFields(
        [
          ...held.map((entry) => ({ entry, by: domainAbove(entry) ?? '' })),
          ...heldAmong(site).filter(({ entry, by }) => entry !== `www.${by}` && !held.includes(entry)),
        ],
        site.length,
      ),
    ];
    const asksFirst = broad.length + held.length > 0;
    if (fresh.length === 0)
      return nothing`${strong(sitesText(site))} ${site.length === 1 ? 'is' : 'are'} already in category ${strong(calledCategory(to))}.`;
    const elsewhere = outside.filter(({ categories }) => categories.length > 0);
    if (isMany(site)) {
      const found = places.length - fresh.length;
      return ready({
        question: questionFor(site, to),
        asksFirst,
        fields: [
          { name: 'Sites', value: someOf(site) },
          ...wide,
          ...spellingFields(site),
          {
            name: 'Looked up',
            value: say`${number(places.length)} of ${counted(site.length)}: ${found === 0 ? 'none' : number(found)} there already, ${elsewhere.length === 0 ? 'none' : number(elsewhere.length)} in other categories. All of them are looked up before they are sent, so that undoing it takes out only what was not there.`,
          },
        ],
        fingerprint: { category: to.id, sites: site.length },
      });
    }
    const ordered = fresh.map((place) => place.site);
    return ready({
      question: questionFor(ordered, to),
      asksFirst,
      fields: [
        { name: 'Sites', value: someOf(ordered) },
        ...wide,
        ...spellingFields(ordered),
        ...skippedField(notOrdered(site, ordered, alreadyIn(to))),
        ...fieldUnless(elsewhere.length === 0, 'Also in', whereText(elsewhere)),
      ],
      fingerprint: {
        category: to.id,
        fresh: joined(ordered),
        elsewhere: elsewhere.map(placeText).join('; '),
        // Nothing shows whether the site had an entry of its own, so an undo must not remove it.
        ...((outside.length === 0 || outside.some(({ isTold }) => !isTold)) && { held: true }),
      },
    });
  },
  survey: {
    isNeeded: isUnsurveyed,
    take: async (context) => {
      const { site, category: to } = context.args;
      const places = await survey(context, site);
      const others = places.filter((place) => !isIn(place, to) && place.categories.length > 0);
      return { fresh: thoseThat(places, (place) => !isIn(place, to)), others: others.length };
    },
  },
  run: async (context, shown) => {
    const { appliance } = context;
    const { site, category: to, now } = context.args;
    const sent = sentOf(site, shown);
    if (sent.length === 0) return { confirmed: true };
    return now === true
      ? appliance.categories.addSitesAndApply({ id: to.id, sites: [...sent] })
      : handOver(appliance, to, sent, context);
  },
  verify: async ({ appliance, args: { site, category: to } }, shown) => {
    const { fresh, others, broken } = shown;
    const sent = sentOf(site, shown);
    const skipped = notOrdered(site, sent, alreadyIn(to));
    if (broken !== undefined) return withSkipped(await verifyPieces(appliance, to, sent, shown), skipped);
    // Sites looked at before are known to be in other categories.
    const found = await verifyIn(appliance, to, sent.length === 0 ? site : sent, fresh === undefined);
    const [spelling] = spellingFields(sent);
    return {
      ...found,
      evidence: say`${withSkipped(found, skipped).evidence}${warning(shown.elsewhere)}${also(others)}${spelling === undefined ? [] : say` ${spelling.name}: ${spelling.value}.`}`,
    };
  },
  undo: ({ category: { id } }, { fresh, held }) =>
    fresh === undefined || fresh === '' || held === true
      ? undefined
      : siteLine('delete', split(fresh), `from ${id}`),
  doneOf: (now, then, { site }) =>
    now.category === then.category && now.sites === then.sites && isAmong(now.fresh, then.fresh)
      ? missingIn(then.fresh === undefined ? site : split(then.fresh), now.fresh)
      : undefined,
  within: true,
  beside: ['elsewhere'],
  requires: ({ category: { id }, now }) => (now === true ? [] : afterSites(id)),
  satisfies: ({ category: { id }, now }) => (now === true ? afterSites(id) : []),
});

const questionFor = (ordered: readonly string[], to: Named): Text =>
  say`Add ${strong(sitesText(ordered))} to category ${strong(calledCategory(to))}?`;

/**
 * The sites that are sent: those that are not in the category yet. For many, all named sites until they are
 * looked up.
 */
const sentOf = (named: readonly string[], { fresh }: Fingerprint): readonly string[] =>
  fresh === undefined ? named : split(fresh);

const orderedOf = (named: readonly string[], shown: Fingerprint): readonly string[] | undefined =>
  shown.category === undefined ? undefined : sentOf(named, shown);

/** For many sites, the current state is looked up right before the order. */
function isUnsurveyed({ category: to, fresh }: Fingerprint): boolean {
  return to !== undefined && fresh === undefined;
}

const alreadyIn = (category: Named): string => `already in ${calledCategory(category)}`;

const also = (others: unknown): Text =>
  typeof others === 'number' && others > 0
    ? say` ${number(others)} of them ${others === 1 ? 'is' : 'are'} also in other categories (the appliance does not check for duplicates).`
    : [];

const warning = (elsewhere: unknown): Text =>
  typeof elsewhere === 'string' && elsewhere !== ''
    ? say` Also in other categories (the appliance does not check for duplicates): ${elsewhere}.`
    : [];

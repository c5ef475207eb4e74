/** A request for a site in words, on its card and in lists. */

import { showDomain } from '../../handlers/language/domain.ts';
import {
  channel,
  elapsed,
  enumerate,
  type Field,
  moment,
  person,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Action } from '../../journal/journal.ts';
import type { SiteAsker, SiteRequest, SiteWish } from '../base/site-request.ts';

/** "for 2 h", "for good". */
const lastsInWords = (lasts: number | undefined): string =>
  lasts === undefined ? 'for good' : `for ${elapsed(lasts)}`;

/** "for 2 h", "until 17:00", "for good". */
export const timeInWords = ({ lasts, until }: Pick<SiteWish, 'lasts' | 'until'>, now: number): Text =>
  until === undefined ? say`${lastsInWords(lasts)}` : say`until ${when(until, now)}`;

/** Who asks. */
export const askerInWords = (asker: SiteAsker): Text =>
  asker.kind === 'slack' ? [person(asker.person)] : say`${unverified(asker)}, from the block page`;

/** What somebody before a block page says of herself: told as said, after that nothing vouches for it. */
function unverified({ said, user, address }: Extract<SiteAsker, { kind: 'block_page' }>): Text {
  const more = [
    ...(user === undefined ? [] : [`user “${unverifiedName(user)}”`]),
    ...(address === undefined ? [] : [`from ${unverifiedName(address)}`]),
  ];
  return say`somebody not verified, who says “${unverifiedName(said)}”${more.map((one) => `, ${one}`).join('')}`;
}

/** In quotation marks it must not end them, nor look like what the bot adds to a name. */
export const unverifiedName = (said: string): string =>
  said
    .replace(/’/gu, "'")
    .replace(/[\p{Ps}\p{Pe}\p{Pi}\p{Pf}"`´″‟＂]/gu, '')
    .trim() || '–';

export const siteInWords = (site: string) => strong(showDomain(site));

/** "example.com for 2 h", "example.com for 2 h more, which is allowed until 16:00". */
function wantedInWords({ site, time, extends: allowed }: SiteRequest, now: number): Text {
  const wanted = say`${siteInWords(site)} ${timeInWords(time, now)}`;
  if (allowed === undefined) return wanted;
  const more = time.lasts === undefined || time.until !== undefined ? '' : ' more';
  return say`${wanted}${more}, which is allowed until ${when(allowed, now)}`;
}

/** What those who decide are asked. */
export function siteQuestion(request: SiteRequest, now: number): Text {
  const {
    wishes: [{ from }, ...others],
  } = request;
  const wanted = wantedInWords(request, now);
  if (from.kind === 'block_page')
    return say`${wanted} is asked for from the block page, by ${unverified(from)}`;
  return say`${askerInWords(from)} ${others.length === 0 ? 'asks' : `and ${others.length} more ask`} for ${wanted}`;
}

/** More would make a card that nobody reads. */
const mostNamed = 20;

/** Who wants the site, for how long and why, and what `why` has found. */
export function siteFields(
  { wishes, findings }: SiteRequest,
  { state, changedAt: now }: Action,
): readonly Field[] {
  const [first, ...others] = wishes;
  const isOpen = state === 'waiting';
  const tests = testsInWords(findings);
  const categories = categoriesInWords(findings);
  return [
    { name: 'Asked by', value: say`${askerInWords(first.from)} ${timeInWords(first, now)}` },
    { name: 'Reason', value: say`${first.reason}` },
    ...others.slice(0, mostNamed).map((one) => ({
      name: 'Also asked by',
      value: say`${askerInWords(one.from)} ${timeInWords(one, now)}: ${one.reason}`,
    })),
    ...(others.length > mostNamed
      ? [{ name: 'Also asked by', value: say`${others.length - mostNamed} more` }]
      : []),
    ...(findings.length === 0
      ? []
      : [{ name: isOpen ? 'Found' : 'Found before', value: findingsInWords(findings) }]),
    ...(tests === undefined ? [] : [{ name: 'Tested', value: tests }]),
    ...(categories === undefined ? [] : [{ name: 'Categories', value: categories }]),
    { name: 'Asked in', value: placeInWords(first) },
  ];
}

function placeInWords({ from, at }: SiteWish): Text {
  if (from.kind === 'block_page') return say`the block page, ${moment(at)}`;
  return from.isDirect || from.channel.startsWith('D')
    ? say`a direct message, ${moment(at)}`
    : say`${channel(from.channel)}, ${moment(at)}`;
}

/** What was found, an appliance after the other. */
const findingsInWords = (findings: SiteRequest['findings']): Text =>
  findings.flatMap(({ says, appliance }, index) => [
    ...(index === 0 ? [] : ['; ']),
    ...(findings.length > 1 ? say`${says} (${appliance})` : says),
  ]);

/**
 * As much of it as somebody without a role may know: whether it is blocked, and in which categories it is. By addresses, rules and what came
 * of the tests they would learn of the network.
 */
export function verdictForAsker({ findings }: Pick<SiteRequest, 'findings'>): Text {
  const categories = categoriesInWords(findings);
  const isIn = findings.some((one) => (one.categories ?? []).length > 0);
  return findings.some(({ kind }) => kind === 'blocked')
    ? say`It is blocked${isIn && categories !== undefined ? say` (category ${categories})` : []}.`
    : say`Whether it is blocked could not be seen, so people look at it.`;
}

/** What came of the tests of the website. Undefined where there was none. */
function testsInWords(findings: SiteRequest['findings']): Text | undefined {
  const told = findings.flatMap(({ tested, appliance }) =>
    tested === undefined ? [] : [findings.length > 1 ? say`${strong(appliance)}: ${tested}` : tested],
  );
  return told.length === 0 ? undefined : told.flatMap((text, index) => (index === 0 ? text : [' ', ...text]));
}

/** The categories that the site is in, over all appliances. */
function categoriesInWords(findings: SiteRequest['findings']): Text | undefined {
  const known = findings.flatMap(({ categories = [] }) => categories);
  const all = [...new Map(known.map((one) => [one.id, one])).values()];
  if (findings.every(({ categories }) => categories === undefined)) return undefined;
  return all.length === 0
    ? say`none`
    : enumerate(all.map(({ id, name }) => (name === '' ? `category ${id}` : say`${name} (${id})`)));
}

import { showDomain } from '../../handlers/language/domain.ts';
import { elapsed, enumerate, person, say, strong, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { RequestAsker, RequestEnding, SiteRequest, SiteRequestContent } from './site-request.ts';
import { closingAt, longestOf, type WantedTime } from './wanted.ts';

/** "for 2 h", "for good". */
export const lastsInWords = (lasts: number | undefined): string =>
  lasts === undefined ? 'for good' : `for ${elapsed(lasts)}`;

/** "for 2 h", "until 17:00", "for good". */
export const timeInWords = ({ lasts, until }: WantedTime, now: number): Text =>
  until === undefined ? say`${lastsInWords(lasts)}` : say`until ${when(until, now)}`;

/** Who asks. */
export const askerInWords = (asker: RequestAsker): Text =>
  asker.kind === 'slack' ? [person(asker.person)] : say`${unverified(asker)}, from the block page`;

/** What somebody before a block page says of herself: told as said, after that nothing vouches for it. */
function unverified({ said, user, address }: Extract<RequestAsker, { kind: 'block_page' }>): Text {
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

/** "example.com for 2 h": as long as somebody wants it at most. */
export function requestInWords(request: SiteRequest, now: number): Text {
  const longest = longestOf(request, now);
  return say`${siteInWords(request.row.site)} ${timeInWords(longest, now)}${request.content.extends === undefined ? '' : moreOf(longest)}`;
}

const othersAsk = ({ joined }: SiteRequestContent): string =>
  joined.length === 0 ? 'asks' : `and ${joined.length} more ask`;

/** "2 h more", and never "for good more". */
const moreOf = ({ lasts, until }: WantedTime): string =>
  lasts === undefined || until !== undefined ? '' : ' more';

/** What those who decide read: the longest that somebody wants. */
function wantedInWords(request: SiteRequest, now: number): Text {
  const { extends: is } = request.content;
  const wanted = requestInWords(request, now);
  return is === undefined ? wanted : say`${wanted}, which is allowed until ${when(is.until, now)}`;
}

/** How it stands, in the sentence that stands over its card. */
export function standingOf(request: SiteRequest, now: number): Text {
  const { row, content } = request;
  const { from, allowed, works, until, ending } = content;
  const site = siteInWords(row.site);
  const by = allowed === undefined ? [] : say` by ${person(allowed.by)}`;
  switch (row.state) {
    case 'checking':
    case 'open':
      return from.kind === 'slack'
        ? say`${askerInWords(from)} ${othersAsk(content)} for ${wantedInWords(request, now)}`
        : say`${wantedInWords(request, now)} is asked for from the block page, by ${unverified(from)}`;
    case 'asking':
      return say`⏳ ${site} is being allowed${by}`;
    case 'waiting':
      return say`⏳ ${site}: allowed${by}, and it waits${content.notice === undefined ? '' : say`: ${content.notice}`}`;
    case 'verifying':
      return say`⏳ ${site} was allowed${by}${untilInWords(until, now)}. Checking that it works`;
    case 'allowed':
      if (content.isLate)
        return say`⚠ ${site}: its time is over${until === undefined ? '' : say` since ${when(until, now)}`}, but it could not be ended so far. Appliance Bot keeps trying`;
      if (isUnseen(request))
        return say`⚠ ${site} was allowed${by}${untilInWords(until, now)}, and it could not be checked that it works`;
      return works?.is === false
        ? say`⚠ ${site} was allowed${by}${endInWords(until, now)}, and is still blocked`
        : say`✅ ${worksInWords(request, now)}, allowed${by}`;
    case 'closed':
      return ending === undefined
        ? say`${site}: closed`
        : endingInWords(row.card !== undefined, site, ending, content, now);
  }
}

/** The same to whoever asked, beside the site and the time. */
export function standingForAsker(request: SiteRequest, now: number): Text {
  const { row, content } = request;
  switch (row.state) {
    case 'checking':
      return say`Being checked: is it blocked?`;
    case 'open':
      return say`Waits for a decision until ${when(closingAt(request), now)}${content.notice === undefined ? '' : say`. ${content.notice}`}`;
    default:
      return standingOf(request, now);
  }
}

/** "example.com works since 14:03, until 16:03" */
export function worksInWords({ row, content }: SiteRequest, now: number): Text {
  const { works, until } = content;
  const { unseen = [] } = works ?? {};
  const seen = row.appliances.filter((one) => !unseen.includes(one));
  const where = unseen.length === 0 ? [] : say` on ${enumerate(seen.map(strong))}`;
  const not = unseen.length === 0 ? [] : say` (not known on ${enumerate(unseen.map(strong))})`;
  return say`${siteInWords(row.site)} works${where}${works === undefined ? '' : say` since ${when(works.at, now)}`}${endInWords(until, now)}${not}`;
}

/** Whether it works could be seen on none of its appliances. */
export const isUnseen = ({ row, content: { works } }: SiteRequest): boolean =>
  works?.is === false && works.unseen?.length === row.appliances.length;

const endInWords = (until: number | undefined, now: number): Text =>
  until === undefined ? say`, with no end` : untilInWords(until, now);

const untilInWords = (until: number | undefined, now: number): Text =>
  until === undefined ? [] : say`, until ${when(until, now)}`;

function endingInWords(
  wasPutUp: boolean,
  site: ReturnType<typeof siteInWords>,
  { kind, by, says }: RequestEnding,
  { works, notice }: SiteRequestContent,
  now: number,
): Text {
  const who = by === undefined ? [] : say` by ${person(by)}`;
  switch (kind) {
    case 'not_blocked':
      return wasPutUp
        ? say`☑ ${site} is not blocked any more, so there is nothing to decide`
        : say`☑ ${site} is not blocked, so there was nothing to decide`;
    case 'not_found':
      return say`☑ ${site} can’t be requested: no website of that name was found on the Internet. Check the spelling; if it is right, ask your IT support`;
    case 'not_askable':
      return says;
    case 'denied':
      return say`🚫 ${site} was denied${who}: ${says}`;
    case 'expired':
      if (says.length > 0) return say`⌛ ${site}: ${says}, so the request expired`;
      return notice === undefined
        ? say`⌛ ${site}: nobody decided in time, so the request expired`
        : say`⌛ ${site}: it was not allowed in time, so the request expired. ${notice}`;
    case 'not_posted':
      return say`${site}: the request couldn’t be posted`;
    case 'allowed':
      return works?.is === false
        ? say`⚠ ${site} was allowed with no end, and is still blocked`
        : say`✅ ${site} works${works === undefined ? '' : say` since ${when(works.at, now)}`}, allowed with no end`;
    case 'withdrawn':
      return say`☑ ${site}: ${by === undefined ? 'whoever asked' : person(by)} withdrew the request`;
    case 'continued':
      return say`☑ ${site} is allowed for longer, by a later request`;
    case 'kept':
      return say`✅ ${site} now stays allowed, with no end`;
    case 'over':
      return say`☑ ${site}: ${says}`;
  }
}

/** Slack does not take what they would be told: who has to be told otherwise. */
export const untoldInWords = (untold: NonNullable<SiteRequestContent['untold']>): Text =>
  say`⚠ ${enumerate(untold.map((one) => say`${person(one.person)} (${one.why})`))} can’t be reached in a direct message. Tell them yourself.`;

/** What was found, an appliance after the other. */
export function findingsInWords({ findings, unchecked }: SiteRequestContent): Text {
  const told = findings.map(({ says, appliance }) =>
    findings.length + unchecked.length > 1 ? say`${says} (${appliance})` : says,
  );
  const missing = unchecked.map(
    ({ appliance, why }) => say`⚠ ${strong(appliance)} could not be asked: ${why}`,
  );
  return enumerateLines([...told, ...missing]);
}

/**
 * As much of it as somebody without a role may know: whether it is blocked, and in which categories it is. By addresses, rules and what came
 * of the tests they would learn of the network.
 */
export function verdictForAsker(content: SiteRequestContent): Text {
  const categories = categoriesInWords(content);
  const isIn = content.findings.some((one) => (one.categories ?? []).length > 0);
  return content.findings.some(({ kind }) => kind === 'blocked')
    ? say`It is blocked${isIn && categories !== undefined ? say` (category ${categories})` : []}.`
    : say`Whether it is blocked could not be seen, so people look at it.`;
}

/** What came of the tests of the website. Undefined where there was none. */
export function testsInWords({ findings }: Pick<SiteRequestContent, 'findings'>): Text | undefined {
  const told = findings.flatMap(({ tested, appliance }) =>
    tested === undefined ? [] : [findings.length > 1 ? say`${strong(appliance)}: ${tested}` : tested],
  );
  return told.length === 0 ? undefined : told.flatMap((text, index) => (index === 0 ? text : [' ', ...text]));
}

const enumerateLines = (texts: readonly Text[]): Text =>
  texts.flatMap((text, index) => (index === 0 ? text : ['; ', ...text]));

/** The categories that the site is in, over all appliances. */
export function categoriesInWords({ findings }: SiteRequestContent): Text | undefined {
  const known = findings.flatMap(({ categories = [] }) => categories);
  const all = [...new Map(known.map((one) => [one.id, one])).values()];
  if (findings.every(({ categories }) => categories === undefined)) return undefined;
  return all.length === 0
    ? say`none`
    : enumerate(all.map(({ id, name }) => (name === '' ? `category ${id}` : say`${name} (${id})`)));
}

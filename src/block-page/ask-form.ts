import type { SelfServicePolicy } from '../auth/asking/self-service.ts';
import { shortened } from '../graphemes.ts';
import {
  endingIn,
  hasManyOwners,
  readDomain,
  readSite,
  type SiteReading,
} from '../handlers/language/domain.ts';
import { duration } from '../handlers/wording/quantities.ts';
import { carriesSecret } from '../secrets.ts';

/** The values of the form: from the block page's link, or from a person. */
export interface FormValues {
  readonly site: string;
  /** The public suffix that the person has already confirmed to be more than one website. */
  readonly suffix: string;
  readonly name: string;
  readonly reason: string;
  readonly lasts: string;
  /** The user name in the link, from the proxy. Anybody can forge it. */
  readonly user: string;
}

export type FormField = 'site' | 'name' | 'reason' | 'lasts';

/** Errors by field. */
export type FormProblems = Readonly<Partial<Record<FormField, string>>>;

export interface FilledIn {
  readonly site: string;
  readonly name: string;
  readonly reason: string;
  /** In milliseconds; undefined: permanently. */
  readonly lasts: number | undefined;
  readonly user: string | undefined;
}

const minutes = 60_000;
const hours = 60 * minutes;

interface Duration {
  readonly says: string;
  /** In milliseconds; undefined: permanently. */
  readonly lasts: number | undefined;
}

const durations: ReadonlyMap<string, Duration> = new Map([
  ['30m', { says: '30 minutes', lasts: 30 * minutes }],
  ['2h', { says: '2 hours', lasts: 2 * hours }],
  ['8h', { says: '8 hours', lasts: 8 * hours }],
  ['1d', { says: '1 day', lasts: 24 * hours }],
  ['7d', { says: '1 week', lasts: 7 * 24 * hours }],
  ['always', { says: 'permanently', lasts: undefined }],
]);

/** By the value in the form. */
export type Choices = ReadonlyMap<string, Duration>;

/** The durations within the policy's limit. */
export function choicesWithin({ longest, forGood }: Pick<SelfServicePolicy, 'longest' | 'forGood'>): Choices {
  const within = [...durations].filter(([, { lasts }]) => (lasts === undefined ? forGood : lasts <= longest));
  return new Map(
    within.length > 0 ? within : [['longest', { says: durationInWords(longest), lasts: longest }]],
  );
}

/** As in the form; other durations come from the policy. */
export const durationInWords = (lasts: number | undefined): string =>
  [...durations.values()].find((one) => one.lasts === lasts)?.says ?? duration(lasts ?? 0);

/** The preselected duration: two hours, or the longest shorter one. */
export const usualChoice = (choices: Choices): string =>
  choices.has('2h') ? '2h' : ([...choices.keys()].at(0) ?? '');

/** In characters. */
export const most = { name: 60, reason: 300, user: 100, url: 4_000 } as const;

/** A link's query: `link=TOKEN&user=bob&url=…`. */
export interface LinkQuery {
  readonly link: string;
  readonly user: string;
  readonly site: string;
}

/**
 * Reads the query of the link. Some block pages do not encode their values, so `url` comes last and includes
 * the rest, whatever it contains. It may be a whole URL or a host.
 */
export function readLinkQuery(query: string): LinkQuery {
  const at = query.indexOf(urlPart);
  const given = new URLSearchParams(at === -1 ? query : query.slice(0, at));
  const url = at === -1 ? '' : query.slice(at + urlPart.length);
  return {
    link: given.get('link') ?? '',
    user: shortened(oneLine(given.get('user') ?? ''), most.user),
    site: url.length > most.url ? '' : blockedSite(decoded(url)),
  };
}

/** For an address inside another one, the proxy has blocked the outer one. */
function blockedSite(url: string): string {
  const read = readSite(url);
  return read === undefined ? '' : read.kind === 'site' ? read.site : read.outer;
}

const urlPart = '&url=';

/** Excludes an unfilled template value, and `-`, with which proxies mean unknown. */
export const isTold = (user: string): boolean => user !== '' && user !== '-' && !/^%\w$/.test(user);

export function readEntered(sent: URLSearchParams): FormValues {
  const text = (name: string) => sent.get(name) ?? '';
  return {
    site: oneLine(text('site')),
    suffix: text('suffix'),
    name: oneLine(text('name')),
    reason: text('reason').replaceAll('\r\n', '\n').trim(),
    lasts: text('lasts'),
    user: oneLine(text('user')),
  };
}

export function check(
  entered: FormValues,
  choices: Choices,
): { readonly ok: true; readonly form: FilledIn } | { readonly ok: false; readonly problems: FormProblems } {
  const { name, reason } = entered;
  const read = entered.site.length > most.url ? undefined : readSite(entered.site);
  const site = read?.kind === 'site' ? read.site : undefined;
  const wrong = wrongSite(read, entered.suffix);
  const chosen = choices.get(entered.lasts);
  const problems: FormProblems = {
    ...(wrong !== undefined && { site: wrong }),
    ...wrongText('name', name, 'Enter your name, so that people know who asks.'),
    ...wrongText('reason', reason, 'Say in a few words what you need it for.'),
    ...(chosen === undefined && { lasts: 'Choose how long you need it.' }),
  };
  if (site === undefined || chosen === undefined || Object.keys(problems).length > 0) {
    return { ok: false, problems };
  }
  const user = isTold(entered.user) ? shortened(entered.user, most.user) : undefined;
  return { ok: true, form: { site, name, reason: oneLine(reason), lasts: chosen.lasts, user } };
}

function wrongSite(read: SiteReading | undefined, suffix: string): string | undefined {
  switch (read?.kind) {
    case undefined:
      return 'Enter the address of a website, such as example.com.';
    case 'sealed':
      return `This is ${read.by}, which hides the website that it leads to. Enter the address of the website.`;
    case 'either':
      return `This address contains another one. Enter the website that you need: ${[read.outer, ...read.inner].join(' or ')}.`;
    case 'site':
      return hasManyOwners(read.site) && suffix !== read.site
        ? `${read.site} is not one website: you would request ${endingIn(read.site)}. Enter the whole address of your website, or send the form again to request all of them.`
        : undefined;
  }
}

function wrongText(field: 'name' | 'reason', text: string, missing: string): FormProblems {
  const length = [...text].length;
  if (!/[\p{L}\p{N}]/u.test(text)) return { [field]: missing };
  if (length > most[field]) {
    return { [field]: `This has ${length} characters. Use ${most[field]} at most.` };
  }
  if (carriesSecret(text)) {
    return { [field]: 'This seems to contain a password or a key. Leave it out: other people read this.' };
  }
  return {};
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Unencoded text with percent signs of its own.
    return text;
  }
}

export function suffixIn({ site }: Pick<FormValues, 'site'>): string {
  const read = readDomain(site);
  return read !== undefined && hasManyOwners(read) ? read : '';
}

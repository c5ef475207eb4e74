import type { SelfServicePolicy } from '../auth/asking/self-service.ts';
import {
  endingIn,
  isPublicSuffix,
  readDomain,
  readSite,
  type SiteReading,
} from '../handlers/language/domain.ts';
import { duration } from '../handlers/wording/quantities.ts';
import { carriesSecret } from '../secrets.ts';

/** What stands in the form: as the block page's link filled it in, or as a person has. */
export interface FormValues {
  readonly site: string;
  /** The public suffix that was named before, and that whoever asks was told is more than one website. */
  readonly suffix: string;
  readonly name: string;
  readonly reason: string;
  /** One of the choices. */
  readonly lasts: string;
  /** Who the proxy says it is, by the link: anybody can write that into it. */
  readonly user: string;
}

export type FormField = 'site' | 'name' | 'reason' | 'lasts';

/** What is to be mended, by field. */
export type FormProblems = Readonly<Partial<Record<FormField, string>>>;

/** A form that can be sent on. */
export interface FilledIn {
  readonly site: string;
  readonly name: string;
  readonly reason: string;
  /** In milliseconds; undefined: for good. */
  readonly lasts: number | undefined;
  readonly user: string | undefined;
}

const minutes = 60_000;
const hours = 60 * minutes;

/** How long a site may be asked for. */
interface Duration {
  readonly says: string;
  /** In milliseconds; undefined: for good. */
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

/** By what stands in the form. */
export type Choices = ReadonlyMap<string, Duration>;

/** What can be chosen where so much may be asked for. */
export function choicesWithin({ longest, forGood }: Pick<SelfServicePolicy, 'longest' | 'forGood'>): Choices {
  const within = [...durations].filter(([, { lasts }]) => (lasts === undefined ? forGood : lasts <= longest));
  return new Map(
    within.length > 0 ? within : [['longest', { says: durationInWords(longest), lasts: longest }]],
  );
}

/** As in the form; other durations come from the policy. */
export const durationInWords = (lasts: number | undefined): string =>
  [...durations.values()].find((one) => one.lasts === lasts)?.says ?? duration(lasts ?? 0);

/** What is chosen unless somebody chooses: two hours, or the longest that is less. */
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
 * Reads the query of the link. Block pages differ in whether they encode what they put in, so `url` comes last and goes to
 * the end, whatever signs are in it. It may be a whole URL or a host.
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

/** Of an address with another one in it, the proxy has blocked the one that it was asked for. */
function blockedSite(url: string): string {
  const read = readSite(url);
  return read === undefined ? '' : read.kind === 'site' ? read.site : read.outer;
}

const urlPart = '&url=';

/** A value that a template left unfilled, or `-`, with which proxies say that they do not know. */
export const isTold = (user: string): boolean => user !== '' && user !== '-' && !/^%\w$/.test(user);

/** What was sent, as it was typed. */
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

/** What it says, or what is to be mended. */
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
      return `This is ${read.by}, and where it leads can’t be read from it. Enter the address of the website.`;
    case 'either':
      return `This address holds another one. Enter the website that you need: ${[read.outer, ...read.inner].join(' or ')}.`;
    case 'site':
      return isPublicSuffix(read.site) && suffix !== read.site
        ? `${read.site} is not one website: ${endingIn(read.site)} would be asked for. Enter the whole address of yours, or send this again to ask for all of them.`
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

const shortened = (text: string, most: number): string =>
  [...text].length > most ? `${[...text].slice(0, most - 1).join('')}…` : text;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // It was not encoded, and has percent signs of its own.
    return text;
  }
}

/** The public suffix in what was entered. */
export function suffixIn({ site }: Pick<FormValues, 'site'>): string {
  const read = readDomain(site);
  return read !== undefined && isPublicSuffix(read) ? read : '';
}

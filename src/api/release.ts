/** The release of an appliance, and whether it has an operation (appliance-api.md §2.10, §2.11, §9). Pure. */

export interface Release {
  /** The version line, such as '4.50'. Compared part by part, so 4.100 is later than 4.50. */
  readonly version: string;
  /** 0 when there is none. */
  readonly servicePack: number;
  /** The newest hotfix, date and number, such as '20250525-12'. */
  readonly hotfix?: string;
}

/**
 * The texts of `/appliance_version`. The document gives their meaning but not their wording, and does not know
 * `hotfix`.
 */
export interface ToldVersion {
  /** '4' or '4.50'. */
  readonly major: string;
  /** "Text including the service pack" (§2.10): '4.50', '4.50.000000 Service Pack 5', '4.30.141' … */
  readonly version: string;
  /** '5', 'SP5', 'Service Pack 5', '0' or ''. */
  readonly servicePack: string;
  /** '2021092801', '20250525-12'; undefined if there is none (field notes). */
  readonly hotfix?: string | undefined;
  /** Events of the last service pack uploaded. */
  readonly latestUpgrade?: string | undefined;
}

/** The releases that have an operation. */
export interface Alternatives {
  /** Each of these, and everything later. A service pack of 0 means none is named. */
  readonly from: readonly Release[];
  /** Version lines for which it also exists as a patch. No appliance reports its patches. */
  readonly patchFor: readonly string[];
}

/** A number, a dot, a number, and perhaps a third; longer chains are addresses or dates. */
const dottedNumber = /(?<![\w.])v?(\d{1,2}\.\d{1,3})(?:\.(\d{1,6}))?(?![\d.]*\d)/gi;
const servicePackInWords = /(?<![a-z])(?:sp|service[\s_-]*pack)[\s_:=#-]*(\d{1,4})(?!\d)/i;
/** A date and at most three digits. In the events of an upgrade, more digits or a colon are a time of day. */
const hotfixes = /(?<!\d)\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-\d{1,3}(?!\d|[-:]\d)/g;
/** A hotfix alone, or in a file's name, where date and number may be joined. */
const namedHotfix = /(?<!\d)(20\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))[-_.]?(\d{1,3})(?!\d)/;
const releaseNames = new RegExp(
  `^(?<version>[1-9]\\d?\\.\\d{1,3})(?: (?:SP|service pack) ?(?<servicePack>\\d{1,4}))?(?: hotfix (?<hotfix>${hotfixes.source}))?$`,
  'i',
);

/**
 * Reads the release from the texts of `/appliance_version`.
 *
 * If texts disagree about service pack or hotfix, the newest wins: both only add, so the older text is
 * outdated. Believing too much costs one call that the appliance refuses; believing too little forbids a call
 * that works.
 * @returns undefined if the texts name no version or several, contradict each other, or contain an unreadable
 * hotfix
 */
export function readRelease(said: ToldVersion): Release | undefined {
  const line = lineIn(said.version) ?? lineIn(said.major);
  if (line === undefined || !agrees(said.major, line.version)) return undefined;

  const own = said.hotfix === undefined ? undefined : hotfixIn(said.hotfix);
  if (said.hotfix !== undefined && own === undefined) return undefined;
  const hotfix = [said.major, said.version, said.servicePack, said.latestUpgrade ?? '']
    .flatMap((text): readonly string[] => text.match(hotfixes) ?? [])
    .concat(own ?? [])
    .sort(compareParts)
    .at(-1);
  return {
    version: line.version,
    servicePack: servicePackIn(said) ?? line.servicePack,
    ...(hotfix === undefined ? {} : { hotfix }),
  };
}

/** The hotfix that a text names, as §9 writes it: '2021092801' and 'fix_20210928-01.tgz' → '20210928-01'. */
export function hotfixIn(text: string): string | undefined {
  const [, day, number] = namedHotfix.exec(text) ?? [];
  return day === undefined ? undefined : `${day}-${number}`;
}

interface Line {
  readonly version: string;
  /** The service pack in a short third part. Six digits are a build number. */
  readonly servicePack: number;
}

/** The version line at the beginning of a text, or the only one in it. */
function lineIn(text: string): Line | undefined {
  const lines = Array.from(text.trim().matchAll(dottedNumber), (match) => {
    const [, version = '', third = ''] = match;
    return { version, servicePack: third.length > 3 ? 0 : Number(third), leads: match.index === 0 };
  });
  const [first, ...others] = lines;
  if (first === undefined) return undefined;
  const certain = first.leads || others.every((other) => compareParts(other.version, first.version) === 0);
  return certain ? { version: first.version, servicePack: first.servicePack } : undefined;
}

/**
 * '4', '4.50' and '4.5' agree with 4.50; a JSON number turns it into the last. A text without a number
 * contradicts nothing.
 */
function agrees(major: string, version: string): boolean {
  const line = lineIn(major)?.version;
  if (line !== undefined) return Number(line) === Number(version);
  const whole = /^v?(\d+)$/i.exec(major.trim())?.[1];
  return whole === undefined || Number(whole) === Math.trunc(Number(version));
}

/**
 * The service pack in words or in its own field; undefined if none. Ignores the latest upgrade: that is an
 * upload, which may still be running or have failed (§3).
 */
function servicePackIn(said: ToldVersion): number | undefined {
  const alone = /^\s*(\d{1,4})(?![\d.-])/.exec(said.servicePack)?.[1];
  // The first in each text; a later one may be another, such as the next one on offer.
  const told = [said.servicePack, said.version, said.major].map((text) => servicePackInWords.exec(text)?.[1]);
  const numbers = [alone, ...told].filter((text) => text !== undefined).map(Number);
  return numbers.length === 0 ? undefined : Math.max(...numbers);
}

/** For people: '4.50', '4.50 SP4', '4.50 hotfix 20230911-11' or '4.50 SP4 hotfix 20250525-12'. */
export function releaseName(release: Release): string {
  const servicePack = release.servicePack === 0 ? '' : ` SP${release.servicePack}`;
  const hotfix = release.hotfix === undefined ? '' : ` hotfix ${release.hotfix}`;
  return `${release.version}${servicePack}${hotfix}`;
}

/**
 * A release written by hand, as {@link releaseName} writes it; case, spaces and 'service pack' in full do not matter.
 * @returns undefined when the text is not the name of a release
 */
export function parseReleaseName(text: string): Release | undefined {
  const parts = releaseNames.exec(text.trim().replaceAll(/\s+/g, ' '))?.groups;
  if (parts?.version === undefined) return undefined;
  return {
    version: parts.version,
    servicePack: Number(parts.servicePack ?? 0),
    ...(parts.hotfix === undefined ? {} : { hotfix: parts.hotfix }),
  };
}

/**
 * Reads an availability as §9 writes it: "4.50 SP5, or 4.50 SP4 hotfix 20250525-12", or "4.30 service pack 141
 * or later, or as a patch for 4.30", also written "4.30 SP141". Strict, because people read the declarations as
 * they are.
 * @throws TypeError for other texts
 */
export function readAvailability(text: string): Alternatives {
  const from: Release[] = [];
  const patchFor: string[] = [];
  for (const alternative of text.split(', or ')) {
    const name = alternative.replace(/ service pack (\d+) or later$/, ' SP$1');
    const patched = /^as a patch for (.+)$/.exec(name)?.[1];
    const release = parseReleaseName(patched ?? name);
    if (release === undefined || releaseName(release) !== (patched ?? name)) throw notUnderstood(text);
    if (patched === undefined) from.push(release);
    else if (patched === release.version) patchFor.push(patched);
    else throw notUnderstood(text);
  }
  // The one row of §9 that names a patch may also be written with its service pack alone.
  if (text === '4.30 SP141') patchFor.push('4.30');
  return { from, patchFor };
}

function notUnderstood(text: string): TypeError {
  return new TypeError(`'${text}' is not a valid list of releases`);
}

/**
 * Whether a release has an operation with this availability.
 * @returns 'unknown' only if the document leaves it open: an invisible patch
 */
export function has(release: Release, availability: Alternatives): 'yes' | 'no' | 'unknown' {
  if (availability.from.some((alternative) => isFrom(alternative, release))) return 'yes';
  const patched = availability.patchFor.some((version) => compareParts(version, release.version) === 0);
  return patched ? 'unknown' : 'no';
}

function isFrom(alternative: Release, release: Release): boolean {
  const line = compareParts(release.version, alternative.version);
  if (line !== 0) return line > 0;
  if (release.servicePack < alternative.servicePack) return false;
  if (alternative.hotfix === undefined) return true;
  return release.hotfix !== undefined && compareParts(release.hotfix, alternative.hotfix) >= 0;
}

/**
 * The key of a REST-engine version in the update index, "the version without its dot" (§9 rule 3): '1.190' →
 * 1190. Keys are ambiguous ('11.90' has the same), so look up the key's version in the index.
 * @returns undefined unless the text is one number, a dot and one number, without a leading zero
 */
export function engineKey(version: string): number | undefined {
  return /^[1-9]\d{0,5}\.\d{1,6}$/.test(version) ? Number(version.replace('.', '')) : undefined;
}

/**
 * Whether a REST engine of this version can be updated through the API; below 1.189 it cannot (§9 rule 3).
 * @returns false also for other texts, because nothing is known about them
 */
export function keepsUpdater(version: string): boolean {
  return /^\d+(?:\.\d+)+$/.test(version) && compareParts(version, '1.189') >= 0;
}

/** Compares versions by parts, and hotfixes by date and then number: below zero if the first is older. */
function compareParts(one: string, other: string): number {
  const theirs = other.split(/[.-]/).map(Number);
  const ours = one.split(/[.-]/).map(Number);
  for (let index = 0; index < Math.max(ours.length, theirs.length); index += 1) {
    const difference = (ours[index] ?? 0) - (theirs[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

import { type ApplianceVersion, hotfixIn } from '../../api/index.ts';
import { say, strong, type Text } from '../reply.ts';
import { type Fingerprint, final, notCheckable, underWay, type Verification } from '../results.ts';
import { number } from '../wording/quantities.ts';
import { releaseOf } from '../wording/release.ts';

/** The report on upgrades in `/appliance_version` (appliance-api.md §2.10), and its interpretation. */

export type UpgradeKind = 'hotfix' | 'service pack';

/** Oldest first, in the appliance's words. */
export const eventsOf = ({ latestUpgrade = '' }: ApplianceVersion): readonly string[] =>
  linesOf(latestUpgrade);

/** The state that changes when an upgrade begins or ends. */
export const upgradeState = (now: ApplianceVersion): Fingerprint => ({
  release: releaseOf(now),
  servicePack: now.servicePack,
  events: now.latestUpgrade ?? '',
});

/**
 * Judges the upgrade with this file since `shown` was read. Somebody else may upgrade meanwhile, so only the
 * file's name or number proves this one. The events' wording is undocumented, so a decisive one is quoted.
 * `name`: as sent.
 */
export function judgeUpgrade(
  appliance: string,
  { what, name }: { readonly what: UpgradeKind; readonly name: string },
  now: ApplianceVersion,
  shown: Fingerprint,
): Verification {
  const { release: before, patchBytes, size } = shown;
  if (patchBytes !== undefined) {
    const counted =
      patchBytes === size
        ? ''
        : `. It counted ${number(Number(patchBytes))} bytes; the file has ${number(Number(size))}`;
    return final(
      notCheckable`${appliance} reports ${name} installed as a personal patch, which the release does not show${counted}`,
    );
  }
  const release = releaseOf(now);
  const isOther = release !== before;
  const runs = isOther
    ? say`${strong(appliance)} now runs ${strong(release)}; before: ${String(before)}.`
    : say`${strong(appliance)} still runs ${release}.`;
  const own = ownEvents(name, now, shown);
  const last = own.at(-1);
  const says = last === undefined ? say`` : say` Its last event: “${last}”.`;
  // Words inside the file's name say nothing.
  const event = last?.replaceAll(name, '') ?? '';
  const whose = shownNumber(what, name, String(before), release);
  if (isOther && whose === 'its') return { kind: 'happened', evidence: runs };
  if (isFailure(event)) return { kind: 'not_happened', final: true, evidence: say`${runs}${says}` };
  if (isEnd(event)) {
    return {
      kind: 'happened',
      evidence: isOther
        ? say`${runs}${says}`
        : say`${strong(appliance)} reports it.${says} The reported release is ${release}, as before.`,
    };
  }
  if (isOther && last !== undefined && whose !== 'another') {
    return { kind: 'happened', evidence: say`${runs}${says}` };
  }
  if (isOther) {
    const told = eventsOf(now).at(-1);
    const seen = told === undefined ? say`` : say` The last event: “${told}”.`;
    return underWay`${runs} Nothing shows that this is the result of ${name}.${seen}`;
  }
  const arrived: Text =
    shown.uploaded === true || last !== undefined
      ? say`${name} was uploaded completely; the upgrade runs in the background and is not visible yet`
      : say`It is unknown whether ${name} arrived completely, and no result is visible yet`;
  const seen = underWay`${arrived}: ${strong(appliance)} still runs ${release}.${says}`;
  return shown.uploaded === true || last !== undefined ? seen : { ...seen, unseen: true };
}

/** Whose number the release shows now and not before: the one in the file's name, another one, or unknown. */
function shownNumber(
  what: UpgradeKind,
  name: string,
  before: string,
  release: string,
): 'its' | 'another' | undefined {
  const numberIn = what === 'hotfix' ? hotfixIn : servicePackIn;
  const [own, told] = [numberIn(name), numberIn(release)];
  if (own === undefined || told === undefined) return undefined;
  return own === told && numberIn(before) !== own ? 'its' : 'another';
}

/** The kind in a file's name; undefined if it has none. Some hotfixes name their service pack. */
export function calledIn(name: string): UpgradeKind | undefined {
  if (/hot[\s_-]?fix/i.test(name) || hotfixIn(name) !== undefined) return 'hotfix';
  return /service[\s_-]*pack/i.test(name) || servicePackIn(name) !== undefined ? 'service pack' : undefined;
}

const servicePackIn = (text: string): string | undefined =>
  /(?<![a-z])(?:sp|service[\s_-]*pack)[\s_-]*0*(\d{1,4})(?!\d)/i.exec(text)?.[1];

const archive = /\.(?:tgz|tar\.gz|zip)\b/i;

/**
 * The events of this file since `shown`: from the first that names it up to one that names another. Events
 * without any file name belong to the confirmed file, unless they continue earlier ones.
 */
function ownEvents(
  name: string,
  now: ApplianceVersion,
  { events, uploaded }: Fingerprint,
): readonly string[] {
  const all = eventsOf(now);
  const before = linesOf(String(events));
  const goesOn = before.length > 0 && before.every((line, index) => line === all[index]);
  const fresh = goesOn ? all.slice(before.length) : all;
  const namesOther = (line: string) => archive.test(line.replaceAll(name, ''));
  const first = fresh.findIndex((line) => line.includes(name));
  if (first < 0) return uploaded === true && !goesOn && !fresh.some(namesOther) ? fresh : [];
  const own = fresh.slice(first);
  const other = own.findIndex((line) => !line.includes(name) && namesOther(line));
  return other < 0 ? own : own.slice(0, other);
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');

const isFailure = (event: string): boolean =>
  /\b(?:fail\w*|errors?|not installed|refused|aborted|cancell?ed)\b/i.test(
    event.replace(/\b(?:no|0|without) (?:errors?|failures?)\b/gi, ''),
  );

/** The end of the whole upgrade; "Download completed" is only a step. */
const isEnd = (event: string): boolean =>
  event.split('\n').some((line) => {
    const [, ...behind] = line.split(/\b(?:hotfix|service\s?pack|upgrade)\b/i);
    return /\b(?:installed|success\w*|completed?|finished)\b/i.test(behind.join(' '));
  }) && !/upload|download|extract/i.test(event);

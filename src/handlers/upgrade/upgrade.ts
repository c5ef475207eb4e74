import type { ApplianceVersion } from '../../api/index.ts';
import { say, strong, type Text } from '../reply.ts';
import type { Fingerprint, Verification } from '../results.ts';
import { releaseOf } from '../wording/release.ts';

/** What `/appliance_version` tells of upgrades (appliance-api.md §2.10), and what can be read from it afterwards. */

/** Its events, oldest first, as the appliance words them. */
export const eventsOf = ({ latestUpgrade = '' }: ApplianceVersion): readonly string[] =>
  latestUpgrade.split('\n').filter((line) => line.trim() !== '');

/** What tells that an upgrade has begun or has come to its end. */
export const upgradeState = (now: ApplianceVersion): Fingerprint => ({
  release: releaseOf(now),
  servicePack: now.servicePack,
  events: now.latestUpgrade ?? '',
});

/**
 * What has become of an upgrade since `shown` was read. The events' wording is not documented, so an event decides only
 * where the release does not, and is quoted.
 */
export function judgeUpgrade(
  appliance: string,
  name: string,
  now: ApplianceVersion,
  shown: Fingerprint,
): Verification {
  const release = releaseOf(now);
  const { release: before, servicePack, events, uploaded } = shown;
  if (release !== before || now.servicePack !== servicePack) {
    return {
      kind: 'happened',
      evidence: say`${strong(appliance)} runs ${strong(release)} now; it was ${String(before)}.`,
    };
  }
  const last = now.latestUpgrade === events ? undefined : eventsOf(now).at(-1);
  const says = last === undefined ? say`` : say` Its last event says: “${last}”.`;
  // Whatever the file is called says nothing.
  const event = last?.replaceAll(name, '') ?? '';
  if (isFailure(event)) {
    return {
      kind: 'not_happened',
      final: true,
      evidence: say`${strong(appliance)} still runs ${release}.${says}`,
    };
  }
  if (isEnd(event)) {
    return {
      kind: 'happened',
      evidence: say`${strong(appliance)} reports it.${says} It calls its release ${release}, as before.`,
    };
  }
  const arrived: Text =
    uploaded === true || last !== undefined
      ? say`${name} is correctly uploaded; the upgrade runs in the background and is not visible yet`
      : say`I do not know whether ${name} arrived as a whole, and nothing of it is visible yet`;
  return {
    kind: 'under_way',
    evidence: say`${arrived}: ${strong(appliance)} still runs ${release}.${says}`,
  };
}

const isFailure = (event: string): boolean =>
  /\b(?:fail\w*|errors?|not installed|refused|aborted|cancell?ed)\b/i.test(
    event.replace(/\b(?:no|0|without) (?:errors?|failures?)\b/gi, ''),
  );

/** The end of the whole, and not of a step on the way: "Download completed" is none. */
const isEnd = (event: string): boolean =>
  event.split('\n').some((line) => {
    const [, ...behind] = line.split(/\b(?:hotfix|service\s?pack|upgrade)\b/i);
    return /\b(?:installed|success\w*|completed?|finished)\b/i.test(behind.join(' '));
  }) && !/upload|download|extract/i.test(event);

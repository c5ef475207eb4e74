import { isApplianceFailure } from '../../api/index.ts';
import { span } from '../argument.ts';
import type { ActiveTimedChange, AskingAppliance } from '../context.ts';
import {
  type Authentication,
  type Emergency,
  emergencyIn,
  emergencyWords,
  leaveOffer,
  readAuthentication,
  toldOf,
} from '../directory/authentication.ts';
import { quoted } from '../language/asked.ts';
import { code, elapsed, type Offer, say, strong, type Text } from '../reply.ts';
import type { Fingerprint, Lasting, Preview, Verification } from '../results.ts';
import { readIn, whyNot } from '../wording/answer.ts';
import { when } from '../wording/when.ts';

/** The phrase that ends it. The journal identifies an active emergency by it (`TimedChangeRow.subject`). */
export const endOfMode = 'emergency disable';

/** The general limits. The policy usually allows less, and the preview says so. */
export const time = span('a duration', '30m', { minutes: 1, days: 7 });

/** Opens the form that asks for duration and reason. */
export const extendOffer = (appliance: string): Offer => ({
  label: 'Extend',
  line: `emergency extend --on ${quoted(appliance)}`,
});

/** Identifies the state, without numbers that keep changing. */
export function fingerprintOf(found: Authentication) {
  const status = readIn(found.directory);
  return {
    emergency: emergencyIn(found),
    connected: status?.connected ?? null,
    linked: readIn(found.link)?.linked ?? null,
    atWork: status?.activeDaemons === undefined ? null : status.activeDaemons > 0,
  } satisfies Fingerprint;
}

/** Whether the proxy authenticated people when the card was shown and no longer does, as in an emergency (§3). */
export function hasLetGo(found: Authentication, shown: Fingerprint): boolean {
  const now = fingerprintOf(found);
  return (['connected', 'linked', 'atWork'] as const).some(
    (sign) => shown[sign] === true && now[sign] === false,
  );
}

/**
 * Whether this emergency is over, and whether people can authenticate again.
 * @throws the ApplianceFailure if the status that would show it cannot be read
 */
export function overOrNot(
  found: Authentication,
  shown: Fingerprint,
  mode: Extract<Emergency, 'on' | 'global'>,
): Verification {
  const emergency = emergencyIn(found);
  if (emergency === mode) {
    return { kind: 'not_happened', evidence: say`State read back: it is still on.${toldOf(found)}` };
  }
  if (emergency === 'off') {
    return shown.unseen === true
      ? { kind: 'not_checkable', why: whyUnshown }
      : { kind: 'happened', evidence: say`${authenticates}${toldOf(found)}` };
  }
  if (emergency !== 'unclear') {
    return {
      kind: 'happened',
      evidence: say`State read back: ${emergencyWords[emergency]}.${toldOf(found)}`,
    };
  }
  if (!found.directory.answered) throw found.directory.failure;
  return shown.emergency === mode && isNamedNoMore(found)
    ? { kind: 'happened', evidence: say`${notConnected}${toldOf(found)}` }
    : { kind: 'not_checkable', why: whyUnclear(found) };
}

export async function lookAtMode(
  { appliance }: Pick<AskingAppliance<never>, 'appliance'>,
  seen: boolean,
): Promise<Lasting> {
  const found = await readAuthentication(appliance);
  switch (emergencyIn(found)) {
    case 'on':
      return { kind: 'lasts', evidence: say`State read back: it is still on.${toldOf(found)}` };
    case 'off':
      return seen
        ? { kind: 'over', evidence: say`${authenticates}${toldOf(found)}` }
        : { kind: 'unshown', evidence: say`${authenticates}${toldOf(found)}`, why: whyUnshown };
    case 'global':
      return {
        kind: 'unclear',
        evidence: say`${strong(appliance.name)} is in Global Emergency, which it entered automatically. This hides whether emergency mode is on. ${code('emergency disable')} does not leave Global Emergency; ${code('/appliance emergency remove')} does.`,
        offer: leaveOffer(appliance.name),
      };
    case 'unclear':
      return seen && isNamedNoMore(found)
        ? { kind: 'over', evidence: say`${notConnected}${toldOf(found)}` }
        : {
            kind: 'unclear',
            evidence: say`Couldn’t determine whether it is on: ${whyUnclear(found)}.${toldOf(found)}`,
          };
  }
}

const whyUnshown =
  'the appliance reported the same while emergency mode should have been on, so its report does not show that it is over';
const authenticates = say`State read back: the proxy authenticates people.`;
const notConnected = say`State read back: it is over. ${strong('People cannot authenticate yet')}, because the directory is not connected.`;
const whyUnclear = ({ directory }: Authentication): string =>
  directory.answered
    ? 'the directory is not connected, and the API does not distinguish that from an emergency'
    : `the status of the directory could not be read (${whyNot(directory.failure)})`;

/** Both reports must be readable before their silence means that an emergency is over. */
const isNamedNoMore = ({ directory, link }: Authentication): boolean => directory.answered && link.answered;

/** Whether it is certainly still on. An unreachable appliance is no evidence. */
export async function isPlainlyOn(
  context: Pick<AskingAppliance<never>, 'appliance'>,
): Promise<Text | undefined> {
  try {
    const found = await lookAtMode(context, false);
    return found.kind === 'lasts' ? found.evidence : undefined;
  } catch (error) {
    if (!isApplianceFailure(error)) throw error;
    return undefined;
  }
}

/** Why it cannot be enabled if it is on already. */
export function onAlready(
  appliance: string,
  timedChange: ActiveTimedChange | undefined,
  now: number,
): Preview {
  const name = strong(appliance);
  if (timedChange === undefined) {
    return {
      kind: 'nothing',
      why: say`${name} is already in emergency mode. It was not enabled by Appliance Bot, so it does not end automatically: ${code('/appliance emergency disable')} ends it.`,
    };
  }
  return timedChange.state === 'on'
    ? {
        kind: 'nothing',
        why: say`${name} is already in emergency mode, until ${when(timedChange.until, now)}.`,
        offers: [extendOffer(appliance)],
      }
    : { kind: 'nothing', why: say`${name} is in emergency mode. Ending it is being retried.` };
}

/** The policy's objection; undefined if there is none. `lasts`: milliseconds from now. */
export function tooLong(lasts: number, longest: number): Preview | undefined {
  if (lasts <= longest) return undefined;
  return {
    kind: 'nothing',
    why: say`Too long: the policy limits emergency mode to ${strong(elapsed(longest))} from now.`,
  };
}

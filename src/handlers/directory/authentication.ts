import type { AskedAppliance, AuthenticationLink, DirectoryStatus, Obstacle } from '../../api/index.ts';
import type { ActiveTimedChange } from '../context.ts';
import { quoted } from '../language/asked.ts';
import { code, type Field, type Offer, type Part, person, plural, say, type Text } from '../reply.ts';
import { type HealthFinding, unasked } from '../status/finding.ts';
import { type ReadResult, readIn, settle, whyNot } from '../wording/answer.ts';
import { clockOf, when } from '../wording/when.ts';

/** The appliance's report on how people authenticate (appliance-api.md §2.9, §4.12). */
export interface Authentication {
  readonly directory: ReadResult<DirectoryStatus>;
  readonly link: ReadResult<AuthenticationLink>;
}

/**
 * No operation reports emergency mode by itself (§4.12), so it is inferred from the directory's status. `on`
 * and `global` are named there. `off` needs a linked proxy and a directory that answers and is connected.
 * Everything else is `unclear`.
 */
export type Emergency = 'global' | 'on' | 'off' | 'unclear';

/** Reads both at once. @throws the ApplianceFailure if both fail */
export async function readAuthentication(
  appliance: AskedAppliance,
  ending?: { readonly signal: AbortSignal },
): Promise<Authentication> {
  const [directory, link] = await Promise.all([
    settle(appliance.directory.status(ending)),
    settle(appliance.directory.authenticationStatus(ending)),
  ]);
  if (!directory.answered && !link.answered) throw directory.failure;
  return { directory, link };
}

export function emergencyIn({ directory, link }: Authentication): Emergency {
  const named = [readIn(directory)?.mode, obstacleBehind(directory), obstacleBehind(link)];
  if (named.includes('global_emergency')) return 'global';
  if (named.includes('emergency')) return 'on';
  const told = [readIn(directory)?.info ?? '', readIn(link)?.info ?? ''].filter(speaksOfEmergency);
  if (told.some((info) => /\bglobal[\s_-]*emergency\b/i.test(info))) return 'global';
  if (told.length > 0) return 'on';
  return readIn(link)?.linked === true && readIn(directory)?.connected === true ? 'off' : 'unclear';
}

/**
 * Combines the status with the bot's records: the appliance may not report an emergency that the bot enabled
 * and never saw. First-generation engines report none after one has ended (field notes).
 */
export function emergencyBeside(
  found: Authentication,
  timedChange: ActiveTimedChange | undefined,
): Emergency {
  const emergency = emergencyIn(found);
  return emergency === 'off' && timedChange?.seen === false ? 'unclear' : emergency;
}

/** An emergency refuses other questions with the same obstacle (field notes). */
const obstacleBehind = (answer: ReadResult<unknown>): Obstacle | undefined =>
  answer.answered || !('obstacle' in answer.failure) ? undefined : answer.failure.obstacle;

/** "No emergency" and "Emergency is disabled" report its absence. */
function speaksOfEmergency(info: string): boolean {
  return /\bemergency\b/i.test(info) && !info.split(/[.;:]/).some(deniesEmergency);
}

function deniesEmergency(clause: string): boolean {
  const around = clause.split(/\bemergency\b/i);
  return (
    /\b(?:no|not|without|never)\b/i.test(around.slice(0, -1).join(' ')) ||
    /\b(?:no|not|off|disabled|removed|ended|inactive|over)\b/i.test(around.slice(1).join(' '))
  );
}

/** The appliance's own words, as evidence for people. */
export function toldOf({ directory, link }: Authentication): Text {
  const info = withoutSince(readIn(directory)?.info || readIn(link)?.info || '');
  return info === ''
    ? say``
    : say` The appliance reports: ${code(info.replace(/(?<![.!])[.!]+$/, ''))}${clockOf(info)}.`;
}

/** The appliance states the start by its own clock, which would stand beside the readers' times. */
const withoutSince = (info: string): string => info.replace(/,? since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, '');

export const emergencyWords: Readonly<Record<Emergency, string>> = {
  on: 'Emergency mode is on: everybody passes without authentication',
  global: 'Global Emergency: the proxy neither filters nor authenticates',
  off: 'No emergency: the proxy authenticates people',
  unclear: 'The appliance does not show whether emergency mode is on',
};

/** The owner and the end of an emergency, to follow the words about it. Without a full stop. */
export function ownerOf(emergency: Emergency, timedChange: ActiveTimedChange | undefined, now: number): Text {
  if (timedChange === undefined) return emergency === 'on' ? say`, not enabled by Appliance Bot` : say``;
  const asked = say`requested by ${person(timedChange.person)}: ${timedChange.reason}`;
  const until = when(timedChange.until, now);
  if (emergency === 'off') return say`. Emergency mode until ${until} was ended elsewhere (${asked})`;
  const own = emergency === 'on' ? say`, ` : say`. Emergency mode was enabled `;
  return timedChange.state === 'on'
    ? say`${own}until ${until} (${asked})`
    : say`${own}expired at ${until}; ending is being retried (${asked})`;
}

export function emergencyFinding(
  authentication: Authentication,
  timedChange: ActiveTimedChange | undefined,
  now: number,
): HealthFinding {
  const emergency = emergencyBeside(authentication, timedChange);
  const { directory, link } = authentication;
  const area = 'Emergency';
  const says = say`${emergencyWords[emergency]}${ownerOf(emergency, timedChange, now)}`;
  if (emergency === 'on' || emergency === 'global') return { area, gravity: 'emergency', says };
  if (emergency === 'off') {
    return { area, gravity: timedChange === undefined ? 'fine' : 'notice', says, brief: 'no emergency' };
  }
  if (!directory.answered) return unasked(area, directory.failure);
  if (!link.answered) return unasked(area, link.failure);
  // The finding about the directory names the problem.
  return { area, gravity: 'notice', says };
}

/** Everything that an emergency changes, for a card. */
export function authenticationFields(
  authentication: Authentication,
  shown = (info: string) => info,
): readonly Field[] {
  const { directory, link } = authentication;
  const numbers = readIn(directory);
  return [
    {
      name: 'Directory',
      value: directory.answered
        ? withInfo(directory.value.connected ? 'connected' : 'not connected', shown(directory.value.info))
        : notAsked(directory),
    },
    {
      name: 'Authentication',
      value: link.answered
        ? withInfo(
            link.value.linked ? 'linked' : 'not linked',
            shown(repeated(link.value.info, numbers?.info)),
          )
        : notAsked(link),
    },
    { name: 'Queue', value: say`${queueOf(numbers)}` },
    { name: 'Daemons', value: say`${daemonsOf(numbers)}` },
  ];
}

/** The state in one field, for a card that outlives the state. */
export function stateWhenAsked(authentication: Authentication): Field {
  const parts = authenticationFields(authentication, withoutSince).map(
    ({ name, value }, index) => say`${index === 0 ? '' : ', '}${name.toLowerCase()} ${value}`,
  );
  return { name: 'State when asked', value: parts.flat() };
}

/** A state with the appliance's words about it, which often begin with the same word: "Connected by Kerberos". */
export function withInfo(state: string, info: string): Text {
  if (info === '') return say`${state}`;
  const rest = info.slice(state.length).trim();
  const isRepeated = info.toLowerCase().startsWith(`${state} `) && rest !== '';
  return isRepeated
    ? say`${state} ${code(rest)}${clockOf(rest)}`
    : say`${state}: ${code(info)}${clockOf(info)}`;
}

/** Repeated words are shown once. */
const repeated = (info: string, other: string | undefined): string => (info === other ? '' : info);

const notAsked = (answer: Extract<ReadResult<unknown>, { answered: false }>): Text =>
  say`could not be asked: ${whyNot(answer.failure)}`;

export function queueOf(status: DirectoryStatus | undefined): string {
  const waiting = status?.queueLength;
  if (waiting === undefined) return 'not reported';
  return waiting === 0 ? 'empty' : `${plural(waiting, 'request')} waiting: the directory is slow`;
}

export function daemonsOf(status: DirectoryStatus | undefined): string {
  const { activeDaemons, maxDaemons } = status ?? {};
  if (activeDaemons === undefined) return 'not reported';
  return maxDaemons === undefined ? `${activeDaemons} busy` : `${activeDaemons} of ${maxDaemons} busy`;
}

/** A button that ends it on this appliance. */
export const endOffer = (appliance: string): Offer => ({
  label: `End emergency mode on ${appliance}`,
  line: `emergency disable --on ${quoted(appliance)}`,
  loud: true,
});
export const endButton = (appliance: string): Part => ({ kind: 'offers', offers: [endOffer(appliance)] });

export const leaveOffer = (appliance: string): Offer => ({
  label: `Leave Global Emergency on ${appliance}`,
  line: `emergency remove --on ${quoted(appliance)}`,
});
export const leaveButton = (appliance: string): Part => ({ kind: 'offers', offers: [leaveOffer(appliance)] });

import { type Authentication, daemonsOf, emergencyIn } from '../directory/authentication.ts';
import { code, plural, say } from '../reply.ts';
import { clockOf } from '../wording/when.ts';
import { type HealthFinding, unasked } from './finding.ts';

/** The finding about the directory (appliance-api.md §2.9). */
export function directoryFinding(authentication: Authentication): HealthFinding {
  const area = 'Directory';
  const { directory } = authentication;
  if (!directory.answered) return unasked(area, directory.failure);
  const {
    connected,
    mode,
    info,
    queueLength = 0,
    activeDaemons,
    maxDaemons,
    averageServiceTime,
  } = directory.value;
  if (!connected) {
    // An emergency disconnects the directory on purpose.
    if (isEmergency(authentication)) {
      return {
        area,
        gravity: 'notice',
        ofEmergency: true,
        says: say`Disconnected, as expected in an emergency`,
      };
    }
    if (mode === 'feature_off') {
      return { area, gravity: 'notice', says: say`The directory is not used: ${code(info)}${clockOf(info)}` };
    }
    const why = info === '' ? say`` : say`: ${code(info)}${clockOf(info)}`;
    return { area, gravity: 'fault', says: say`The directory connection is broken${why}` };
  }
  if (queueLength > 0) {
    return {
      area,
      gravity: 'fault',
      says: say`The directory is slow: ${plural(queueLength, 'request')} waiting, ${daemonsOf(directory.value)}`,
    };
  }
  const time = averageServiceTime === undefined ? '' : `, answers in ${averageServiceTime.text}`;
  const daemons = activeDaemons === undefined ? '' : `, daemons: ${daemonsOf(directory.value)}`;
  const says = say`Connected${daemons}${time}`;
  return activeDaemons !== undefined && maxDaemons !== undefined && activeDaemons >= maxDaemons
    ? { area, gravity: 'notice', says: say`All ${activeDaemons} authentication daemons are busy` }
    : { area, gravity: 'fine', says, brief: 'directory connected' };
}

/** The finding about authentication (§4.12). */
export function linkFinding(authentication: Authentication): HealthFinding {
  const area = 'Authentication';
  const { directory, link } = authentication;
  if (!link.answered) return unasked(area, link.failure);
  if (link.value.linked) {
    return {
      area,
      gravity: 'fine',
      says: say`The proxy is linked to an authentication method`,
      brief: 'authentication linked',
    };
  }
  if (isEmergency(authentication)) {
    return {
      area,
      gravity: 'notice',
      ofEmergency: true,
      says: say`Switched off, as expected in an emergency`,
    };
  }
  const { info } = link.value;
  const isKnown = info === '' || (directory.answered && directory.value.info === info);
  const why = isKnown ? say`` : say`: ${code(info)}${clockOf(info)}`;
  return { area, gravity: 'fault', says: say`The proxy is not linked to an authentication method${why}` };
}

const isEmergency = (authentication: Authentication): boolean =>
  ['on', 'global'].includes(emergencyIn(authentication));

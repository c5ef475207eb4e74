import type { Report } from '../../api/index.ts';
import { code, say } from '../reply.ts';
import type { ReadResult } from '../wording/answer.ts';
import { duration } from '../wording/quantities.ts';
import { isSwitchedOff, numberUnder } from '../wording/reported.ts';
import { clockOf } from '../wording/when.ts';
import { type HealthFinding, unasked } from './finding.ts';
import { isUp, stateOf } from './report.ts';

/** Whether the DNS firewall runs; undefined if not reported (appliance-api.md §4.12 shows no shape). */
const isFirewallUp = ({ info, fields }: Report): boolean | undefined =>
  stateOf({ key: '', fields }) ?? isUp(info);

export function firewallFinding(answer: ReadResult<Report>): HealthFinding {
  const area = 'DNS firewall';
  if (!answer.answered) return unasked(area, answer.failure);
  const { info, fields } = answer.value;
  const up = isFirewallUp(answer.value);
  if (up === false && isSwitchedOff(fields)) {
    return { area, gravity: 'notice', says: say`The DNS firewall is switched off by its setting` };
  }
  if (up === false) return { area, gravity: 'fault', says: say`The DNS firewall is stopped` };
  if (up === undefined) {
    const said = info === '' ? say`` : say`: ${code(info)}${clockOf(info)}`;
    return {
      area,
      gravity: 'notice',
      says: say`The DNS firewall does not report whether it is running${said}`,
    };
  }
  const uptime = numberUnder(fields, 'uptime');
  return {
    area,
    gravity: 'fine',
    says: uptime === undefined ? say`Running` : say`Running for ${duration(uptime * 1_000)}`,
    brief: 'DNS firewall running',
  };
}

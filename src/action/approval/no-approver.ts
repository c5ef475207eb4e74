import { enumerate, say, strong, type Text } from '../../handlers/reply.ts';
import { whyTheyCannot } from '../wording/denied.ts';
import type { Fault } from '../wording/faults.ts';

/** Why the approval of somebody does not count any more, within a sentence. */
export function whyNoApprover(fault: Fault): Text {
  switch (fault.code) {
    case 'not_an_approver':
      return say`it requires the ${enumerate(fault.roles.map(strong), 'or')} role`;
    case 'denied':
    case 'asker_denied':
      return whyTheyCannot(fault.denial);
    case 'own_request':
      return say`nobody approves their own request`;
    default:
      return say`the approval no longer counts`;
  }
}

import { isReason } from '../../auth/approval.ts';
import type { ApprovalRule } from '../../auth/policy.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import type { Action } from '../../journal/journal.ts';
import { askedByLine, plannedFor } from '../authority/asked-of.ts';
import { isNeverFrozen, keptOn, moveIn } from '../authority/freeze-over.ts';
import { breakGlassFor } from '../authority/terms.ts';
import { type Consent, consentOf } from '../base/consent.ts';
import { isOrder, type PlanStep, shownOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { hasNoTicket } from '../ground/kept-back.ts';
import type { Fault } from '../wording/faults.ts';

/** Why something must not run that was asked for on other terms: the hour, or the policy, has become another one since. */
export async function policyObstacle(
  {
    authority,
    commandByPhrase,
    journal,
  }: Pick<Parts, 'authority' | 'commandByPhrase'> & {
    readonly journal: Pick<Parts['journal'], 'timedChangesOf'>;
  },
  action: Action,
  command: AnyCommand,
  beside?: readonly PlanStep[],
): Promise<Fault | undefined> {
  const { person, channel } = action;
  // What was held until its time has been agreed to before.
  const planned = plannedFor(shownOf(action)?.start, action.runAt !== undefined);
  const all = askedByLine(commandByPhrase, action, command, beside);
  for (const [one, line] of all.flatMap((some, at) => some.map((asked) => [asked, at] as const))) {
    const asked = { ...one, planned };
    const glass = await breakGlassFor(authority, { person, channel }, asked.args);
    if (glass === 'granted') continue;
    if (glass !== undefined) return glass;
    if (hasNoTicket(action, command, line) && authority.ticketFor(asked, channel) !== 'no')
      return { code: 'ticket_wanted', tickets: authority.policy().tickets, line: action.line };
    const decision = await authority.decide({ ...asked, person, channel, access: 'run' });
    const frozen =
      isOrder(command, action) && !(await isNeverFrozen(journal, action))
        ? authority.freezeFor(asked, decision.allow ? decision.held : [])
        : undefined;
    if (frozen !== undefined) {
      const move = moveIn(shownOf(action));
      const ends = move && (await keptOn(journal, move));
      return { code: 'frozen', frozen, ends, timeZone: authority.policy().timeZone };
    }
    const approval = authority.approvalFor(asked, decision.allow ? decision.by : []);
    if (approval.kind === 'not_possible') {
      const { timeZone } = authority.policy();
      return { code: 'approval_not_possible', rule: approval.rule, timeZone };
    }
    const rules = approval.kind === 'needed' ? approval.rules : [];
    if (!rules.every((rule) => meets(consentOf(action), rule))) return { code: 'approval_changed' };
  }
  return undefined;
}

/** Whether what was asked for is what the policy asks for. */
function meets(consent: Consent | undefined, rule: ApprovalRule): boolean {
  const { by, count, requester } = rule;
  return (
    consent !== undefined &&
    (requester || !consent.requester) &&
    isReason(consent.reason ?? undefined, rule) &&
    consent.needs.some((need) => !need.delegates && need.count >= count && need.by.join() === by.join())
  );
}

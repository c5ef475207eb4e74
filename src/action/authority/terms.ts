import { isReason } from '../../auth/approval.ts';
import type { Decision, Denial } from '../../auth/decide.ts';
import type { ApprovalRule, RoleName } from '../../auth/policy.ts';
import { nameOf } from '../../handlers/command-name.ts';
import { type Asked, lineOf, quoted, reasonIn, withoutReason } from '../../handlers/language/asked.ts';
import type { Action } from '../../journal/journal.ts';
import type { Invocation } from '../base/chat.ts';
import {
  type Consent,
  consentOf,
  isBreakGlass,
  isDelegated,
  isUnattended,
  type Need,
} from '../base/consent.ts';
import type { Fault } from '../wording/faults.ts';
import type { AskedFor, Authority } from './authority.ts';

/** On what terms something may run: at once or after its asker's click, after somebody else's, or not at all. */
export type Terms =
  | { readonly kind: 'own' }
  | { readonly kind: 'consent'; readonly consent: Consent }
  | { readonly kind: 'fault'; readonly fault: Fault };

/** Who asks, and as whom. It stays the same however often the question is decided: when it is asked, moved, and run. */
export interface Asker extends Pick<Action, 'person' | 'channel'> {
  /** Asked for although the asker may not run it. */
  readonly accessRequest: boolean;
  /** A step of a workflow asks, or somebody before a block page: whoever that is may be any of those who approve. */
  readonly unattended: boolean;
  /** A site is asked for by whoever may: it takes the yes of somebody who could allow it, whatever roles the asker has. */
  readonly forSite: boolean;
}

/** Who asks for what comes in now. */
export const askerOf = ({
  person,
  channel,
  accessRequest,
  unattended,
  forSite,
}: Pick<Invocation, 'person' | 'channel' | 'accessRequest' | 'unattended' | 'forSite'>): Asker => ({
  person,
  channel,
  accessRequest: accessRequest === true,
  unattended: unattended === true,
  forSite: forSite !== undefined,
});

/** Who has asked for what is kept. */
export const askerIn = (action: Action): Asker => ({
  person: action.person,
  channel: action.channel,
  accessRequest: isDelegated(action),
  unattended: isUnattended(action),
  forSite: action.request !== undefined,
});

/** What was said beside what is wanted. */
interface Said {
  readonly access: 'run' | 'dryRun';
  /** What was given as the reason. */
  readonly reason: string | undefined;
  /** What is asked, without the reason, as it can be typed again. */
  readonly line: string;
}

export const accessOf = ({ dryRun }: Pick<Asked, 'dryRun'>): Said['access'] => (dryRun ? 'dryRun' : 'run');

export const saidIn = (found: Asked): Said => ({
  access: accessOf(found),
  reason: reasonIn(found),
  line: lineOf(withoutReason(found)),
});

/** What an order was asked with that is kept. */
export const saidOf = (action: Action): Said => ({
  access: 'run',
  reason: consentOf(action)?.reason ?? undefined,
  line: action.line,
});

/** What else terms hang on. */
interface Standing {
  /** It takes something back, or lets it end sooner: no freeze keeps anybody from that. */
  readonly takesBack: boolean;
  /** When something ends so far that is to stay on for longer. */
  readonly ends: number | undefined;
  /** What it is done for; `notNeeded` where it takes back what was done for one or for none. */
  readonly ticket: string | 'notNeeded' | undefined;
}

/** A question, without what is wanted. None of it may be left out: what a question does not know, nobody is asked for. */
export interface Asking extends Asker, Said, Standing {}

/** So many have to agree where a rule wants approvals: one more where who has started a workflow may be one of them. */
export const approvalsWanted = (
  { count, requester }: Pick<ApprovalRule, 'count' | 'requester'>,
  unattended: boolean,
): number => (unattended && !requester ? count + 1 : count);

/** What is asked for, as far as it is known what its words mean. */
export interface Wanted extends AskedFor {
  /**
   * By which approvals and lenders are found, where it is not what it is decided by: with what may turn out to be anything
   * (`unresolved`), whatever is wanted of one of them is wanted, and nothing shows what it is.
   */
  readonly mayBe?: AskedFor['args'] | undefined;
}

/** How long an access request may be answered, in milliseconds. */
const accessRequestOpen = 60 * 60_000;

/** On what terms a command may run, or show what it would send, as it is asked for on each appliance: the hardest of them. */
export async function termsFor(
  authority: Authority,
  asking: Asking,
  onEach: readonly Wanted[],
): Promise<Terms> {
  const { person, channel, access } = asking;
  const needs: Need[] = [];
  const rules = new Set<ApprovalRule>();
  for (const { mayBe, ...asked } of onEach) {
    const most = { ...asked, args: mayBe ?? asked.args };
    const decision = asking.forSite
      ? await withoutRoles(most)
      : await authority.decide({ ...asked, person, channel, access });
    if (!decision.allow) {
      const by = asking.accessRequest ? await lendersOf(decision.denial, most) : [];
      if (by.length === 0) return fault(await authority.fault(decision.denial, channel));
      await add({ by, count: 1, delegates: true });
    } else if (asking.unattended && asked.command.kind === 'change' && access === 'run') {
      // Nothing is changed that nobody stands behind.
      const by = authority.rolesFor(most, channel).map(({ role }) => role);
      await add({ by, count: 1, delegates: true });
    }
    const glass = await breakGlassFor(authority, asking, asked);
    if (glass !== undefined && glass !== 'granted') return fault(glass);
    if (glass === 'granted') continue;
    // Whoever asks for a site asks for what is to be done once it may be: the click is refused as long as it may not.
    const frozen =
      access === 'run' && asking.takesBack !== true && !asking.forSite
        ? authority.freezeFor(most, decision.allow ? decision.held : [])
        : undefined;
    if (frozen !== undefined) {
      const { timeZone } = authority.policy();
      return fault({ code: 'frozen', frozen, ends: asking.ends, timeZone });
    }
    if (asking.ticket === undefined && access === 'run' && authority.ticketFor(most, channel) !== 'no') {
      return fault({ code: 'ticket_wanted', tickets: authority.policy().tickets, line: wholeLine(asking) });
    }
    const approval = authority.approvalFor(most, decision.allow ? decision.by : []);
    if (approval.kind === 'not_needed') continue;
    if (approval.kind === 'not_possible') {
      const { timeZone } = authority.policy();
      return fault({ code: 'approval_not_possible', rule: approval.rule, timeZone });
    }
    for (const rule of approval.rules) {
      if (!isReason(asking.reason, rule)) {
        return fault({ code: 'reason_wanted', given: asking.reason, rule, line: asking.line });
      }
      if ((await authority.approvers(rule.by, channel)).length === 0) {
        return fault({ code: 'no_approver', rule, elsewhere: authority.channelsWith(rule.by) });
      }
      rules.add(rule);
      await add({ by: rule.by, count: approvalsWanted(rule, asking.unattended), delegates: false });
    }
  }
  if (needs.length === 0) return { kind: 'own' };
  const isLending = needs.some((need) => need.delegates);
  const mayAll = [...rules].every(({ requester }) => requester);
  const site = asking.forSite ? authority.policy().selfService : undefined;
  return {
    kind: 'consent',
    consent: {
      needs,
      requester: mayAll && (site === undefined ? !isLending : site.requester),
      open:
        site?.open ??
        Math.min(...[...rules].map(({ open }) => open), ...(isLending ? [accessRequestOpen] : [])),
      reason: asking.reason ?? null,
      unattended: asking.unattended,
    },
  };

  /** As of somebody who has none: those who have one that allows it are to agree. */
  async function withoutRoles(most: AskedFor): Promise<Decision> {
    const needed = authority.rolesFor(most, channel);
    const command = nameOf(most.command);
    return { allow: false, denial: { code: 'role_missing', held: [], command, needed, elsewhere: [] } };
  }

  async function lendersOf(denial: Denial, asked: AskedFor): Promise<readonly RoleName[]> {
    const isPossible = isLendable(denial) && !(await authority.isShut(asked.command, channel));
    return isPossible ? authority.rolesFor(asked, channel).map(({ role }) => role) : [];
  }

  /** What several appliances or rules have in common is needed once, by as many as the strictest says. */
  async function add(need: Omit<Need, 'holders'>): Promise<void> {
    const holders = await authority.approvers(need.by, channel);
    const at = needs.findIndex(
      ({ by, delegates }) => delegates === need.delegates && by.join() === need.by.join(),
    );
    const count = Math.max(need.count, needs[at]?.count ?? 0);
    const whole = { ...need, count, holders };
    if (at === -1) needs.push(whole);
    else needs[at] = whole;
  }
}

/** With its reason, so that it can be typed again. */
const wholeLine = ({ line, reason }: Asking): string =>
  reason === undefined ? line : `${line} --reason ${quoted(reason)}`;

const fault = (found: Fault): Terms => ({ kind: 'fault', fault: found });

/** Those who could run what was denied. */
export const accessRequestTo = (denial: Denial): readonly RoleName[] =>
  isLendable(denial) ? denial.needed.map(({ role }) => role) : [];

/** Whether it is kept from somebody only because they lack a role, and others could do it; of a plan, each line that they can’t run. */
export function isForOthers(fault: Fault): boolean {
  if (fault.code === 'plan_refused') return fault.forOthers;
  return (
    fault.code === 'denied' &&
    accessRequestTo(fault.denial).length > 0 &&
    fault.capable.some(({ people }) => people.length > 0)
  );
}

/** Only a missing role can be lent: not a place, not who somebody is. */
const isLendable = (
  denial: Denial,
): denial is Extract<Denial, { code: 'role_missing' | 'argument' | 'appliance' }> =>
  denial.code === 'role_missing' || denial.code === 'argument' || denial.code === 'appliance';

/** Whether it may go without an approval by break-glass; undefined when nobody asks for that. */
export async function breakGlassFor(
  authority: Authority,
  { person, channel }: Pick<Asking, 'person' | 'channel'>,
  { args, planned }: Pick<AskedFor, 'args' | 'planned'>,
): Promise<'granted' | Fault | undefined> {
  if (!isBreakGlass(args)) return undefined;
  // Until its time there is time for an approval. What an earlier version has held runs, and tells everybody then.
  if (planned !== undefined && !planned.isAgreed) return { code: 'break_glass_planned' };
  const role = authority.policy().emergency.breakGlass;
  if (role === undefined) return { code: 'break_glass_off' };
  if (await authority.holdsOne(person, [role], channel)) return 'granted';
  return { code: 'break_glass_role', role, people: await authority.people([role], channel) };
}

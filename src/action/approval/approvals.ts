import { z } from 'zod';
import { isReason } from '../../auth/approval.ts';
import type { Denial } from '../../auth/decide.ts';
import type { ApprovalRule } from '../../auth/policy.ts';
import { longestReason } from '../../auth/reason.ts';
import type { Access } from '../../auth/request.ts';
import { codec, type Stored } from '../../codec.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { enumerate, person as personSpan, say, strong, type Text } from '../../handlers/reply.ts';
import { shorten } from '../../handlers/wording/shorten.ts';
import type { Action } from '../../journal/journal.ts';
import { askedByLine, plannedFor } from '../authority/asked-of.ts';
import { isNeverFrozen, keptOn, moveIn } from '../authority/freeze-over.ts';
import { mayAskFor } from '../authority/site-rights.ts';
import { accessRequestTo, approvalsWanted, breakGlassFor } from '../authority/terms.ts';
import type { Press, Submission, SubmissionResult } from '../base/chat.ts';
import { type Consent, consentOf, isLentFor, type Need } from '../base/consent.ts';
import { siteRequestOf } from '../base/site-request.ts';
import { appliancesOf, isOrder, isReadable, type PlanStep, shownOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { hasNoTicket } from '../ground/kept-back.ts';
import { becauseDenied } from '../wording/denials.ts';
import { explain, type Fault } from '../wording/faults.ts';
import { textProblem } from '../wording/misread/misfits.ts';
import { tooLong } from '../wording/not-approved.ts';
import { createDenyForm } from './deny-form.ts';
import { isOwnRequest } from './own-request.ts';

/** Who has said yes to what waits for others, and who may. */
export interface Approvals {
  /** Why somebody has no say in it, if they have none. */
  readonly bar: (
    by: Pick<Press, 'person'>,
    action: Action,
    command: AnyCommand,
  ) => Promise<Fault | undefined>;
  /** Takes a click on Approve. */
  readonly approve: (press: Press, action: Action, command: AnyCommand) => Promise<Approved>;
  /** Takes a click on Deny: opens the form that asks why. */
  readonly askWhy: (press: Press, action: Action, command: AnyCommand) => Promise<Fault | undefined>;
  /** Takes that form. Undefined when the submission is of another one. */
  readonly submit: (submission: Submission) => Promise<SubmissionResult | undefined>;
  /**
   * Why an action must not run, if anything: the asker's role, or that of those who approved, may be gone by now. Asked
   * again right before anything is sent. `beside`: of a line of a plan, the other ones.
   */
  readonly obstacle: (
    action: Action,
    command: AnyCommand,
    beside?: readonly PlanStep[],
  ) => Promise<Fault | undefined>;
}

type Approved =
  | { readonly kind: 'fault'; readonly fault: Fault }
  /** It is noted, and others are needed still; `because` says why, where the card does not. */
  | { readonly kind: 'more'; readonly because: Fault | undefined }
  | { readonly kind: 'enough' };

/** What is kept of a form that asks why something is denied. */
type DeniedQuestion = Stored<typeof deniedQuestionShape>;
const deniedQuestionShape = z.object({
  holds: z.literal('deny form'),
  action: z.string(),
  question: z.string(),
});
const deniedQuestions = codec(deniedQuestionShape);

export function createApprovals(
  parts: Parts & {
    /** Ends what was denied. */
    readonly end: (
      action: Action,
      by: string,
      code: string,
      headline: Text,
      because: string,
    ) => Promise<boolean>;
  },
): Approvals {
  const { commandByPhrase, authority, journal, whisper, interactionLog } = parts;
  const denyForm = createDenyForm(parts, deniedQuestions, {
    example: 'not before the change window tonight',
    problemIn: (reason) => (reason.length > longestReason ? tooLong(reason) : textProblem(reason)),
  });

  return {
    bar: async ({ person }, action, command) => {
      const mine = await standing(person, action, command);
      return 'fault' in mine ? mine.fault : undefined;
    },

    approve: async (press, action, command) => {
      const mine = await standing(press.person, action, command);
      if ('fault' in mine) return { kind: 'fault', fault: mine.fault };
      if (action.token === undefined) return { kind: 'fault', fault: { code: 'card_gone' } };
      const obstacle = await policyObstacle(parts, action, command);
      if (obstacle !== undefined) return { kind: 'fault', fault: obstacle };
      const isNew = await journal.approve(action.id, action.token, {
        person: press.person,
        human: mine.human,
      });
      const { isEnough, unknown, gone } = await count(action, command);
      if (isEnough) return { kind: 'enough' };
      if (isNew) return { kind: 'more', because: unknown ?? gone };
      if (unknown !== undefined) return { kind: 'fault', fault: unknown };
      const given = await journal.approvalsOf(action.id, action.token);
      const other = given.every(({ person }) => person !== press.person);
      return { kind: 'fault', fault: { code: 'approved_already', other } };
    },

    askWhy: async (press, action, command) => {
      const mine = await standing(press.person, action, command);
      if ('fault' in mine) return mine.fault;
      const about = { holds: 'deny form', action: action.id, question: action.token ?? '' } as const;
      const isOpen = await denyForm.open(
        press,
        about,
        say`${personSpan(action.person)} asked for “${shorten(action.line)}”. Everybody in the channel will read why you deny it.`,
      );
      if (!isOpen) return { code: 'form_not_opened', button: 'Deny' };
      const { id, line, phrase } = action;
      await interactionLog.opened(press, { line, phrase, action: id }, 'reason');
      return undefined;
    },

    submit: (submission) => denyForm.submit(submission, deny),

    obstacle: async (action, command, beside) => {
      const consent = consentOf(action);
      if (!isReadable(action)) return { code: 'card_gone' };
      const fault =
        (await askerObstacle(action, command, beside)) ??
        (await policyObstacle(parts, action, command, beside));
      if (fault !== undefined || consent === undefined) return fault;
      const { isEnough, unknown, lost = [] } = await count(action, command, beside);
      return isEnough ? undefined : (unknown ?? { code: 'approval_gone', people: lost });
    },
  };

  /** Whoever asked may not run it any more. */
  async function askerObstacle(
    action: Action,
    command: AnyCommand,
    beside: readonly PlanStep[] | undefined,
  ): Promise<Fault | undefined> {
    if (action.request !== undefined) return siteObstacle(action);
    const fault = await denied(command, action.person, action, 'run', {
      beside,
      // The role that is lent was never theirs; who they are and where they asked counts all the same.
      isFine: (line, denial) => isLentFor(action, line) && accessRequestTo(denial).length > 0,
    });
    if (fault === undefined || consentOf(action) === undefined) return fault;
    return { code: 'asker_denied', asker: action.person, denial: fault.denial, channel: action.channel };
  }

  /** None of those who want the site may ask for it any more, by the part of the policy that lets people ask who have no role. */
  async function siteObstacle(action: Action): Promise<Fault | undefined> {
    const request = siteRequestOf(action);
    if (request === undefined) return { code: 'card_gone' };
    const decisions = await Promise.all(
      request.wishes.map((wish) => mayAskFor(parts, request.site, appliancesOf(action), wish)),
    );
    const [first] = decisions;
    if (first === undefined || first.allow || decisions.some(({ allow }) => allow)) return undefined;
    return { code: 'asker_denied', asker: action.person, denial: first.denial, channel: action.channel };
  }

  /** Whether somebody may have a say in it, and as what. */
  async function standing(
    person: string,
    action: Action,
    command: AnyCommand,
    beside?: readonly PlanStep[],
  ): Promise<{ readonly human: string; readonly needs: readonly Need[] } | { readonly fault: Fault }> {
    const { channel, person: asker } = action;
    const consent = consentOf(action);
    if (consent === undefined) return { fault: { code: 'card_gone' } };
    const [mine, theirs] = await Promise.all([
      authority.identify(person, channel),
      authority.identify(asker, channel),
    ]);
    if (mine.kind === 'lookup_failed') {
      return { fault: await authority.fault({ code: 'lookup_failed', lookup: 'person' }, channel) };
    }
    if (theirs.kind === 'lookup_failed') {
      const denial = { code: 'lookup_failed', lookup: 'person' } as const;
      return { fault: { code: 'asker_denied', asker, denial, channel } };
    }
    const { human } = mine;
    if (!consent.requester) {
      const isOther = person !== asker;
      if (!isOther || theirs.human === human)
        return { fault: { code: 'own_request', as: isOther ? 'other_account' : 'asker' } };
      // Whoever wanted the site has asked for what its Allow does.
      if (await isOwnRequest(parts, person, action))
        return { fault: { code: 'own_request', as: 'for_site' } };
    }
    // What needs a second pair of eyes needs eyes.
    const held = mine.kind === 'bot' ? [] : await authority.rolesOf(person, channel);
    const possible = consent.needs.filter(({ by }) => by.some((role) => held.includes(role)));
    const missing = await Promise.all(
      // Nobody lends what they do not have: it must be theirs with these very arguments.
      possible.map(({ delegates, lines }) =>
        delegates
          ? denied(command, person, action, 'approve', {
              beside,
              isFine: (line) => lines?.includes(line) === false,
            })
          : undefined,
      ),
    );
    // Of a plan they may lend their role for some lines, and not for others.
    const needs = possible.filter((_, index) => missing[index] === undefined);
    const fault = missing.find(
      (one, index) =>
        one !== undefined &&
        (needs.length === 0 ||
          possible[index]?.lines === undefined ||
          accessRequestTo(one.denial).length === 0),
    );
    if (fault !== undefined) return { fault };
    if (needs.length > 0) return { human, needs };
    const roles = [...new Set(consent.needs.flatMap(({ by }) => by))];
    if (mine.kind !== 'bot' && authority.mayHoldOne(mine, roles, channel)) {
      return { fault: await authority.fault({ code: 'lookup_failed', lookup: 'group' }, channel) };
    }
    return { fault: { code: 'not_an_approver', roles, people: await authority.people(roles, channel) } };
  }

  /**
   * Whether the approvals that are there, of people who still have the say, meet every need; and why some of them do not
   * count: who gave them could not be looked up, or has the say no more.
   */
  async function count(
    action: Action,
    command: AnyCommand,
    beside?: readonly PlanStep[],
  ): Promise<{
    readonly isEnough: boolean;
    readonly unknown?: Fault;
    readonly gone?: Fault;
    readonly lost?: readonly { readonly person: string; readonly why: Text }[];
  }> {
    const consent = consentOf(action);
    if (consent === undefined || action.token === undefined) return { isEnough: false };
    const given = await journal.approvalsOf(action.id, action.token);
    const looked = await Promise.all(
      given.map(async ({ person }) => ({ person, ...(await standing(person, action, command, beside)) })),
    );
    const counting = looked.flatMap((one) => ('needs' in one ? [one] : []));
    const others = looked.flatMap((one) => ('fault' in one ? [one] : []));
    const [unknown] = others.filter(({ fault }) => isLookupFailed(fault));
    return {
      isEnough: consent.needs.every(
        (need) =>
          new Set(counting.flatMap(({ needs, human }) => (needs.includes(need) ? [human] : []))).size >=
          need.count,
      ),
      ...(unknown && { unknown: { code: 'approver_unknown', approver: unknown.person } }),
      ...(others.length > 0 && {
        gone: { code: 'approver_gone', people: others.map(({ person }) => person) },
        lost: others.map(({ person, fault }) => ({ person, why: whyNoApprover(fault) })),
      }),
    };
  }

  /** Why somebody may not run it as it is asked for, on one of its appliances at least. `isFine`: of that line it does not matter. */
  async function denied(
    command: AnyCommand,
    person: string,
    action: Action,
    access: Access,
    {
      beside,
      isFine,
    }: {
      readonly beside: readonly PlanStep[] | undefined;
      readonly isFine: (line: number, denial: Denial) => boolean;
    },
  ): Promise<Extract<Fault, { code: 'denied' }> | undefined> {
    const { channel, step } = action;
    for (const [index, all] of askedByLine(commandByPhrase, action, command, beside).entries()) {
      for (const asked of all) {
        const decision = await authority.decide({ ...asked, person, channel, access });
        if (!decision.allow && !isFine(step ?? index, decision.denial))
          return authority.fault(decision.denial, channel);
      }
    }
    return undefined;
  }

  async function deny(
    { action: id, question }: DeniedQuestion,
    by: Pick<Press, 'team' | 'person' | 'channel'>,
    reason: string,
  ): Promise<void> {
    const { person } = by;
    const action = await journal.byId(id);
    const command = commandByPhrase.get(action?.phrase ?? '');
    if (action === undefined || command === undefined) return whisper(by, explain({ code: 'card_gone' }));
    const press = { ...by, button: 'deny' } as const;
    if (!isReadable(action)) return interactionLog.declineOn(press, action, { code: 'card_gone' });
    // The form may have lain open for a while: the role is looked at again.
    const mine = await standing(person, action, command);
    if ('fault' in mine) return interactionLog.declineOn(press, action, mine.fault);
    const end = /[.!?…]$/.test(reason) ? '' : '.';
    const headline = say`Denied by ${personSpan(person)}: ${reason}${end} No changes were made.`;
    const isCurrent = action.state === 'waiting' && action.token === question;
    if (isCurrent && (await parts.end(action, person, 'denied', headline, reason))) return;
    const current = (await journal.byId(id)) ?? action;
    return interactionLog.declineOn(press, action, { code: 'already', action: current, clicker: person });
  }
}

const isLookupFailed = (fault: Fault): boolean =>
  (fault.code === 'denied' || fault.code === 'asker_denied') && fault.denial.code === 'lookup_failed';

/** Why something must not run that was asked for on other terms: the hour, or the policy, has become another one since. */
async function policyObstacle(
  {
    authority,
    commandByPhrase,
    journal,
  }: Pick<Parts, 'authority' | 'commandByPhrase'> & {
    readonly journal: Pick<Parts['journal'], 'byId' | 'timedChangesOf'>;
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
    const glass = await breakGlassFor(authority, { person, channel }, asked);
    if (glass === 'granted') continue;
    if (glass !== undefined) return glass;
    const isWanted = authority.ticketFor(asked, channel) !== 'no';
    if (isWanted && (await hasNoTicket(journal, action, command, line)))
      return { code: 'ticket_wanted', tickets: authority.policy().tickets, line: action.line };
    const decision = await authority.decide({ ...asked, person, channel, access: 'run' });
    const frozen =
      isOrder(command, action) && !(await isNeverFrozen(journal, action, line))
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
  const { by, requester } = rule;
  return (
    consent !== undefined &&
    (requester || !consent.requester) &&
    isReason(consent.reason ?? undefined, rule) &&
    consent.needs.some(
      (need) =>
        !need.delegates &&
        need.count >= approvalsWanted(rule, consent.unattended) &&
        need.by.join() === by.join(),
    )
  );
}

/** Why the approval of somebody does not count any more, within a sentence. */
function whyNoApprover(fault: Fault): Text {
  switch (fault.code) {
    case 'not_an_approver':
      return say`it requires the ${enumerate(fault.roles.map(strong), 'or')} role`;
    case 'denied':
    case 'asker_denied':
      return becauseDenied(fault.denial, fault.channel, 'they');
    case 'own_request':
      return say`nobody approves their own request`;
    default:
      return say`the approval no longer counts`;
  }
}

import { z } from 'zod';
import type { Denial } from '../../auth/decide.ts';
import type { Access } from '../../auth/request.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { person as personSpan, say, type Text } from '../../handlers/reply.ts';
import { shorten } from '../../handlers/wording/shorten.ts';
import { codec } from '../../journal/codec.ts';
import type { Action } from '../../journal/journal.ts';
import { askedByLine } from '../authority/asked-of.ts';
import { accessRequestTo } from '../authority/terms.ts';
import type { Press, Submission, SubmissionResult } from '../base/chat.ts';
import { consentOf, isLentFor, type Need } from '../base/consent.ts';
import { isReadable, type PlanStep } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { explain, type Fault } from '../wording/faults.ts';
import { textProblem } from '../wording/misread/misfits.ts';
import { createDenyForm } from './deny-form.ts';
import { whyNoApprover } from './no-approver.ts';
import { policyObstacle } from './policy-obstacle.ts';

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
interface DeniedQuestion {
  readonly holds: 'deny form';
  readonly action: string;
  readonly question: string;
}

const deniedQuestions = codec<DeniedQuestion>(
  z.object({ holds: z.literal('deny form'), action: z.string(), question: z.string() }),
);

export function createApprovals(
  parts: Parts & {
    /** Ends what was denied. */
    readonly end: (action: Action, by: string, code: string, headline: Text) => Promise<boolean>;
  },
): Approvals {
  const { commandByPhrase, authority, journal, whisper, interactionLog } = parts;
  const denyForm = createDenyForm(parts, deniedQuestions, {
    example: 'not before the change window tonight',
    problemIn: textProblem,
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
    const fault = await denied(command, action.person, action, 'run', {
      beside,
      // The role that is lent was never theirs; who they are and where they asked counts all the same.
      isFine: (line, denial) => isLentFor(action, line) && accessRequestTo(denial).length > 0,
    });
    if (fault === undefined || consentOf(action) === undefined) return fault;
    return { code: 'asker_denied', asker: action.person, denial: fault.denial };
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
      return { fault: { code: 'asker_denied', asker, denial } };
    }
    const { human } = mine;
    const isOwn = person === asker || theirs.human === human;
    if (isOwn && !consent.requester) return { fault: { code: 'own_request', other: person !== asker } };
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
    if (isCurrent && (await parts.end(action, person, 'denied', headline))) return;
    const current = (await journal.byId(id)) ?? action;
    return interactionLog.declineOn(press, action, { code: 'already', action: current, clicker: person });
  }
}

const isLookupFailed = (fault: Fault): boolean =>
  (fault.code === 'denied' || fault.code === 'asker_denied') && fault.denial.code === 'lookup_failed';

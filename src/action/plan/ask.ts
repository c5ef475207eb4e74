import { hash } from 'node:crypto';
import type { TicketPolicy } from '../../auth/policy.ts';
import { ticketIn } from '../../auth/ticket.ts';
import type { AnyChange } from '../../handlers/command.ts';
import { cleanLine } from '../../handlers/language/line.ts';
import type { Match } from '../../handlers/language/match.ts';
import { planInOneLine } from '../../handlers/plan/lines.ts';
import type { NewAction } from '../../journal/journal.ts';
import type { Invocation } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { ticketOf, type Understood } from '../taking/asking.ts';
import type { Refusals } from '../taking/refusals.ts';
import type { TakeUp } from '../taking/take-up.ts';
import type { Fault } from '../wording/faults.ts';
import type { Plans } from './plans.ts';
import { isRead, type PlanLine, type ReadLine } from './read.ts';

/** What gathers several lines is written down, looked at line by line, and put before those who must agree to all of it. */
export type AskPlan = (
  invocation: Invocation,
  asked: Omit<NewAction, 'state'>,
  found: Understood<AnyChange>,
  /** They may make no plan. */
  denied?: Fault,
) => Promise<void>;

export function createAskPlan(
  parts: Parts & {
    readonly plans: Plans;
    readonly begin: TakeUp;
    readonly refusals: Refusals;
    readonly read: (line: string, asker: Pick<Invocation, 'person' | 'channel'>) => Promise<Match>;
  },
): AskPlan {
  const { plans, begin, refusals, read: readLine } = parts;

  return async (invocation, typed, found, denied) => {
    const ticketed = await ticketOf(found, invocation, parts);
    if ('code' in ticketed) return refusals.refuse(invocation, typed, ticketed, found);
    const asked = { ...typed, ticket: ticketed.ticket };
    const read = await plans.gather(invocation, found, (line) => readLine(cleanLine(line), invocation));
    if ('code' in read) return refusals.refuse(invocation, asked, read, found);
    const gathered = found.ticket === undefined ? read : { ...read, lines: allFor(asked.ticket, read.lines) };
    const { lines, faults, forAll, root, isSecret } = gathered;
    if (isSecret) {
      const fault = {
        code: 'plan_refused',
        lines: faults,
        of: lines.length + faults.length,
        gathers: 'typed',
        forOthers: false,
      } as const;
      const kept = { ...asked, line: '(not stored: a line contained a password)' };
      return refusals.refuse(invocation, kept, fault, found);
    }
    const own = lines.filter(isRead);
    const texts = [...own, ...faults]
      .toSorted((one, other) => one.number - other.number)
      .map(({ text }) => text);
    const line = found.command.gathers === 'typed' ? planInOneLine(texts, forAll) : asked.line;
    if (denied !== undefined) return refusals.refuse(invocation, { ...asked, line }, denied, found);
    const isHard = own.some(({ found: { command } }) => command.effect !== 'write');
    const written: NewAction = {
      ...asked,
      line,
      state: 'asked',
      effect: isHard ? 'destructive' : 'write',
      args:
        found.command.gathers === 'typed'
          ? { lines: texts, ...(forAll !== '' && { options: forAll }) }
          : { plan: asked.line },
      ...(root !== undefined && { plan: root.id }),
      ...(found.command.gathers === 'undos' && { undoes: root?.id }),
      ticket:
        (found.ticket === undefined ? ticketAmong(own, parts.authority.policy().tickets) : undefined) ??
        asked.ticket ??
        root?.ticket,
    };
    const distinct =
      found.command.gathers === 'typed' ? hash('sha256', [forAll, ...texts].join('\n')) : undefined;
    return begin(
      invocation,
      written,
      async (action) => {
        const fault = await plans.propose(invocation, action, found, gathered);
        if (fault !== undefined) await refusals.turnDown(invocation, action, fault, found);
      },
      distinct,
    );
  };
}

/** What is said of all of them counts for those that say nothing of their own. */
const allFor = (ticket: string | undefined, lines: readonly PlanLine[]): readonly PlanLine[] =>
  lines.map((line) =>
    isRead(line) && line.ticket === undefined && ticket !== undefined ? { ...line, ticket } : line,
  );

/**
 * A line may have one of its own; by that of the first the plan is found. Of what takes back what was done for several, or for none,
 * each step alone is done for the ticket of what it takes back.
 */
const ticketAmong = (lines: readonly ReadLine[], tickets: TicketPolicy | undefined): string | undefined => {
  const each = lines.map(({ found, ticket }) =>
    found.ticket === undefined ? ticket : ticketIn(found.ticket, tickets),
  );
  const isBack = lines.some(({ takesBack }) => takesBack !== undefined);
  return isBack && new Set(each).size > 1 ? undefined : each.find((one) => one !== undefined);
};

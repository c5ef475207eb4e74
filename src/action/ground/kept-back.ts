import type { AnyCommand } from '../../handlers/command.ts';
import { code, moment, say, strong, type Text } from '../../handlers/reply.ts';
import type { Action, Journal } from '../../journal/journal.ts';
import { askedByLine } from '../authority/asked-of.ts';
import { freezeOver, takesBack } from '../authority/freeze-over.ts';
import { isOpenAt } from '../authority/starts.ts';
import { changeOf, isOrder, shownOf, stepsIn } from '../base/stored.ts';
import type { Parts } from './ground.ts';

/** What of the policy keeps something planned from running, as far as is known by now. */
export interface KeptBack {
  /** The policy is told by it, in a sentence that goes on with `instead`. */
  readonly says: Text;
  /** The same in a row of a list. */
  readonly briefly: Text;
  /** The names of what keeps it. */
  readonly by: readonly string[];
  readonly instead: Text;
}

export const ticketRules = 'tickets';

export async function keptBack(
  parts: Pick<Parts, 'authority' | 'commandByPhrase' | 'journal'>,
  action: Action,
): Promise<KeptBack | undefined> {
  const command = changeOf(parts.commandByPhrase, action);
  const { start } = shownOf(action) ?? {};
  if (command === undefined || start === undefined) return undefined;
  const { window, at } = start;
  const instead = say`so it will not run. ${strong('Change the time…')} on its card moves it.`;
  if (window !== undefined && !isOpenAt(at, window, parts.authority.policy()))
    return {
      says: say`The policy now has other hours for the window ${code(window)}, or no such window,`,
      briefly: say`window ${code(window)} has other hours, or is gone`,
      by: [`window ${window}`],
      instead,
    };
  const frozen = await freezeOver(parts, action, command);
  if (frozen !== undefined) {
    const because = frozen.reason === undefined ? [] : say`: ${frozen.reason}`;
    return {
      says: say`The policy now freezes changes then, until ${moment(frozen.until)} (${code(frozen.name)}${because}),`,
      briefly: say`freeze ${code(frozen.name)}`,
      by: [frozen.name, ...frozen.followedBy].map((name) => `freeze ${name}`),
      instead,
    };
  }
  if (!(await lacksTicket(parts, action, command))) return undefined;
  return {
    says: say`The policy now wants a ticket for this,`,
    briefly: say`no ticket`,
    by: [ticketRules],
    instead: say`so it will not run. Cancel it, and plan it again with ${code('--ticket')}; at its time it asks for one, too.`,
  };
}

/** As `terms.ts` has it: what takes something back, or ends it early, needs none. Each line of a plan has its own. */
export async function hasNoTicket(
  journal: Pick<Journal, 'byId'>,
  action: Action,
  command: AnyCommand,
  line: number,
): Promise<boolean> {
  const step = stepsIn(action)[line - 1];
  return (
    isOrder(command, action) &&
    (step === undefined ? action.ticket : step.ticket) === undefined &&
    shownOf(action)?.temporary?.early !== true &&
    !(await takesBack(journal, action, line))
  );
}

/** Whether the policy by now wants a ticket for what was agreed to without one. */
async function lacksTicket(
  { authority, commandByPhrase, journal }: Pick<Parts, 'authority' | 'commandByPhrase' | 'journal'>,
  action: Action,
  command: AnyCommand,
): Promise<boolean> {
  for (const [line, all] of askedByLine(commandByPhrase, action, command).entries()) {
    const isWanted = all.some((asked) => authority.ticketFor(asked, action.channel) !== 'no');
    if (isWanted && (await hasNoTicket(journal, action, command, line))) return true;
  }
  return false;
}

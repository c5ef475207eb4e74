import type { Decision } from '../../auth/decide.ts';
import type { Arguments } from '../../auth/request.ts';
import { ticketIn } from '../../auth/ticket.ts';
import type { AnyChange, AnyCommand } from '../../handlers/command.ts';
import { nameOf } from '../../handlers/command-name.ts';
import { lineOf } from '../../handlers/language/asked.ts';
import type { Match } from '../../handlers/language/match.ts';
import type { Journal } from '../../journal/journal.ts';
import { unresolved, wantedWith } from '../authority/asked-of.ts';
import type { AskedFor, Authority } from '../authority/authority.ts';
import { type Asking, askerOf, saidIn } from '../authority/terms.ts';
import type { Invocation } from '../base/chat.ts';
import type { AnyInfo } from '../lookup/info.ts';
import type { ResolutionOn } from '../lookup/lookup.ts';
import type { Fault } from '../wording/faults.ts';

/** A line that is a command with all its words; `Command` says of which kinds. */
export type Understood<Command extends AnyCommand = AnyCommand> = Extract<Match, { kind: 'command' }> & {
  readonly command: Command;
};

/** What appliances are asked or told, in contrast to what the bot knows itself. */
export type OnAppliances = Exclude<AnyCommand, { kind: 'info' }>;

export const isInfo = (found: Understood): found is Understood<AnyInfo> => found.command.kind === 'info';
export const gathersLines = (found: Understood): found is Understood<AnyChange> =>
  found.command.kind === 'change' && found.command.gathers !== undefined;
export const isOnAppliances = (found: Understood): found is Understood<OnAppliances> => !isInfo(found);

/** What it asks for, as far as that is known before an appliance is asked what its words mean. */
export function wantedIn(
  found: Extract<Match, { kind: 'command' | 'missing' }>,
  channel: string,
  here: Parameters<typeof wantedWith>[2],
): AskedFor {
  const isKnown = found.command.kind === 'info' && found.kind === 'command';
  return {
    ...wantedWith(found, channel, here),
    ...(isKnown && { args: unresolved(found.command, found.args) }),
  };
}

/** What comes in now, as a question. */
export const askingFor = (invocation: Invocation, found: Understood, ends: number | undefined): Asking => ({
  ...askerOf(invocation),
  ...saidIn(found),
  // What takes something back, or ends it early, is not kept from it by what the policy wants since.
  ticket: found.ticket ?? (isUndo(invocation) || invocation.moves?.to === 'now' ? 'notNeeded' : undefined),
  takesBack: isUndo(invocation) || (invocation.moves !== undefined && ends === undefined),
  ends,
});

const isUndo = ({ undo, redo }: Invocation): boolean => undo === true && redo !== true;

/**
 * The ticket that a change is done for: what was given with it, as the policy wants it, or that of the change that it takes back
 * or whose end it moves; also where that is emergency mode.
 */
export async function ticketOf(
  found: Understood,
  { origin, redo, moves, channel }: Pick<Invocation, 'origin' | 'redo' | 'moves' | 'channel'>,
  { authority, journal, commandByPhrase }: TicketParts,
): Promise<{ readonly ticket: string | undefined } | Fault> {
  const { ticket: given } = found;
  if (given === undefined) {
    const of = (redo ? undefined : origin) ?? (moves && (await journal.byId(moves.action)));
    return { ticket: of === undefined ? await ticketOfMode(found) : of.ticket };
  }
  const { tickets } = authority.policy();
  const ticket = ticketIn(given, tickets);
  if (ticket !== undefined) return { ticket };
  return { code: 'ticket_wanted', given, tickets, line: lineOf({ ...found, ticket: undefined }) };

  /** Of what is on in this channel and is extended or ended by a command of its own: where all of it was begun for one ticket. */
  async function ticketOfMode({ command }: Understood): Promise<string | undefined> {
    const name = nameOf(command);
    const ends = [...commandByPhrase.values()].flatMap((one) =>
      one.kind === 'change' && one.timed && [one.timed.extend, one.timed.end].includes(name)
        ? [one.timed.end]
        : [],
    );
    if (ends.length === 0) return undefined;
    const rows = (await journal.timedChanges()).filter(
      (row) => row.channel === channel && ends.includes(row.subject),
    );
    const begun = await Promise.all(rows.map(({ action }) => journal.byId(action)));
    const of = new Set(begun.map((action) => action?.ticket));
    return of.size === 1 ? [...of][0] : undefined;
  }
}

interface TicketParts {
  readonly authority: Pick<Authority, 'policy'>;
  readonly journal: Pick<Journal, 'byId' | 'timedChanges'>;
  readonly commandByPhrase: ReadonlyMap<string, AnyCommand>;
}

/** The passwords among what was given, by the names of their arguments. */
export function secretsOf(
  command: AnyCommand,
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> | undefined {
  const secrets = Object.entries(args).flatMap(([name, value]): [string, string][] =>
    command.args[name]?.input === 'secret' && typeof value === 'string' ? [[name, value]] : [],
  );
  return secrets.length === 0 ? undefined : Object.fromEntries(secrets);
}

/** What somebody named and is not theirs is refused as what it is to them, whether it is there or not. */
export async function asTheirs(
  authority: Pick<Authority, 'fault'>,
  result: ResolutionOn['result'],
  decision: (args: Arguments) => Decision,
  channel: string,
): Promise<ResolutionOn['result']> {
  if (result.ok) return result;
  const typed = decision(result.known);
  if (typed.allow) return result;
  const { fault } = result;
  const near = 'choices' in fault && fault.choices !== undefined ? { choices: fault.choices } : {};
  return { ...result, fault: { ...(await authority.fault(typed.denial, channel)), ...near } };
}

/** Why it is theirs on none of the appliances, best with what they may have meant. */
export function deniedIn(resolutions: readonly ResolutionOn[]): Fault | undefined {
  const faults = resolutions.flatMap(({ result }) =>
    !result.ok && result.fault.code === 'denied' ? [result.fault] : [],
  );
  if (faults.length < resolutions.length) return undefined;
  return faults.find(({ choices = [] }) => choices.length > 0) ?? faults[0];
}

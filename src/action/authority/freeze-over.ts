import type { Frozen } from '../../auth/calendar/freeze.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import type { MovedEnd } from '../../handlers/reply.ts';
import type { Action, Journal } from '../../journal/journal.ts';
import { isOrder, type Shown, shownOf, type Target } from '../base/stored.ts';
import { allAskedWith, askedOn, plannedFor } from './asked-of.ts';
import type { Authority } from './authority.ts';

type Rows = Pick<Journal, 'timedChangesOf'>;

/** The freeze of the policy in which the time of something planned lies, asked with the roles of whoever asked for it. */
export async function freezeOver(
  {
    authority,
    commandByPhrase,
    journal,
  }: {
    readonly authority: Pick<Authority, 'freezeFor' | 'rolesOf'>;
    readonly commandByPhrase: ReadonlyMap<string, AnyCommand>;
    readonly journal: Rows;
  },
  action: Action,
  command: AnyCommand,
): Promise<Frozen | undefined> {
  if (!isOrder(command, action) || (await isNeverFrozen(journal, action))) return undefined;
  const planned = plannedFor(shownOf(action)?.start);
  const held = await authority.rolesOf(action.person, action.channel);
  const all = allAskedWith(commandByPhrase, action, command);
  return all.flatMap((asked) => authority.freezeFor({ ...asked, planned }, held) ?? [])[0];
}

/** The freeze in which something temporary ends: that holds no end, whoever has asked for it, and people are told so before. */
export const freezeAtEnd = (
  authority: Pick<Authority, 'freezeFor'>,
  command: AnyCommand,
  targets: readonly Pick<Target, 'appliance' | 'args'>[],
  at: number,
): Frozen | undefined =>
  targets.flatMap((target) => {
    const planned = { runsAt: at, isAgreed: true };
    return authority.freezeFor({ ...askedOn(command, target), planned }, []) ?? [];
  })[0];

/** The freeze in which it cannot be asked for again now, so that its end cannot be put off. */
export async function freezeNow(
  authority: Pick<Authority, 'freezeFor' | 'rolesOf'>,
  command: AnyCommand,
  { person, channel }: Pick<Action, 'person' | 'channel'>,
  targets: readonly Pick<Target, 'appliance' | 'args'>[],
): Promise<Frozen | undefined> {
  const held = await authority.rolesOf(person, channel);
  return targets.flatMap((target) => authority.freezeFor(askedOn(command, target), held) ?? [])[0];
}

/** No freeze keeps anybody from what takes something back, or lets it end sooner. */
export async function isNeverFrozen(journal: Rows, action: Action): Promise<boolean> {
  if (undoes(action)) return true;
  const move = moveIn(shownOf(action));
  return move !== undefined && (await keptOn(journal, move)) === undefined;
}

/** A plan does where each of its lines does. */
export function undoes(action: Action): boolean {
  const lines = shownOf(action)?.steps?.filter(({ kind }) => kind !== 'idle') ?? [];
  return (
    action.undoes !== undefined || (lines.length > 0 && lines.every(({ takesBack: of }) => of !== undefined))
  );
}

/** To which moment the end is moved of what an action has made temporary. */
type Move = Pick<MovedEnd, 'action' | 'to'>;

export function moveIn(shown: Pick<Shown, 'temporary'> | undefined): Move | undefined {
  const { extends: action, early, until } = shown?.temporary ?? {};
  return action === undefined ? undefined : { action, to: early ? 'now' : (until ?? 'never') };
}

/**
 * When something ends that is to stay on for longer, or for good: that is a change as any other. Undefined where it is to end sooner, or
 * where its time is over already: what could not be ended is left to people, whom no freeze may keep from deciding.
 */
export async function keptOn({ timedChangesOf }: Rows, { action, to }: Move): Promise<number | undefined> {
  if (to === 'now') return undefined;
  const ends = (await timedChangesOf(action)).flatMap(({ state, endsAt }) =>
    state === 'on' ? [endsAt] : [],
  );
  const sooner = ends.filter((one) => to === 'never' || to > one);
  return sooner.length === 0 ? undefined : Math.min(...sooner);
}

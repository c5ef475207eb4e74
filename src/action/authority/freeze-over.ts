import type { Frozen } from '../../auth/calendar/freeze.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import type { MovedEnd } from '../../handlers/reply.ts';
import type { Action, Journal } from '../../journal/journal.ts';
import { isOrder, type Shown, shownOf, stepsIn, type Target } from '../base/stored.ts';
import { askedByLine, askedOn, plannedFor } from './asked-of.ts';
import type { Authority } from './authority.ts';

type Rows = Pick<Journal, 'byId' | 'timedChangesOf'>;

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
  if (!isOrder(command, action)) return undefined;
  const planned = plannedFor(shownOf(action)?.start);
  const held = await authority.rolesOf(action.person, action.channel);
  for (const [line, all] of askedByLine(commandByPhrase, action, command).entries()) {
    if (await isNeverFrozen(journal, action, line)) continue;
    const [frozen] = all.flatMap((asked) => authority.freezeFor({ ...asked, planned }, held) ?? []);
    if (frozen !== undefined) return frozen;
  }
  return undefined;
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

/** No freeze keeps anybody from what takes something back, or lets it end sooner. `line`: of a plan that one alone. */
export async function isNeverFrozen(journal: Rows, action: Action, line: number = 0): Promise<boolean> {
  if (await takesBack(journal, action, line)) return true;
  const move = moveIn(shownOf(action));
  return move !== undefined && (await keptOn(journal, move)) === undefined;
}

/** Whether it takes something back: of a plan that line; or, where none is named, each that does something. */
export async function takesBack(
  journal: Pick<Journal, 'byId'>,
  action: Pick<Action, 'undoes' | 'preview'>,
  line: number = 0,
): Promise<boolean> {
  const steps = stepsIn(action);
  if (steps.length === 0) return isBack(journal, action.undoes);
  const meant = line === 0 ? steps.filter(({ kind }) => kind !== 'idle') : steps.slice(line - 1, line);
  const each = await Promise.all(meant.map(({ takesBack: of }) => isBack(journal, of)));
  return each.length > 0 && each.every(Boolean);
}

/**
 * Whether to take that action back is to undo. What has taken something back itself is the exception: to undo that makes the change
 * again, which is a change like any other. So it is where the journal does not keep all of them any more.
 */
export async function isBack({ byId }: Pick<Journal, 'byId'>, of: string | undefined): Promise<boolean> {
  let back = false;
  for (let id = of; id !== undefined; back = !back) {
    const action = await byId(id);
    if (action === undefined) return false;
    id = action.undoes;
  }
  return back;
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

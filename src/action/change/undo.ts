import type { AnyChange } from '../../handlers/command.ts';
import { lineOf } from '../../handlers/language/asked.ts';
import type { Match } from '../../handlers/language/match.ts';
import { typedMoment } from '../../handlers/language/times/said-time.ts';
import { code, type Field, type MovedEnd, moment, say, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Action, JsonObject } from '../../journal/journal.ts';
import { isPutBack } from '../../journal/timed/timed-change-row.ts';
import type { Invocation } from '../base/chat.ts';
import { consentOf } from '../base/consent.ts';
import { argsOf, argsOn, changeOf, shownOf, targetsIn } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { goneOf } from '../history/left-to-undo.ts';
import { type KeptOffer, offerIn, offerToKeep } from '../showing/kept-offer.ts';
import { askedIn } from '../showing/messages.ts';
import type { ResolvedTarget } from '../target/target.ts';
import type { NamingParts } from '../wishes/names.ts';
import { leaveToOthers, othersWish, withMore } from '../wishes/others.ts';
import { askedParts } from '../wishes/wishes.ts';
import type { Fault } from '../wording/faults.ts';
import type { Execution } from './execute.ts';
import { shortest } from './temporary.ts';

const minutes = 60_000;
/** How long a change can be taken back with one click, in milliseconds. */
const lifetime = 10 * minutes;
/** Of what was planned: it runs at night, and is seen in the morning. */
const whilePlanned = 24 * 60 * minutes;
/** Of what is temporary, for as long as it may be on: the longest there is, and once more. */
const whileTemporary = 180 * 24 * 60 * minutes;

interface Done {
  readonly resolved: ResolvedTarget;
  readonly execution: Execution;
}

/**
 * Keeps the line that takes a change back, for the button on its card. Whoever may run that line may press it, once;
 * it is looked at, run and verified like any other. Several appliances with the same line share one button.
 */
export async function offerUndo(
  { journal, now }: Pick<Parts, 'journal' | 'now'>,
  action: Action,
  { undo, undoAsks }: AnyChange,
  done: readonly Done[],
): Promise<void> {
  const lines = done.flatMap(({ resolved, execution }) => {
    const line = undo?.(resolved.args, execution.fingerprint);
    return line === undefined ? [] : [{ line, appliance: resolved.appliance.name }];
  });
  // After a crash there may be some from before it.
  const kept = new Set((await journal.keptOf(action.id, 'offer')).map((one) => offerIn(one)?.line));
  const beside = askedIn(action);
  const { temporary, start } = shownOf(action) ?? {};
  // A step is taken back with its plan, which waits for people.
  const isLong = temporary !== undefined || action.step !== undefined;
  const isFor = isLong ? whileTemporary : start !== undefined ? whilePlanned : lifetime;
  const groups = Map.groupBy(lines, ({ line }) => line);
  for (const [line, on] of groups) {
    const names = on.map(({ appliance }) => appliance);
    const content: KeptOffer = {
      line: `${line} --on ${names.join(',')}`,
      undo: true,
      ...(!undoAsks && { agreed: true }),
      ...(groups.size > 1 && { where: names.join(', ') }),
      ...(beside !== undefined && { askedIn: beside }),
    };
    if (kept.has(content.line)) continue;
    await journal.keep({
      kind: 'offer',
      content: offerToKeep(content),
      channel: action.channel,
      action: action.id,
      until: now() + isFor,
    });
  }
}

/** What was said beside its word; else what takes something back is done for the reason of that. */
export function withReason<Found extends Extract<Match, { kind: 'command' | 'missing' }>>(
  found: Found,
  { reason: said, undo, origin }: Pick<Invocation, 'reason' | 'undo' | 'origin'>,
): Found {
  const former =
    undo && found.reason === undefined && origin !== undefined ? consentOf(origin)?.reason : undefined;
  const reason = said ?? former ?? undefined;
  return reason === undefined || found.command.args.reason !== undefined ? found : { ...found, reason };
}

/**
 * What an undo takes back must be there still: what has ended, or was done again by somebody since, is theirs, and what others want
 * of it stays for them. `moves`: nothing of it is to be sent, and its own end comes now.
 */
export async function takingBack(
  parts: NamingParts & Pick<Parts, 'authority' | 'commandByPhrase' | 'journal' | 'now'>,
  found: Found,
  origin: Action,
): Promise<
  { readonly found: Found; readonly stays: readonly Field[] } | { readonly moves: MovedEnd } | Fault
> {
  const gone = await goneOf(parts, origin);
  const on = (found.on?.split(',') ?? []).filter((name) => !gone?.on.includes(name));
  const nothing = (why: Text): Fault => ({
    code: 'nothing_to_act_on',
    why: say`Nothing is left to undo of ${code(origin.line)} (${moment(origin.changedAt)}). ${why}`,
  });
  if (gone !== undefined && on.length === 0) return nothing(gone.why);
  const left = await leaveToOthers(
    parts,
    gone === undefined ? found : { ...found, on: on.join(',') },
    origin,
  );
  if (left.kind === 'differs') return { code: 'nothing_to_act_on', why: left.why, offers: left.offers };
  if (left.kind === 'all')
    return left.ends === undefined
      ? nothing(left.why)
      : { moves: { action: origin.id, on: left.ends.appliance, to: 'now' } };
  const back = await withFormerEnd(parts, left.found, origin);
  return 'code' in back ? back : { found: back, stays: left.stays };
}

type Found = Extract<Match, { kind: 'command' }>;

/**
 * What an undo brings back was on for a time, and its end comes back with it. Where its time is over, or only some of what comes
 * back had an end, people are asked: nothing that was temporary stays for good unseen.
 */
export async function withFormerEnd(
  parts: Pick<Parts, 'authority' | 'commandByPhrase' | 'journal' | 'match' | 'now'>,
  found: Found,
  origin: Action,
): Promise<Found | Fault> {
  const { authority, commandByPhrase, journal, now } = parts;
  const ended = (await journal.timedChangesEndedBy(origin.id)).filter(isPutBack);
  const [first] = ended;
  if (first === undefined || found.command.kind !== 'change') return found;
  const begun = await Promise.all(ended.map(async ({ action }) => journal.byId(action)));
  const isWhole = (found.on?.split(',') ?? []).every((appliance) =>
    ended.some(
      (row, index) =>
        row.appliance === appliance &&
        row.endsAt === first.endsAt &&
        begun[index]?.phrase === found.command.phrase &&
        isPartOf(found, argsOn(begun[index], appliance)),
    ),
  );
  const ends = when(first.endsAt, now());
  const isOver = first.endsAt < now() + shortest;
  const term = { option: 'until', text: typedMoment(first.endsAt, authority.policy().timeZone) } as const;
  if (isWhole && !isOver) return { ...(await withTheirs(parts, found, origin)), term };
  const was = begun[0] === undefined ? say`this` : doneIn(begun[0], changeOf(commandByPhrase, begun[0]));
  const why = isOver
    ? say`What this would bring back was temporary, and its time was over at ${ends}: ${was}.`
    : say`Some of what this would bring back was temporary, until ${ends}: ${was}. The rest was not.`;
  const lines = [
    lineOf({ ...found, ...(isOver ? { term: { option: 'for', text: '1h' } } : { term }) }),
    lineOf(found),
  ];
  return {
    code: 'nothing_to_act_on',
    why,
    offers: lines.map((line) => ({ label: line, line, guess: true })),
  };
}

/** Whether what comes back is what was made with these, or some of a list of it. */
function isPartOf({ command, args }: Found, made: JsonObject): boolean {
  if (command.kind !== 'change') return false;
  const [one, all] = [askedParts(command, args), askedParts(command, made)];
  return one.same === all.same && one.parts.every((part) => all.parts.includes(part));
}

/** What was left to others when it was taken back was wanted by whoever has it back now, until the same end. */
async function withTheirs(
  parts: Pick<Parts, 'commandByPhrase' | 'journal' | 'match' | 'now'>,
  found: Found,
  origin: Action,
): Promise<Found> {
  const first = origin.undoes === undefined ? undefined : await parts.journal.byId(origin.undoes);
  const [appliance, ...others] = found.on?.split(',') ?? [];
  const takenBack = changeOf(parts.commandByPhrase, origin);
  if (first === undefined || appliance === undefined || others.length > 0 || takenBack === undefined)
    return found;
  const undo = { command: takenBack, args: argsOn(origin, appliance) };
  const theirs = await othersWish(parts, first, appliance, undo);
  return withMore(
    found,
    argsOn(first, appliance),
    theirs.flatMap((wish) => wish.parts),
  );
}

const doneIn = (action: Action, command: AnyChange | undefined): Text => {
  const [target] = targetsIn(action);
  return command === undefined || target === undefined
    ? say`${code(action.line)}`
    : command.done(argsOf(target), target.fingerprint);
};

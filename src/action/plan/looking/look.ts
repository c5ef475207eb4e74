import type { Arguments, Lasts } from '../../../auth/request.ts';
import { ticketIn } from '../../../auth/ticket.ts';
import type { AnyChange } from '../../../handlers/command.ts';
import { areaOf } from '../../../handlers/command-name.ts';
import { lineOf } from '../../../handlers/language/asked.ts';
import { wordsIn } from '../../../handlers/language/line.ts';
import { wordsAmong } from '../../../handlers/lists/posted-file.ts';
import type { PlannedStart } from '../../../handlers/planned/words.ts';
import { leavesAnUndo } from '../../../handlers/temporary/leaves-an-undo.ts';
import type { Action } from '../../../journal/journal.ts';
import { lastsWith, plannedFor, targetsIn, unresolved, wantedWith } from '../../authority/asked-of.ts';
import type { AskedFor } from '../../authority/authority.ts';
import { freezeAtEnd, isBack, keptOn } from '../../authority/freeze-over.ts';
import {
  type Asker,
  type Asking,
  accessRequestTo,
  saidIn,
  termsFor,
  type Wanted,
} from '../../authority/terms.ts';
import { isDelegated } from '../../base/consent.ts';
import type { PlanStep, Target, Temporary } from '../../base/stored.ts';
import {
  asTemporary,
  endFrom,
  endsBefore,
  lastingOf,
  lastsInAll,
  madeOn,
  withEnd,
} from '../../change/temporary.ts';
import type { Parts } from '../../ground/ground.ts';
import { type EndMoved, type HeldByOthers, type MadeOn, onAlready } from '../../holding/holders.ts';
import type { ResolutionOn } from '../../lookup/lookup.ts';
import { withoutMark } from '../../showing/card.ts';
import { inOneLine, notSaidIn, showLooks } from '../../showing/previews.ts';
import { asTheirs } from '../../taking/asking.ts';
import { identityIn } from '../../target/identity.ts';
import { faultIn, isNothing, previewOn, resolveOn, type TargetPreview } from '../../target/target.ts';
import { type Fault, reasonFor } from '../../wording/faults.ts';
import { unwrappedIn } from '../../wording/unwrapped.ts';
import type { ReadLine } from '../read.ts';

/** A line as it was looked at; or why it cannot be run. */
type LineLook =
  | { readonly step: PlanStep; readonly asking: Asking; readonly wanted: readonly Wanted[] }
  | { readonly fault: Fault };

/**
 * Looks at a line as it was typed alone: whether whoever asks may run it, what its words mean on each of its appliances, and what it
 * would hit there. On what terms it may run is told by all lines together (`lines.ts`). `asker`: of all of them. `before`: the lines
 * before it, because of which it may be another one when it is its turn.
 */
export type LookAtLine = (
  action: Action,
  asker: Asker,
  line: ReadLine,
  before: readonly PlanStep[],
  start: PlannedStart | undefined,
) => Promise<LineLook>;

export function createLookAtLine(parts: Parts): LookAtLine {
  const { authority, appliances, contexts, journal, now } = parts;

  return async (action, asker, line, before, start) => {
    const { found, isExact = false, isLent = false } = line;
    const { command } = found;
    const { person, channel } = asker;
    // It lasts from when all of them run, which is said of none of them.
    const lastsAlone = (args: AskedFor['args']): Lasts =>
      lastsWith(command, args, found.term, parts, start?.at);
    const decision = await authority.decide({
      ...wantedWith(found, channel, parts),
      lasts: lastsAlone('any'),
      planned: plannedFor(start),
      person,
      channel,
      access: 'run',
    });
    const isOthers = !decision.allow && isLent && accessRequestTo(decision.denial).length > 0;
    if (!decision.allow && !isOthers) return { fault: await authority.fault(decision.denial, channel) };
    const named = targetsIn(found, channel, parts);
    if (named === undefined) throw new Error(`Channel ${channel} has no policy`);
    if (!named.ok) return { fault: { code: 'no_such_target', problem: named.problem } };
    const { tickets } = authority.policy();
    const typed = found.ticket === undefined ? line.ticket : ticketIn(found.ticket, tickets);
    if (found.ticket !== undefined && typed === undefined) {
      const bare = lineOf({ ...found, ticket: undefined });
      return { fault: { code: 'ticket_wanted', given: found.ticket, tickets, line: bare } };
    }
    const lasting = lastingOf(parts, found.term, start);
    if ('code' in lasting) return { fault: lasting };
    const decide = await authority.decideEach({ person, channel, command, access: 'run' });
    const resolutions = await Promise.all(
      named.names.map(async (name): Promise<ResolutionOn> => {
        const appliance = appliances.get(name);
        if (appliance === undefined) throw new Error(`${name} is not connected`);
        const decisionOf = (args: Arguments) => decide({ args, appliances: [name], lasts: lastsAlone(args) });
        const may = (args: Arguments) => decisionOf(args).allow;
        const result = await resolveOn(found, found.args, appliance, 'preview', {
          may,
          isWhole: isLent,
          isExact,
        });
        return {
          appliance,
          result: isLent ? result : await asTheirs(authority, result, decisionOf, channel),
        };
      }),
    );
    const hit = resolutions.filter(({ result }) => result.ok);
    // Where it is on for a time already, all of its time counts, and what it was begun for.
    const undoes = line.takesBack !== undefined;
    const inAll = undoes
      ? undefined
      : await lastsInAll(parts, command, { term: found.term, start, moves: undefined, person }, resolutions);
    const lastsFor = (args: Arguments): Lasts => inAll?.lasts ?? lastsAlone(args);
    const begun = inAll && { action: inAll.of, to: 'never' as const };
    const ticket = typed ?? (begun && (await journal.byId(begun.action))?.ticket);
    const takesBack = await isBack(journal, line.takesBack);
    const asking: Asking = {
      ...asker,
      accessRequest: isLent,
      ...saidIn(found),
      ticket: ticket ?? (takesBack ? 'notNeeded' : undefined),
      takesBack,
      ends: begun && (await keptOn(journal, begun)),
    };
    // What a request needs is seen by whoever asked, and must not tell what their words mean there.
    const mayBe = isLent ? unresolved(command, found.args) : undefined;
    const wanted = (hit.length === 0 || isLent ? resolutions : hit).map(({ appliance, result }): Wanted => {
      const args: Arguments = result.ok ? result.resolved.args : result.known;
      const planned = plannedFor(start);
      return { command, mayBe, appliances: [appliance.name], args, lasts: lastsFor(args), planned };
    });
    const alone = await termsFor(authority, asking, wanted);
    const denied = resolutions.flatMap(({ result }) =>
      !result.ok && result.fault.code === 'denied' ? [result.fault] : [],
    );
    if (alone.kind === 'fault') return { fault: denied[0] ?? alone.fault };
    const look = (does: AnyChange, lasts: Temporary | undefined) =>
      Promise.all(
        resolutions.map(async ({ appliance, result }): Promise<TargetPreview> => {
          if (!result.ok) return { kind: 'fault', appliance: appliance.name, fault: result.fault };
          const context = contexts.asking(action, result.resolved);
          const agreed = identityIn(line.expects?.[appliance.name]);
          const seen = await previewOn(does, result.resolved, context, agreed);
          return lasts === undefined ? seen : asTemporary(parts, does, lasts, seen);
        }),
      );
    const plain = await look(command, lasting.temporary);
    const begins = start?.at ?? now();
    const asked = { temporary: lasting.temporary, begins, person };
    const on =
      !undoes && plain.every(isNothing)
        ? await lineOnAlready(parts, command, asked, madeOn(command, resolutions))
        : undefined;
    const isLeft = on !== undefined && 'fault' in on;
    // What is agreed to already is looked at again at its time.
    const isGoneThen = on !== undefined && start !== undefined && on.ends <= start.at;
    if (isGoneThen && !line.isAgreed) return { fault: endsBefore(on.ends, start, now()) };
    const kept = isLeft || isGoneThen ? undefined : on;
    const { command: does, temporary } = kept ?? { command, ...lasting };
    const looks =
      isLeft && !isGoneThen
        ? resolutions.map(
            ({ appliance }): TargetPreview => ({ kind: 'fault', appliance: appliance.name, fault: on.fault }),
          )
        : kept === undefined
          ? plain
          : await look(does, temporary);
    const looked = showLooks(does, looks);
    const endsAt = endFrom(begins, temporary);
    const frozen =
      looked && endsAt !== undefined ? freezeAtEnd(authority, command, looked.targets, endsAt) : undefined;
    const shown = looked && withEnd(looked, temporary, now(), ({ args }) => lastsFor(args), frozen);
    const known = { ...frameOf(line, ticket), ...(temporary && { temporary }) };
    if (shown !== undefined) {
      // Where it does nothing there is nothing to undo.
      const undos = looks.flatMap((one) =>
        one.kind === 'ready' ? [leavesAnUndo(does, one.resolved.args, one.preview.fingerprint)] : [],
      );
      return {
        asking,
        wanted,
        step: {
          ...known,
          kind: 'ready',
          says: withoutMark(shown.question),
          details: inOneLine([], notSaidIn(shown.question, [...shown.fields, ...unwrappedIn(found)])),
          targets: shown.targets,
          ...(shown.left && { left: shown.left }),
          isUndoable: undos.every(Boolean),
        },
      };
    }
    const fault = faultIn(looks);
    const mayChange = before.some((earlier) => concerns(earlier, line, named.names));
    const isNamed = looks.every((one) => one.kind === 'fault' && isAboutWhatIsThere(one.fault));
    // Whoever may not run it does not learn what there is by being refused: those who may are told.
    const isHidden = alone.kind === 'consent' && isDelegated(alone);
    // What is gone is taken back by that.
    if (!looks.every(isNothing) && !(isNamed && (mayChange || isHidden || undoes))) return { fault };
    return {
      asking,
      wanted,
      step: {
        ...known,
        kind: mayChange ? 'inTurn' : 'idle',
        says: reasonFor(fault),
        details: [],
        targets: resolutions.map(({ appliance, result }): Target => {
          const args: Arguments = result.ok ? result.resolved.args : result.known;
          const lasts = lastsFor(args);
          return {
            appliance: appliance.name,
            args: jsonOf(args),
            fingerprint: {},
            ...(typeof lasts === 'number' && { lasts }),
          };
        }),
        isUndoable: command.undo !== undefined,
      },
    };
  };
}

/** Whether an earlier line is about the same kind of thing there, and names one of what this one names: it may make it, or undo it. */
function concerns(earlier: PlanStep, { found }: ReadLine, on: readonly string[]): boolean {
  const words = new Set(wordsIn(earlier.line).map(({ text }) => text.toLowerCase()));
  return (
    isSameKind(earlier.phrase, found.command.phrase) &&
    earlier.targets.some(({ appliance }) => on.includes(appliance)) &&
    Object.values(found.typed).some((typed) =>
      wordsAmong(typed).some((word) => words.has(word.toLowerCase())),
    )
  );
}

/** Of one area, which is the first word. */
export const isSameKind = (one: string, other: string): boolean =>
  areaOf({ phrase: one }) === areaOf({ phrase: other });

const frameOf = ({ found, number, takesBack, expects }: ReadLine, ticket: string | undefined) => ({
  line: lineOf(found),
  number,
  phrase: found.command.phrase,
  ...(ticket !== undefined && { ticket }),
  ...(takesBack !== undefined && { takesBack }),
  ...(expects !== undefined && { expects }),
});

/** What a line before it may make or take away. */
const isAboutWhatIsThere = ({ code }: Fault): boolean =>
  code === 'nothing_to_act_on' || code === 'no_such_thing' || code === 'which_one';

/** As far as it is known: what is not says nothing. */
const jsonOf = (args: Arguments): Target['args'] => JSON.parse(JSON.stringify(args));

/** What a line comes to whose work is done already, but only for a time: as typed alone, it has that stay, or end later. */
interface KeptOn extends EndMoved {
  /** How long it is on in all. */
  readonly lasts: Lasts;
  /** When it ends so far, in milliseconds since the epoch. */
  readonly ends: number;
}

/** Undefined where it is not on for a time; why not, where somebody else has it on. */
export async function lineOnAlready(
  parts: Pick<Parts, 'commandByPhrase' | 'journal' | 'match' | 'now'>,
  command: AnyChange,
  asked: {
    readonly temporary: Temporary | undefined;
    readonly begins: number;
    readonly person: string;
  },
  wanted: readonly MadeOn[],
): Promise<KeptOn | HeldByOthers | undefined> {
  const { begins, person } = asked;
  // How long it was asked for, whatever it has become since.
  const { extends: _, ...temporary } = asked.temporary ?? {};
  const until = endFrom(begins, temporary);
  const on = await onAlready(parts, command, { until, person }, wanted);
  if (on === undefined || 'fault' in on) return on;
  const lasts = until === undefined ? 'forGood' : until - on.since;
  return { ...on, temporary: { ...on.temporary, ...temporary }, lasts };
}

import type { AnyChange } from '../../../handlers/command.ts';
import type { PlannedStart } from '../../../handlers/planned/words.ts';
import { say } from '../../../handlers/reply.ts';
import type { Action } from '../../../journal/journal.ts';
import { askedByLine, plannedFor, together } from '../../authority/asked-of.ts';
import { type Asker, type Asking, termsFor, type Wanted } from '../../authority/terms.ts';
import type { Consent, Need } from '../../base/consent.ts';
import { type PlanStep, type Shown, shownToStore } from '../../base/stored.ts';
import type { Parts } from '../../ground/ground.ts';
import { otherAmong } from '../../target/identity.ts';
import { isSame } from '../../target/target.ts';
import type { Fault, LineFault } from '../../wording/faults.ts';
import { isRead, isStaying, type PlanLine, type ReadLine } from '../read.ts';
import { isSameKind, type LookAtLine } from './look.ts';

/** All lines of a plan as they were looked at, why some of them cannot be run, and whose yes they need, each weighed with the others. */
type LookAtLines = (
  action: Action,
  asker: Asker,
  lines: readonly PlanLine[],
  start: PlannedStart | undefined,
) => Promise<{
  readonly steps: readonly PlanStep[];
  readonly faults: readonly LineFault[];
  readonly consents: readonly Consent[];
}>;

/** A line that would do something, and on what terms it was asked for. */
interface Looked {
  readonly line: ReadLine;
  readonly step: PlanStep;
  readonly asking: Asking;
  readonly wanted: readonly Wanted[];
}

export function createLookAtLines(parts: Parts & { readonly lookAtLine: LookAtLine }): LookAtLines {
  const { authority, lookAtLine } = parts;

  /** One after the other, so that an appliance has as many questions at a time as one line has. */
  return async (action, asker, lines, start) => {
    const all: (Looked | PlanStep | LineFault)[] = [];
    const steps: PlanStep[] = [];
    const add = (step: PlanStep, looked?: Looked) => {
      steps.push(step);
      all.push(looked ?? step);
    };
    for (const line of lines) {
      if (!isRead(line)) {
        add(line);
        continue;
      }
      const before = steps.filter(({ kind }) => kind !== 'idle');
      const look = await lookAtLine(action, asker, line, before, start);
      if ('fault' in look) {
        all.push({ ...numbered(line), fault: look.fault });
        continue;
      }
      const step = asLeft(look.step, steps);
      add(step, { line, step, asking: look.asking, wanted: look.wanted });
    }
    return weighed(all);
  };

  /** What all of them need, where each counts with the others. */
  async function weighed(all: readonly (Looked | PlanStep | LineFault)[]): ReturnType<LookAtLines> {
    const working = all.flatMap((one) => ('wanted' in one ? [one] : []));
    const beside = together(
      working.map(({ line, step, wanted }) =>
        // What others are asked for must not tell whether there is anything to do.
        step.kind === 'idle' && !line.isLent ? [] : wanted,
      ),
    );
    const weights = new Map(working.map((one, index) => [one, beside[index] ?? []] as const));
    const steps: PlanStep[] = [];
    const faults: LineFault[] = [];
    const consents: Consent[] = [];
    for (const one of all) {
      if ('fault' in one) faults.push(one);
      else if ('kind' in one) steps.push(one);
      else {
        const terms = await termsFor(authority, one.asking, weights.get(one) ?? []);
        if (terms.kind === 'fault') faults.push({ ...numbered(one.line), fault: terms.fault });
        else steps.push(one.step);
        if (terms.kind === 'consent') consents.push(ofLine(terms.consent, steps.length));
      }
    }
    return { steps, faults, consents };
  }
}

const numbered = ({ number, text, found: { command } }: ReadLine) => ({
  number,
  text,
  canEnd: command.undo !== undefined,
});

/** A line of a plan that was kept, to be looked at once more. Undefined where this version does not know it. */
export function lineAgain(
  { match }: Pick<Parts, 'match'>,
  step: PlanStep,
  isLent = false,
): PlanLine | undefined {
  if (isStaying(step)) return step;
  const { line: text, number, takesBack, expects, ticket } = step;
  const found = match(text);
  if (found.kind !== 'command' || found.command.kind !== 'change') return undefined;
  return {
    number,
    text,
    found: { ...found, command: found.command },
    ...(takesBack !== undefined && { takesBack, isExact: true }),
    ...(expects !== undefined && { expects }),
    ...(ticket !== undefined && { ticket }),
    ...(isLent && { isLent }),
  };
}

/**
 * What takes something back must find it as it was left, unless what is taken back before it lies on top of it: nobody's edit is
 * overwritten.
 */
function asLeft(step: PlanStep, before: readonly PlanStep[]): PlanStep {
  if (step.kind !== 'ready' || before.some((earlier) => liesOn(earlier, step))) return step;
  const other = otherAmong(expected(step), step.targets);
  if (other !== undefined) return { ...changed(step), says: other };
  return isAsSeen(step) ? step : changed(step);
}

/** What it is to find, on the appliances where that is known. */
const expected = ({ expects = {}, targets }: PlanStep) =>
  targets.map((target) => ({ ...target, fingerprint: expects[target.appliance] ?? {} }));

function isAsSeen({ expects, targets }: PlanStep): boolean {
  return targets.every(({ appliance, fingerprint }) => {
    const left = expects?.[appliance];
    const as = (shown: typeof fingerprint) => [{ appliance, args: {}, fingerprint: shown }];
    return left === undefined || isSame(as(left), as(fingerprint));
  });
}

const changed = (step: PlanStep): PlanStep => ({
  ...step,
  kind: 'idle',
  says: say`Somebody has changed it since, so it is left as it is.`,
  details: [],
});

/** Whether what one has changed may be what the other is about: the same kind of thing on one of its appliances. */
const liesOn = (one: PlanStep, other: PlanStep): boolean =>
  one.kind !== 'idle' &&
  isSameKind(one.phrase, other.phrase) &&
  one.targets.some(({ appliance }) => other.targets.some((target) => target.appliance === appliance));

/**
 * What all lines of a plan need, as one: everything that one of them needs, as often as the strictest says. Whoever asked may
 * approve it only where every rule lets them.
 */
export function allConsents(consents: readonly Consent[]): Consent | undefined {
  if (consents.length === 0) return undefined;
  const needs = new Map<string, Need>();
  for (const need of consents.flatMap((one) => one.needs)) {
    const key = JSON.stringify([need.by, need.delegates]);
    const known = needs.get(key);
    const most = known === undefined || known.count < need.count ? need : known;
    const lines = [...new Set([...(known?.lines ?? []), ...(need.lines ?? [])])];
    needs.set(key, { ...most, ...(lines.length > 0 && { lines }) });
  }
  return {
    needs: [...needs.values()],
    requester: consents.every(({ requester }) => requester),
    open: Math.min(...consents.map(({ open }) => open)),
    reason: consents.find(({ reason }) => reason !== null)?.reason ?? null,
    unattended: consents.some(({ unattended }) => unattended),
  };
}

/** A role is lent for that line alone, by its place; 0 is the plan itself. */
const ofLine = ({ needs, ...consent }: Consent, line: number): Consent => ({
  ...consent,
  needs: needs.map((need) => (need.delegates ? { ...need, lines: [line] } : need)),
});

/**
 * What the plan itself needs, beside its lines: where a rule names it, and where whoever asks may make none, those who may lend them
 * that, too.
 */
export async function consentToPlan(
  { authority, commandByPhrase }: Pick<Parts, 'authority' | 'commandByPhrase'>,
  action: Action,
  command: AnyChange,
  asked: Omit<Asking, 'takesBack' | 'ends' | 'ticket'>,
  shown: Shown,
): Promise<readonly Consent[] | Fault> {
  const planned = plannedFor(shown.start);
  const [own = []] = askedByLine(commandByPhrase, { ...action, preview: shownToStore(shown) }, command);
  const terms = await termsFor(
    authority,
    // Freezes and tickets are about its lines.
    { ...asked, takesBack: true, ends: undefined, ticket: 'notNeeded' },
    shown.targets.length === 0 ? [] : own.map((asked) => ({ ...asked, planned })),
  );
  // Whether they may make a plan at all was asked before.
  if (terms.kind === 'fault') return terms.fault.code === 'denied' ? [] : terms.fault;
  return terms.kind === 'consent' ? [ofLine(terms.consent, 0)] : [];
}

import type { PlannedStart } from '../../../handlers/planned/words.ts';
import type { Action } from '../../../journal/journal.ts';
import { together } from '../../authority/asked-of.ts';
import { type Asking, termsFor, type Wanted } from '../../authority/terms.ts';
import type { Consent } from '../../base/consent.ts';
import type { PlanStep } from '../../base/stored.ts';
import type { Parts } from '../../ground/ground.ts';
import { explain, type Fault, type LineFault } from '../../wording/faults.ts';
import { withoutPromise } from '../../wording/misread/misfits.ts';
import { isRead, isStaying, type PlanLine, type ReadLine } from '../read.ts';
import { createAsLeft } from './as-left.ts';
import { allConsents, ofLine } from './consents.ts';
import type { LookAtLine } from './look.ts';

/** All lines of a plan as they were looked at, why some of them cannot be run, and whose yes all of them need together. */
export type LookAtLines = (
  action: Action,
  lines: readonly PlanLine[],
  start: PlannedStart | undefined,
) => Promise<{
  readonly steps: readonly PlanStep[];
  readonly faults: readonly LineFault[];
  readonly consent: Consent | undefined;
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
  const asLeft = createAsLeft(parts);

  /** One after the other, so that an appliance has as many questions at a time as one line has. */
  return async (action, lines, start) => {
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
      const look = await lookAtLine(action, line, before, start);
      if ('fault' in look) {
        const left = leftOut(line, look.fault);
        if ('kind' in left) add(left);
        else all.push(left);
        continue;
      }
      const step = await asLeft(look.step, steps, line.made);
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
        const left = terms.kind === 'fault' ? leftOut(one.line, terms.fault) : one.step;
        if ('fault' in left) faults.push(left);
        else steps.push(left);
        if (terms.kind === 'consent') consents.push(ofLine(terms.consent, steps.length));
      }
    }
    return { steps, faults, consent: allConsents(consents) };
  }
}

/** What cannot be run; or, where nobody has named it and they may not run it, what is only told. */
const leftOut = (line: ReadLine, fault: Fault): PlanStep | LineFault =>
  fault.code === 'denied' && line.mayStay ? notTheirs(line, fault) : { ...numbered(line), fault };

const numbered = ({ number, text, found: { command } }: ReadLine) => ({
  ...{ number, text, canEnd: command.undo !== undefined },
});

const notTheirs = ({ number, text, found, about }: ReadLine, fault: Fault): PlanStep => ({
  ...{ number, line: text, phrase: found.command.phrase, kind: 'idle', details: [], targets: [], about },
  ...{ says: withoutPromise(explain(fault).headline), isUndoable: false, stays: true },
});

/** A line of a plan that was kept, to be looked at once more. Undefined where this version does not know it. */
export function lineAgain(
  { match }: Pick<Parts, 'match'>,
  step: PlanStep,
  isLent = false,
): PlanLine | undefined {
  if (isStaying(step)) return step;
  const { line: text, number, takesBack, expects, about, ticket } = step;
  const found = match(text);
  if (found.kind !== 'command' || found.command.kind !== 'change') return undefined;
  return {
    ...{ number, text, found: { ...found, command: found.command } },
    ...(takesBack !== undefined && { takesBack, isExact: true }),
    ...(expects !== undefined && { expects }),
    ...(about !== undefined && { about }),
    ...(ticket !== undefined && { ticket }),
    ...(isLent && { isLent }),
  };
}

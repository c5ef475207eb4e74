import type { AnyChange } from '../../../handlers/command.ts';
import { areaOf } from '../../../handlers/command-name.ts';
import type { Match } from '../../../handlers/language/match.ts';
import { say, type Text } from '../../../handlers/reply.ts';
import type { Fingerprint } from '../../../handlers/results.ts';
import type { Action } from '../../../journal/journal.ts';
import type { Asker } from '../../authority/terms.ts';
import { isKeptOn, type PlanStep, type Shown, type Target } from '../../base/stored.ts';
import { withEnd } from '../../change/temporary.ts';
import type { Parts } from '../../ground/ground.ts';
import { showLooks } from '../../showing/previews.ts';
import { identityIn, otherAmong } from '../../target/identity.ts';
import {
  faultIn,
  isNothing,
  isSame,
  previewOn,
  type ResolvedTarget,
  resolvedFrom,
  type TargetPreview,
} from '../../target/target.ts';
import { type Fault, reasonFor } from '../../wording/faults.ts';
import type { LineEnd } from '../words.ts';
import type { LookAtLine } from './look.ts';
import { lineOnAlready } from './look.ts';

/** What a step is to be run with; or why it is not. */
type StepReady = { readonly shown: Shown } | { readonly end: LineEnd };

/** Where the lines before have changed something, and of which kind: what later ones hit may be another one because of that. */
export type TouchedThings = Set<string>;
export const touch = ({ phrase }: PlanStep, appliance: string): string =>
  `${areaOf({ phrase })} ${appliance}`;

/** Looks at a step right before it is run: what it hits now, and whether that is what was agreed to. */
export type LookAtStep = (
  action: Action,
  step: PlanStep,
  command: AnyChange,
  touched: TouchedThings,
  /** Who asks, of this line: where they may not run it, others have lent them their role. */
  asker: Asker,
) => Promise<StepReady>;

export function createLookAtStep(parts: Parts & { readonly lookAtLine: LookAtLine }): LookAtStep {
  const { appliances, contexts, match } = parts;

  return async (action, step, command, touched, asker) => {
    if (step.kind === 'inTurn') return lookInTurn(action, step, command, asker);
    const looks = await Promise.all(step.targets.map((target) => lookAt(action, command, target)));
    const shown = showLooks(command, looks, step.left);
    const isOwn = step.targets.every(({ appliance }) => touched.has(touch(step, appliance)));
    if (shown === undefined) {
      const isThere = looks.every(isNothing);
      const kept = isThere && step.takesBack === undefined ? await keep(action, step, command) : undefined;
      if (kept !== undefined) return kept;
      const why = reasonFor(faultIn(looks));
      return { end: isThere ? { kind: 'idle', why: thereAlready(step, why) } : { kind: 'stopped', why } };
    }
    const { expects } = step;
    const then = expects === undefined ? step.targets : step.targets.map((one) => withExpected(one, expects));
    const other = otherAmong(step.targets, shown.targets);
    if (other !== undefined) return { end: { kind: 'stopped', why: other } };
    // What lines before it have changed may be counted in what it shows; what can be put back runs then, as if it was typed now.
    const mayDiffer = expects === undefined && command.effect === 'write' && isOwn;
    if (!mayDiffer && !isSame(then, shown.targets)) {
      return {
        end: {
          kind: 'stopped',
          why:
            expects === undefined
              ? say`Something was changed since the preview. This line would now do something else: ${shown.question}`
              : notAsLeft,
        },
      };
    }
    return { shown: lasting(step, shown) };
  };

  /** It is on by now, but for a time that is over too early: then that is what ends later, or never. */
  async function keep(action: Action, step: PlanStep, command: AnyChange): Promise<StepReady | undefined> {
    const begins = parts.now();
    const asked = { temporary: step.temporary, begins, person: action.person };
    const on = await lineOnAlready(parts, command, asked, step.targets);
    if (on === undefined) return undefined;
    const idle = (fault: Fault): StepReady => {
      const why = reasonFor(fault);
      return { end: { kind: 'idle', why: thereAlready(step, why) } };
    };
    if ('fault' in on) return idle(on.fault);
    const looks = await Promise.all(step.targets.map((target) => lookAt(action, on.command, target)));
    const shown = showLooks(on.command, looks, step.left);
    return shown === undefined
      ? idle(faultIn(looks))
      : { shown: withEnd(shown, on.temporary, begins, () => on.lasts) };
  }

  async function lookInTurn(
    action: Action,
    step: PlanStep,
    command: AnyChange,
    asker: Asker,
  ): Promise<StepReady> {
    const found: Match = match(step.line);
    if (found.kind !== 'command' || found.command.kind !== 'change') {
      return { end: { kind: 'stopped', why: say`This version of the bot doesn’t know this line any more.` } };
    }
    const line = {
      number: step.number,
      text: step.line,
      found: { ...found, command: found.command },
      isExact: step.takesBack !== undefined,
      ...(asker.accessRequest && { isLent: true as const }),
      ...(step.ticket !== undefined && { ticket: step.ticket }),
    };
    const looked = await parts.lookAtLine(action, asker, line, [], undefined);
    if ('fault' in looked) return { end: { kind: 'stopped', why: reasonFor(looked.fault) } };
    const { kind, says, targets, left } = looked.step;
    if (kind !== 'ready') return { end: { kind: 'idle', why: says } };
    const { expects } = step;
    if (
      expects !== undefined &&
      !isSame(
        targets.map((one) => withExpected(one, expects)),
        targets,
      )
    ) {
      return { end: { kind: 'stopped', why: notAsLeft } };
    }
    // What was never seen is run only where it can be put back, or is what this plan itself has left.
    if (command.effect !== 'write' && expects === undefined) {
      return {
        end: {
          kind: 'stopped',
          why: say`Its effect could not be shown before, so the plan stops to show it: ${says}.`,
        },
      };
    }
    const seen = { question: says, fields: [], targets, ...(left && { left }) };
    return {
      shown: isKeptOn(looked.step) ? { ...seen, temporary: looked.step.temporary } : lasting(step, seen),
    };
  }

  /** With its end, where it is only for a time. */
  function lasting({ temporary, targets }: PlanStep, shown: Shown): Shown {
    const lastsThen = ({ appliance }: Target) =>
      targets.find((one) => one.appliance === appliance)?.lasts ?? 'forGood';
    return withEnd(shown, temporary, parts.now(), lastsThen);
  }

  function lookAt(action: Action, command: AnyChange, target: Target): Promise<TargetPreview> {
    const appliance = appliances.get(target.appliance);
    if (appliance === undefined) {
      const why = say`${target.appliance} is no longer configured.`;
      return Promise.resolve({
        kind: 'fault',
        appliance: target.appliance,
        fault: { code: 'nothing_to_act_on', why },
      });
    }
    const resolved: ResolvedTarget = resolvedFrom(target, appliance);
    const context = contexts.asking(action, resolved);
    return previewOn(command, resolved, context, identityIn(target.fingerprint));
  }
}

/** Who wanted it for a time must not think that it ends with the others. */
const thereAlready = ({ temporary }: PlanStep, why: Text): Text =>
  temporary === undefined
    ? why
    : say`${why} It is not undone with the others, because this plan has not made it.`;

const notAsLeft = say`Somebody has changed it since this plan did, so it is left as it is.`;

const withExpected = (target: Target, expects: Readonly<Record<string, Fingerprint>>): Target => ({
  ...target,
  fingerprint: expects[target.appliance] ?? target.fingerprint,
});

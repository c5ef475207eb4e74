import { z } from 'zod';
import { anyObject, codec, formerly, optional, type Stored } from '../../codec.ts';
import type { AnyChange, AnyCommand } from '../../handlers/command.ts';
import { startShape } from '../../handlers/planned/words.ts';
import { fieldShape, textShape } from '../../handlers/reply.ts';
import { extending } from '../../handlers/temporary/extending.ts';
import type { Action, Json, JsonObject } from '../../journal/journal.ts';
import { isConsentReadable } from './consent.ts';

/**
 * The journal keeps arguments and previews as plain JSON; here they get their types back. Arguments are those of a command,
 * which alone knows them: they went into the journal through the function beside it, and are JSON by construction.
 */

/** What was done before is to stay on, or to end later, and nothing is sent for that. */
export const isKeptOn = ({ temporary }: Pick<Shown, 'temporary'>): boolean =>
  temporary?.extends !== undefined;

/** The line as it counts now: what was planned may have got another time than was typed. */
export const lineNow = (action: Pick<Action, 'line' | 'preview'>): string =>
  shownOf(action)?.start?.line ?? action.line;

/** With the files that it was read from, in all that is shown of it. */
export const withSources = (shown: Shown, sources: Shown['sources'] = []): Shown =>
  sources.length === 0 ? shown : { ...shown, fields: [...shown.fields, ...sources], sources };

const fingerprintShape = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** What a change hits on one appliance. */
export type Target = Stored<typeof targetShape>;
export const targetShape = z.object({
  appliance: z.string(),
  /** With what the appliance lists looked up in it, so that 12 stays 12 when it has another name tomorrow. */
  args: anyObject,
  fingerprint: fingerprintShape,
  /** How long it was asked for, in milliseconds, where it is not for good: all of it, where an end is put off. */
  lasts: z.number().optional(),
});

/** Until when a change is to last that can be undone. Moments and spans in milliseconds. */
export type Temporary = Stored<typeof temporaryShape>;
const temporaryShape = z.object({
  /** So long from when it is made, or until that moment; neither: what is on is to stay. */
  lasts: optional(z.number()),
  until: optional(z.number()),
  /** What that moment is called by the clock of the policy: "end of Friday". */
  called: optional(z.string()),
  /** The action whose change is on already: only its end moves. */
  extends: optional(z.string()),
  /** It ends before its time, as somebody wants: now, or at that moment. */
  early: optional(z.boolean()),
  shortens: optional(z.boolean()),
});

/** A line of a plan, as it was looked at before anybody agreed to it. */
export type PlanStep = Stored<typeof stepShape>;
const stepShape = z.object({
  /** As it can be typed. */
  line: z.string(),
  /** What people call it, where that is not its place in the plan: the number of the line that it takes back. */
  number: z.number(),
  phrase: z.string(),
  /**
   * `inTurn`: what it hits is known only when it is its turn, because lines before it change that. `idle`: there is nothing
   * to do, and nothing before it changes that.
   */
  kind: z.enum(['ready', 'inTurn', 'idle']),
  /** What it does, or why it does nothing now. */
  says: textShape,
  details: textShape,
  targets: z.array(targetShape),
  /** On which of its appliances nothing is done, and why. */
  left: z.array(fieldShape).optional(),
  temporary: temporaryShape.optional(),
  isUndoable: z.boolean(),
  /** The ticket of this line, where that is not the one of the plan. */
  ticket: z.string().optional(),
  /** The step that it takes back; what is there now must be what that has left, by appliance, where that was seen. */
  takesBack: z.string().optional(),
  expects: z.record(z.string(), fingerprintShape).optional(),
  /** It is no line that could be run, and is only told. */
  stays: z.literal(true).optional(),
});

/** What was shown to the person: enough to draw the card again after a restart, and to compare at the click. */
export type Shown = Stored<typeof shownShape>;
const shownShape = z.object({
  question: textShape,
  fields: z.array(fieldShape),
  /** What a click agrees to, by appliance. The first version knew one appliance, and no targets. */
  targets: z.array(formerly({ subject: 'fingerprint' }, targetShape)).default([]),
  /** Under the name of each appliance that was asked for and is left alone, why. */
  left: z.array(fieldShape).optional(),
  /** The files that some of it was read from. */
  sources: z.array(fieldShape).optional(),
  temporary: temporaryShape.optional(),
  /** Of a plan its lines; `targets` are then those of all of them. */
  steps: z.array(stepShape).optional(),
  start: startShape.optional(),
});

const previews = codec(shownShape);

export const shownToStore = previews.store;
export const shownIn = previews.read;

/** Undefined where nothing was shown, and where what was shown can no longer be read (`isReadable`). */
export const shownOf = ({ preview }: Pick<Action, 'preview'>): Shown | undefined =>
  preview === undefined ? undefined : previews.read(preview);

/** Whether all is understood of what was shown, and of whose yes it waits for: nothing else may be agreed to or run. */
export const isReadable = (action: Pick<Action, 'preview' | 'consent'>): boolean =>
  (action.preview === undefined || shownOf(action) !== undefined) && isConsentReadable(action);

/** What was confirmed; a change that runs was looked at first. */
export const targetsIn = (action: Action): readonly Target[] => shownOf(action)?.targets ?? [];

/** The lines of a plan. */
export const stepsIn = (action: Pick<Action, 'preview'>): readonly PlanStep[] => shownOf(action)?.steps ?? [];

/** With what it was confirmed on one of its appliances. */
export const argsOn = (action: Action | undefined, appliance: string): JsonObject =>
  (action && targetsIn(action).find((target) => target.appliance === appliance)?.args) ?? {};

/** Whether it changes something: the journal has a dry run as something that reads. */
export const isOrder = (command: AnyCommand, { effect }: Pick<Action, 'effect'>): command is AnyChange =>
  command.kind === 'change' && effect !== 'read';

/** For the command of `action.phrase` and no other, which is why they are `never` (see `AnyCommand`). */
export const argsOf = (target: Pick<Target, 'args'>): never => target.args as never;

/** What stands in the journal for a password: no text, so that nothing can send it as one. */
const hidden: Json = { secret: true };

/** Argument readers give JSON, and secrets do not go into the journal. */
export function argsToStore(command: AnyCommand, args: never): JsonObject {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]): [string, Json] => [
      name,
      command.args[name]?.input === 'secret' ? hidden : (value as Json),
    ]),
  );
}

/** Whether a password was given that only the secret store has. */
export const holdsSecret = (command: AnyCommand, args: Json): boolean =>
  Object.keys(args ?? {}).some((name) => command.args[name]?.input === 'secret');

/** An action's appliances stand in one column, in the order in which they are shown. */
export const appliancesToStore = (names: readonly string[]): string => names.join(',');
export const appliancesOf = ({ appliance }: Pick<Action, 'appliance'>): readonly string[] =>
  appliance === undefined || appliance === '' ? [] : appliance.split(',');

/** Those that it acts on, which of a plan stand in its lines. */
export const appliancesActedOn = (action: Pick<Action, 'appliance' | 'preview'>): readonly string[] => {
  const { targets = [], steps = [] } = shownOf(action) ?? {};
  const inSteps = steps.flatMap((step) => step.targets);
  return [
    ...new Set([...appliancesOf(action), ...[...targets, ...inSteps].map(({ appliance }) => appliance)]),
  ];
};

/** The command of an action, if it still exists: as it was declared, or moving the end of what it has made temporary before. */
export function commandOf(
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
  action: Pick<Action, 'phrase' | 'preview'> | undefined,
): AnyCommand | undefined {
  const command = commandByPhrase.get(action?.phrase ?? '');
  const shown = action && shownOf(action);
  if (command?.kind !== 'change' || shown?.temporary?.extends === undefined) return command;
  const { extends: of, until, early, shortens } = shown.temporary;
  return extending(command, { of, until, early, shortens, shown: shown.targets[0]?.fingerprint ?? {} });
}

/** The same, if it is one that changes something. */
export function changeOf(
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
  action: Action | undefined,
): AnyChange | undefined {
  const command = commandOf(commandByPhrase, action);
  return command?.kind === 'change' ? command : undefined;
}

/** Whether it has failed, and something of it happened. */
export const failedInPart = ({ state, outcome }: Pick<Action, 'state' | 'outcome'>): boolean =>
  state === 'failed' && (outcome?.code === 'in_part' || outcome?.code === 'partly_failed');

import { z } from 'zod';
import type { AnyChange, AnyCommand } from '../../handlers/command.ts';
import type { PlannedStart } from '../../handlers/planned/words.ts';
import { type Field, fieldShape, type Text, textShape } from '../../handlers/reply.ts';
import type { Fingerprint } from '../../handlers/results.ts';
import { extending } from '../../handlers/temporary/extending.ts';
import { joining, type OnForOthers } from '../../handlers/temporary/joining.ts';
import { anyObject, codec, formerly, optional } from '../../journal/codec.ts';
import type { Action, Json, JsonObject } from '../../journal/journal.ts';
import { isConsentReadable } from './consent.ts';

/**
 * The journal keeps arguments and previews as plain JSON; here they get their types back. Arguments are those of a command,
 * which alone knows them: they went into the journal through the function beside it, and are JSON by construction.
 */

/** What was shown to the person: enough to draw the card again after a restart, and to compare at the click. */
export interface Shown {
  readonly question: Text;
  readonly fields: readonly Field[];
  /** What a click agrees to, by appliance. */
  readonly targets: readonly Target[];
  /** Under the name of each appliance that was asked for and is left alone, why. */
  readonly left?: readonly Field[] | undefined;
  /** The files that some of it was read from. */
  readonly sources?: readonly Field[] | undefined;
  readonly temporary?: Temporary | undefined;
  readonly start?: PlannedStart | undefined;
  /** Of a plan its lines; `targets` are then those of all of them. */
  readonly steps?: readonly PlanStep[] | undefined;
}

/** A line of a plan, as it was looked at before anybody agreed to it. */
export interface PlanStep {
  /** As it can be typed. */
  readonly line: string;
  /** What people call it, where that is not its place in the plan: the number of the line that it takes back. */
  readonly number: number;
  readonly phrase: string;
  /**
   * `inTurn`: what it hits is known only when it is its turn, because lines before it change that. `idle`: there is nothing
   * to do, and nothing before it changes that.
   */
  readonly kind: 'ready' | 'inTurn' | 'idle';
  /** What it does, or why it does nothing now. */
  readonly says: Text;
  readonly details: Text;
  readonly targets: readonly Target[];
  /** On which of its appliances nothing is done, and why. */
  readonly left?: readonly Field[] | undefined;
  readonly temporary?: Temporary | undefined;
  readonly isUndoable: boolean;
  /** The ticket of this line, where that is not the one of the plan. */
  readonly ticket?: string | undefined;
  /** The step that it takes back; what is there now must be what that has left, by appliance, where that was seen. */
  readonly takesBack?: string | undefined;
  readonly expects?: Readonly<Record<string, Fingerprint>> | undefined;
  /** What that was, by whom and when, where it is not a line that people know by its number. */
  readonly about?: Text | undefined;
  /** It is no line that could be run, and is only told. */
  readonly stays?: true | undefined;
}

/** Until when a change is to last that can be undone. Moments and spans in milliseconds. */
export interface Temporary {
  /** So long from when it is made, or until that moment; neither: what is on is to stay. */
  readonly lasts?: number;
  readonly until?: number;
  /** What that moment is called by the clock of the policy: "end of Friday". */
  readonly called?: string;
  /** The action whose change is on already: only its end moves. */
  readonly extends?: string;
  /** It ends before its time, as somebody wants: now, or at that moment. */
  readonly early?: boolean;
  readonly shortens?: boolean;
  /** All of it is on already, for somebody else: nothing is sent. */
  readonly joins?: OnForOthers;
}

/** What was done before is to stay on, or to end later, and nothing is sent for that. */
export const isKeptOn = ({ temporary }: Pick<Shown, 'temporary'>): boolean =>
  (temporary?.extends ?? temporary?.joins) !== undefined;

/** The line as it counts now: what was planned may have got another time than was typed. */
export const lineNow = (action: Pick<Action, 'line' | 'preview'>): string =>
  shownOf(action)?.start?.line ?? action.line;

/** With the files that it was read from, in all that is shown of it. */
export const withSources = (shown: Shown, sources: Shown['sources'] = []): Shown =>
  sources.length === 0 ? shown : { ...shown, fields: [...shown.fields, ...sources], sources };

/** What a change hits on one appliance. */
export interface Target {
  readonly appliance: string;
  /** With what the appliance lists looked up in it, so that 12 stays 12 when it has another name tomorrow. */
  readonly args: JsonObject;
  readonly fingerprint: Fingerprint;
  /** How long it was asked for, in milliseconds, where it is not for good: all of it, where an end is put off. */
  readonly lasts?: number | undefined;
}

const fingerprintShape = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

export const targetShape = z.object({
  appliance: z.string(),
  args: anyObject,
  fingerprint: fingerprintShape,
  lasts: optional(z.number()),
}) satisfies z.ZodType<Target>;

const temporaryShape = z.object({
  lasts: optional(z.number()),
  until: optional(z.number()),
  called: optional(z.string()),
  extends: optional(z.string()),
  early: optional(z.boolean()),
  shortens: optional(z.boolean()),
  joins: optional(z.object({ ends: z.number(), by: z.string(), line: z.string() })),
});

const stepShape = z.object({
  line: z.string(),
  number: z.number(),
  phrase: z.string(),
  kind: z.enum(['ready', 'inTurn', 'idle']),
  says: textShape,
  details: textShape,
  targets: z.array(targetShape),
  left: z.array(fieldShape).optional(),
  temporary: temporaryShape.optional(),
  isUndoable: z.boolean(),
  ticket: z.string().optional(),
  takesBack: z.string().optional(),
  expects: z.record(z.string(), fingerprintShape).optional(),
  about: textShape.optional(),
  stays: z.literal(true).optional(),
}) satisfies z.ZodType<PlanStep>;

const previews = codec<Shown>(
  z.object({
    question: textShape,
    fields: z.array(fieldShape),
    // The first version knew one appliance, and no targets.
    targets: z.array(formerly({ subject: 'fingerprint' }, targetShape)).default([]),
    left: z.array(fieldShape).optional(),
    sources: z.array(fieldShape).optional(),
    temporary: temporaryShape.optional(),
    steps: z.array(stepShape).optional(),
    start: z
      .object({
        ...{ at: z.number(), latest: z.number() },
        ...{ window: optional(z.string()), zone: optional(z.string()) },
        ...{ line: optional(z.string()), held: optional(z.string()) },
      })
      .optional(),
  }),
);

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
  if (command?.kind === 'change' && shown?.temporary?.joins !== undefined)
    return joining(command, shown.temporary.joins);
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

import type { PlannedFor } from '../../auth/approval.ts';
import { type Arguments, anyValue, type Lasts } from '../../auth/request.ts';
import { everyAppliance, type Fleet, type Targets, targetsOf } from '../../auth/targets.ts';
import { isCalled } from '../../handlers/argument.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import type { Asked } from '../../handlers/language/asked.ts';
import { endOf, readTerm, type TypedTerm, termMeant } from '../../handlers/language/term.ts';
import type { PlannedStart } from '../../handlers/planned/words.ts';
import type { Action } from '../../journal/journal.ts';
import { argsOf, targetsIn as madeOn, type PlanStep, stepsIn, type Target } from '../base/stored.ts';
import type { Appliances, AskedFor, Authority } from './authority.ts';
import { startIn } from './starts.ts';

interface Here {
  readonly authority: Pick<Authority, 'channel'>;
  readonly fleet: Fleet;
}

/**
 * On which appliances something runs that was typed in a channel, or why on none. Undefined where nothing runs on any: it
 * only tells of them, or the channel is not served.
 */
export function targetsIn(
  { command, on }: Pick<Asked, 'command' | 'on'>,
  channel: string,
  { authority, fleet }: Here,
): Targets | undefined {
  const policy = authority.channel(channel);
  return policy === undefined || command.kind === 'info' ? undefined : targetsOf(on, policy, fleet, channel);
}

/** The same for who is to decide: `any` where it cannot be told. */
export function askedOf(asked: Pick<Asked, 'command' | 'on'>, channel: string, here: Here): Appliances {
  const { command, on } = asked;
  if (command.kind === 'info')
    return command.tellsOfAppliances ? (namedIn(on, here.fleet) ?? 'every') : 'none';
  const targets = targetsIn(asked, channel, here);
  return targets?.ok ? targets.names : 'any';
}

/** By which clock and in which time zone an end is meant. */
interface Clock {
  readonly authority: Pick<Authority, 'policy'>;
  readonly now: () => number;
}

/** The same as it is wanted before its arguments are known. */
export const wantedWith = (
  asked: Pick<Asked, 'command' | 'on' | 'term' | 'start'>,
  channel: string,
  here: Here & Clock,
): AskedFor => ({
  command: asked.command,
  args: 'any',
  appliances: askedOf(asked, channel, here),
  ...timesOf(asked, 'any', here),
});

/** When it is to run and how long it is to last, as it was typed. What is wrong with that is told where it is refused. */
export function timesOf(
  { command, term, start }: Pick<Asked, 'command' | 'term' | 'start'>,
  args: AskedFor['args'],
  clock: Clock,
): Pick<AskedFor, 'lasts' | 'planned'> {
  const read = startIn(start, clock);
  const planned = read === undefined || 'code' in read ? undefined : read;
  const { timeZone } = clock.authority.policy();
  const meant = termMeant({ term, start }, clock.now(), timeZone);
  return { lasts: lastsWith(command, args, meant, clock, planned?.at), planned: plannedFor(planned) };
}

/** `isAgreed`: its time has come, and all who must have agreed before. */
export const plannedFor = (
  start: PlannedStart | undefined,
  isAgreed: boolean = false,
): PlannedFor | undefined => start && { runsAt: start.at, isAgreed };

/** How long it is to last: what the command itself says, or what was typed with it. */
export function lastsWith(
  command: AnyCommand,
  args: AskedFor['args'],
  term: TypedTerm | undefined,
  { authority, now }: Clock,
  begins: number = now(),
): Lasts {
  if (command.kind === 'change' && command.timed !== undefined)
    return args === 'any' ? 'any' : command.timed.lasts(args as never);
  const read = term && readTerm(term);
  return read === undefined ? 'forGood' : endOf(read, begins, authority.policy().timeZone) - begins;
}

/** Whether only the appliance, or the chat, knows what a word means: a number is what it says, a name may be that of anything. */
function isName({ args }: AnyCommand, name: string, word: unknown): boolean {
  const argument = args[name];
  if (argument === undefined) return false;
  if (argument.list === undefined) return isCalled(argument, word);
  return !(argument.numbered && /^[0-9]+$/.test(String(word)));
}

/** What is known of arguments before the appliance was asked what their names mean. */
export const unresolved = (command: AnyCommand, args: Arguments): Arguments =>
  Object.fromEntries(
    given(args).map(([argument, value]) => {
      const known = (word: unknown) => (isName(command, argument, word) ? anyValue : word);
      return [argument, Array.isArray(value) ? value.map(known) : known(value)];
    }),
  );

/** The names among them. */
export const namesIn = (command: AnyCommand, args: Arguments): readonly string[] =>
  given(args).flatMap(([argument, value]) =>
    [value]
      .flat()
      .filter((word) => isName(command, argument, word))
      .map(String),
  );

const given = (args: Arguments): readonly [string, unknown][] =>
  Object.entries(args).filter(([, value]) => value !== undefined && value !== null);

/**
 * Those that `--on` names for what only tells of them, also where the channel may not name them or they are gone by now:
 * nothing is done to them. Undefined where all are meant.
 */
export function namedIn(on: string | undefined, fleet: Fleet): readonly string[] | undefined {
  const parts =
    on
      ?.toLowerCase()
      .split(/[\s,]+/)
      .filter((part) => part !== '') ?? [];
  if (parts.length === 0 || parts.includes(everyAppliance)) return undefined;
  return parts.flatMap((part) => {
    const tagged = [...fleet].filter(([, { tags }]) => tags.some((tag) => part === `tag:${tag}`));
    return tagged.length === 0 ? [part] : tagged.map(([name]) => name);
  });
}

/** No appliance can have such a name. */
const every = '*';
const none = '';

/** How it is kept, for each, of what something is asked that is about no single appliance. */
export function targetsOfInfo(appliances: Appliances): readonly string[] {
  if (typeof appliances !== 'string') return appliances;
  return [appliances === 'every' ? every : none];
}

/** The same where the answer tells of others, too: whoever takes it away may be told of all of them. */
export function tellingOf(targets: readonly Target[], told: readonly string[]): readonly Target[] {
  const [first] = targets;
  if (first === undefined) return targets;
  const others = told.filter((name) => targets.every(({ appliance }) => appliance !== name));
  return [...targets, ...others.map((appliance) => ({ ...first, appliance }))];
}

/**
 * All that is asked for with an action: of a plan with each of its lines, and with the plan itself. `beside`: of what is a line itself,
 * the other ones.
 */
export const allAskedWith = (...asked: Parameters<typeof askedByLine>): readonly AskedFor[] =>
  askedByLine(...asked).flat();

/** The same by its place in the plan, where the plan itself has the first one; what is no plan has no other. */
export function askedByLine(
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
  action: Action,
  command: AnyCommand,
  beside: readonly PlanStep[] = [],
): readonly (readonly AskedFor[])[] {
  const own = madeOn(action).map((target) => askedOn(command, target));
  const steps = stepsIn(action);
  const others = beside.flatMap((step) => askedWithLine(commandByPhrase, step));
  if (steps.length === 0) return [own.map((one) => ({ ...one, beside: others }))];
  const names = new Set(madeOn(action).map(({ appliance }) => appliance));
  const lines = steps.map((step) => askedWithLine(commandByPhrase, step));
  const lasts = longestOf(lines.flat());
  const plan = [...names].map((appliance) => ({ ...askedOn(command, { appliance, args: {} }), lasts }));
  return [plan, ...together(lines)];
}

/** A plan lasts as long as what lasts longest of it. */
function longestOf(lines: readonly AskedFor[]): Lasts {
  const each = lines.map(({ lasts }) => lasts);
  const spans = each.filter((one) => typeof one === 'number');
  return spans.length === each.length && spans.length > 0 ? Math.max(...spans) : 'forGood';
}

/** What is asked for with a line of a plan. */
function askedWithLine(
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
  { kind, phrase, targets }: PlanStep,
): readonly AskedFor[] {
  const line = commandByPhrase.get(phrase);
  // What this version does not know is not run, whoever may.
  return line === undefined || kind === 'idle' ? [] : targets.map((target) => askedOn(line, target));
}

/** What is asked for with each line of a plan, and each beside all the others. */
export const together = <Wanted extends AskedFor>(
  lines: readonly (readonly Wanted[])[],
): readonly (readonly Wanted[])[] =>
  lines.map((line, index) => {
    const beside = lines.toSpliced(index, 1).flat();
    return line.map((one) => ({ ...one, beside }));
  });

/** What is asked for with a target that was kept. */
export const askedOn = (
  command: AskedFor['command'],
  { appliance, args, lasts }: Pick<Target, 'appliance' | 'args' | 'lasts'>,
): AskedFor => ({
  command,
  args,
  appliances: appliance === every ? 'every' : appliance === none ? 'none' : [appliance],
  lasts:
    command.kind === 'change' && command.timed !== undefined
      ? command.timed.lasts(argsOf({ args }))
      : (lasts ?? 'forGood'),
});

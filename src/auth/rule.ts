import {
  type Arguments,
  anyValue,
  type Lasts,
  type NamedAppliance,
  type RequestedCommand,
} from './request.ts';

export interface Vocabulary {
  readonly areas: readonly string[];
  /** The names of arguments, by phrase. */
  readonly phrases: ReadonlyMap<string, readonly string[]>;
  readonly subjects: readonly RequestedCommand[];
  /** The form in which a written value is compared. Undefined for a value that the argument can never have. */
  readonly compared: (phrase: string, argument: string, value: string) => string | undefined;
}

/** Whether all, some or none of the values or appliances of a request meet a condition. */
type Met = 'yes' | 'partly' | 'no';

/** The subject of a condition. Everything but the command may still be unknown at a decision. */
interface Condition<Wanted> {
  readonly about: 'command' | 'args' | 'appliance' | 'lasts';
  readonly met: (wanted: Wanted, asked: RequestedCommand, rule: Rule) => Met;
  /** Whether the result depends on something that is not known yet. */
  readonly isOpen: (wanted: Wanted, asked: AskedWith) => boolean;
}

interface AskedWith {
  readonly args: RequestedCommand['args'];
  readonly appliance: unknown;
  readonly lasts: Lasts;
  readonly beside?: RequestedCommand['beside'];
}

/**
 * Every condition that a rule can state. `rule-shape.ts` says how the policy file writes them, and `rules.ts`
 * how people read them.
 */
const conditions = {
  /** The first word of its phrase: `rdp`. */
  area: ofCommand(({ area }) => area),
  effect: ofCommand(({ effect }) => effect),
  phrase: ofCommand(({ name }) => name),
  /**
   * The only values that each argument may have: `{ category: [252] }`. Things that an appliance lists are
   * compared by ID. An omitted argument matches nothing.
   */
  where: ofArguments(),
  /**
   * Matches when an argument has more values than this, such as a list of sites. Other lines of the plan that
   * the rule covers count too.
   */
  above: ofCount((count, wanted) => count > wanted),
  /** Matches at most this many values, counted the same way. */
  most: ofCount((count, wanted) => count <= wanted),
  appliance: ofAppliance(({ name }, wanted) => name === wanted),
  tag: ofAppliance(({ tags }, wanted) => tags.includes(wanted)),
  /** Only if the change ends by itself within this many milliseconds. */
  temporary: ofTerm(),
};

export type Conditions = {
  readonly [Name in keyof typeof conditions]: (typeof conditions)[Name] extends Condition<infer Wanted>
    ? Wanted
    : never;
};

/** A set of commands: those that meet every stated condition. A rule without conditions covers nothing. */
export type Rule = { readonly [Name in keyof Conditions]?: Conditions[Name] | undefined };

function ofCommand<Value>(read: (asked: RequestedCommand) => Value): Condition<Value> {
  return {
    about: 'command',
    met: (wanted, asked) => (wanted === read(asked) ? 'yes' : 'no'),
    isOpen: () => false,
  };
}

function ofArguments(): Condition<Readonly<Record<string, readonly (string | number)[]>>> {
  return {
    about: 'args',
    met: (where, { args }) =>
      args === 'any'
        ? 'yes'
        : least(
            Object.entries(where).map(([name, listed]) => among(listed.map(String), givenIn(args, name))),
          ),
    isOpen: (where, { args }) =>
      args === 'any' || Object.keys(where).some((name) => givenIn(args, name).isOpen),
  };
}

function ofCount(isMeant: (count: number, wanted: number) => boolean): Condition<number> {
  return {
    about: 'args',
    met: (wanted, asked, rule) =>
      asked.args === 'any' || isMeant(countUnder(rule, asked.args, asked.beside), wanted) ? 'yes' : 'no',
    isOpen: (_, { args, beside = [] }) => args === 'any' || beside.some((other) => other.args === 'any'),
  };
}

/** Counts over the whole plan, so that nobody gets below a limit by splitting a change into lines. */
function countUnder(rule: Rule, args: Arguments, beside: RequestedCommand['beside'] = []): number {
  const uncounted: Rule = { ...rule, above: undefined, most: undefined };
  const along = beside.filter((other) => touches(uncounted, other));
  return along.reduce((sum, other) => sum + (other.args === 'any' ? 1 : countIn(other.args)), countIn(args));
}

/** The count of values of the longest argument. */
export const countIn = (args: Arguments): number =>
  Math.max(1, ...Object.values(args).map((value) => (Array.isArray(value) ? value.length : 1)));

function ofAppliance(isMeant: (appliance: NamedAppliance, wanted: string) => boolean): Condition<string> {
  return {
    about: 'appliance',
    met: (wanted, { appliance }) => {
      if (appliance === 'any') return 'yes';
      if (appliance === 'every') return 'partly';
      // A command that uses no appliance does not match a condition about one.
      return appliance !== 'none' && isMeant(appliance, wanted) ? 'yes' : 'no';
    },
    isOpen: (_, { appliance }) => appliance === 'any',
  };
}

const byName = Object.entries(conditions) as readonly [keyof Rule, Condition<unknown>][];
const namesAbout = (isMeant: (about: Condition<unknown>['about']) => boolean): readonly (keyof Rule)[] =>
  byName.flatMap(([name, { about }]) => (isMeant(about) ? [name] : []));

/** Conditions about the command. A rule states at least one of them. */
export const naming = namesAbout((about) => about === 'command');
/** Conditions about arguments, appliance and duration, in the order in which people read them. */
export const limiting = namesAbout((about) => about !== 'command');

/** Whether some arguments or appliances keep the rule from covering a command that it covers otherwise. */
export const isLimited = (rule: Rule): boolean => limiting.some((name) => rule[name] !== undefined);

/** Whether the result depends on nothing that is not known yet. */
export const isCertain = (rule: Rule, asked: AskedWith): boolean =>
  byName.every(([name, { isOpen }]) => rule[name] === undefined || !isOpen(rule[name], asked));

/** Whether a rule that gives permission covers the command with all its arguments. */
export const covers = (rule: Rule, asked: RequestedCommand): boolean =>
  !(asked.named && rule.area === undefined && rule.phrase === undefined) &&
  meets(rule, asked, (met) => met === 'yes');

/**
 * Whether a rule that requires care covers the command or a part of it. One of several values is enough,
 * ignoring case, and a value that cannot be compared counts as covered.
 */
export const touches = (rule: Rule, asked: RequestedCommand): boolean =>
  meets(rule, asked, (met) => met !== 'no');

function meets(rule: Rule, asked: RequestedCommand, isEnough: (met: Met) => boolean): boolean {
  let names = false;
  for (const [name, { about, met }] of byName) {
    const wanted = rule[name];
    if (wanted === undefined) continue;
    if (!isEnough(met(wanted, asked, rule))) return false;
    names ||= about === 'command';
  }
  return names;
}

function ofTerm(): Condition<{ readonly longest?: number | undefined }> {
  return {
    about: 'lasts',
    met: ({ longest = Number.POSITIVE_INFINITY }, { lasts }) =>
      lasts === 'any' || (lasts !== 'forGood' && lasts <= longest) ? 'yes' : 'no',
    isOpen: (_, { lasts }) => lasts === 'any',
  };
}

const least = (all: readonly Met[]): Met =>
  all.includes('no') ? 'no' : all.includes('partly') ? 'partly' : 'yes';

/** How many of the given values are in the list. */
function among(listed: readonly string[], { known, isOpen }: Given): Met {
  const given = valuesOf(known);
  if (given === undefined) return 'partly';
  if (given.length === 0) return isOpen ? 'yes' : 'no';
  if (given.every((one) => listed.includes(one))) return 'yes';
  const lowered = listed.map((one) => one.toLowerCase());
  return isOpen || given.some((one) => lowered.includes(one.toLowerCase())) ? 'partly' : 'no';
}

interface Given {
  readonly known: readonly unknown[];
  /** There may be further, unknown values. */
  readonly isOpen: boolean;
}

function givenIn(args: Arguments, name: string): Given {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  const given = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  const known = given.filter((one) => one !== anyValue);
  return { known, isOpen: known.length < given.length };
}

/** The values of an argument as words. Undefined if one has no words, so that no value passes uncompared. */
function valuesOf(value: unknown): readonly string[] | undefined {
  if (Array.isArray(value)) {
    const all = value.map(valuesOf);
    return all.every((one) => one !== undefined) ? all.flat() : undefined;
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return [String(value)];
  // Compare things that an appliance lists by ID: a name may change, and another thing may take it.
  if (typeof value !== 'object' || value === null) return undefined;
  return 'id' in value ? valuesOf(value.id) : 'key' in value ? valuesOf(value.key) : undefined;
}

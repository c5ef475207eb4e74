import {
  type Arguments,
  anyValue,
  type Lasts,
  type NamedAppliance,
  type RequestedCommand,
} from './request.ts';

/** What a rule can name of the commands there are. */
export interface Vocabulary {
  readonly areas: readonly string[];
  /** By phrase, the names of its arguments. */
  readonly phrases: ReadonlyMap<string, readonly string[]>;
  /** All of them, as rules see them. */
  readonly subjects: readonly RequestedCommand[];
  /** What a written value is compared as. Undefined for what the argument can never be. */
  readonly compared: (phrase: string, argument: string, value: string) => string | undefined;
}

/** How far what is asked meets a condition: of several values or appliances, all of them, or some. */
type Met = 'yes' | 'partly' | 'no';

/** What a condition is about. All but the command may be unknown when something is decided. */
interface Condition<Wanted> {
  readonly about: 'command' | 'args' | 'appliance' | 'lasts';
  readonly met: (wanted: Wanted, asked: RequestedCommand, rule: Rule) => Met;
  /** Whether that hangs on something that is not known yet. */
  readonly isOpen: (wanted: Wanted, asked: AskedWith) => boolean;
}

interface AskedWith {
  readonly args: RequestedCommand['args'];
  readonly appliance: unknown;
  readonly lasts: Lasts;
  readonly beside?: RequestedCommand['beside'];
}

/**
 * Every condition that a rule can state. How it is written in the policy file is in `rule-shape.ts`, and its words for people
 * are in `rules.ts`.
 */
const conditions = {
  /** The first word of its phrase: `rdp`. */
  area: ofCommand(({ area }) => area),
  effect: ofCommand(({ effect }) => effect),
  /** Its literal words: `rdp disconnect`. */
  phrase: ofCommand(({ name }) => name),
  /**
   * By argument, the only values it may have: `{ category: [252] }`. What an appliance lists is meant by its ID. An
   * argument that is left out has none of them.
   */
  where: ofArguments(),
  /** Only with more values than that for one of its arguments, such as a list of sites; what else it covers of a plan counts with it. */
  above: ofCount((count, wanted) => count > wanted),
  /** Only with so many at most. */
  most: ofCount((count, wanted) => count <= wanted),
  /** Only on the appliance of this name. */
  appliance: ofAppliance(({ name }, wanted) => name === wanted),
  /** Only on appliances that have this tag. */
  tag: ofAppliance(({ tags }, wanted) => tags.includes(wanted)),
  /** Only where it ends by itself, after so many milliseconds at most. */
  temporary: ofTerm(),
};

/** What each of them is stated with. */
export type Conditions = {
  readonly [Name in keyof typeof conditions]: (typeof conditions)[Name] extends Condition<infer Wanted>
    ? Wanted
    : never;
};

/** A set of commands: those that meet every condition it states. One without conditions covers nothing. */
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

/** Nothing gets below a number by being split into the lines of a plan. */
function countUnder(rule: Rule, args: Arguments, beside: RequestedCommand['beside'] = []): number {
  const uncounted: Rule = { ...rule, above: undefined, most: undefined };
  const along = beside.filter((other) => touches(uncounted, other));
  return along.reduce((sum, other) => sum + (other.args === 'any' ? 1 : countIn(other.args)), countIn(args));
}

/** How many values the argument has that has most. */
export const countIn = (args: Arguments): number =>
  Math.max(1, ...Object.values(args).map((value) => (Array.isArray(value) ? value.length : 1)));

function ofAppliance(isMeant: (appliance: NamedAppliance, wanted: string) => boolean): Condition<string> {
  return {
    about: 'appliance',
    met: (wanted, { appliance }) => {
      if (appliance === 'any') return 'yes';
      if (appliance === 'every') return 'partly';
      // What asks no appliance in particular is not on the one that is meant.
      return appliance !== 'none' && isMeant(appliance, wanted) ? 'yes' : 'no';
    },
    isOpen: (_, { appliance }) => appliance === 'any',
  };
}

const byName = Object.entries(conditions) as readonly [keyof Rule, Condition<unknown>][];
const namesAbout = (isMeant: (about: Condition<unknown>['about']) => boolean): readonly (keyof Rule)[] =>
  byName.flatMap(([name, { about }]) => (isMeant(about) ? [name] : []));

/** Those that say which commands are meant. A rule states one of them at least. */
export const naming = namesAbout((about) => about === 'command');
/** Those that say with what and where, in the order in which people are told of them. */
export const limiting = namesAbout((about) => about !== 'command');

/** Whether there are arguments or appliances with which it does not cover a command that it covers. */
export const isLimited = (rule: Rule): boolean => limiting.some((name) => rule[name] !== undefined);

/** Whether that it covers something, or does not, hangs on nothing that is not known yet. */
export const isCertain = (rule: Rule, asked: AskedWith): boolean =>
  byName.every(([name, { isOpen }]) => rule[name] === undefined || !isOpen(rule[name], asked));

/** Whether a rule covers this, with everything that it is asked with: for what gives. */
export const covers = (rule: Rule, asked: RequestedCommand): boolean =>
  !(asked.named && rule.area === undefined && rule.phrase === undefined) &&
  meets(rule, asked, (met) => met === 'yes');

/**
 * Whether a rule covers this or a part of it: for what takes care. One of several values is enough, in capitals or not,
 * and what cannot be compared may be one.
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

/** What several conditions come to together. */
const least = (all: readonly Met[]): Met =>
  all.includes('no') ? 'no' : all.includes('partly') ? 'partly' : 'yes';

/** How far what was given is among these. */
function among(listed: readonly string[], { known, isOpen }: Given): Met {
  const given = valuesOf(known);
  if (given === undefined) return 'partly';
  if (given.length === 0) return isOpen ? 'yes' : 'no';
  if (given.every((one) => listed.includes(one))) return 'yes';
  const lowered = listed.map((one) => one.toLowerCase());
  return isOpen || given.some((one) => lowered.includes(one.toLowerCase())) ? 'partly' : 'no';
}

/** What was given for an argument. */
interface Given {
  readonly known: readonly unknown[];
  /** There may be more, and nobody knows what. */
  readonly isOpen: boolean;
}

function givenIn(args: Arguments, name: string): Given {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  const given = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  const known = given.filter((one) => one !== anyValue);
  return { known, isOpen: known.length < given.length };
}

/** The values of an argument as words. Undefined where there is one that has none, so that nothing slips by uncompared. */
function valuesOf(value: unknown): readonly string[] | undefined {
  if (Array.isArray(value)) {
    const all = value.map(valuesOf);
    return all.every((one) => one !== undefined) ? all.flat() : undefined;
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return [String(value)];
  // What an appliance lists: its name may change, and another may take it.
  if (typeof value !== 'object' || value === null) return undefined;
  return 'id' in value ? valuesOf(value.id) : 'key' in value ? valuesOf(value.key) : undefined;
}

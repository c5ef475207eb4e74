import type { CommandEffect } from './effect.ts';
import { type AskedOf, anyValue, type RequestedCommand } from './request.ts';

/** A set of commands: those that meet every condition it states. One without conditions covers nothing. */
export interface Rule {
  /** The first word of its phrase: `rdp`. */
  readonly area?: string | undefined;
  readonly effect?: CommandEffect | undefined;
  /** Its literal words: `rdp disconnect`. */
  readonly phrase?: string | undefined;
  /** Only on the appliance of this name. */
  readonly appliance?: string | undefined;
  /** Only on appliances that have this tag. */
  readonly tag?: string | undefined;
  /**
   * By argument, the only values it may have: `{ category: [252] }`. What an appliance lists is meant by its ID. An
   * argument that is left out has none of them.
   */
  readonly where?: Readonly<Record<string, readonly (string | number)[]>> | undefined;
}

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

/** Whether there are arguments or appliances with which it does not cover a command that it covers. */
export const isLimited = ({ where, appliance, tag }: Rule): boolean =>
  where !== undefined || appliance !== undefined || tag !== undefined;

/** Whether that it covers something, or does not, hangs on nothing that is not known yet. */
export const isCertain = (
  { where, appliance, tag }: Rule,
  asked: { readonly args: unknown; readonly appliance: unknown },
): boolean =>
  (where === undefined || asked.args !== 'any') &&
  ((appliance === undefined && tag === undefined) || asked.appliance !== 'any');

/** Whether a rule covers this, with everything that it is asked with: for what gives. */
export function covers(rule: Rule, subject: RequestedCommand): boolean {
  if (subject.named && rule.area === undefined && rule.phrase === undefined) return false;
  // What asks no appliance in particular is not on the one that is named.
  return (
    isOn(rule, subject.appliance, false) &&
    meets(rule, subject, (value, listed) => {
      const given = valuesOf(value) ?? [];
      return given.length > 0 && given.every((one) => listed.includes(one));
    })
  );
}

/**
 * Whether a rule covers this or a part of it: for what takes care. One of several values is enough, in capitals or not,
 * and what cannot be compared may be one.
 */
export function touches(rule: Rule, subject: RequestedCommand): boolean {
  return (
    isOn(rule, subject.appliance, true) &&
    meets(rule, subject, (value, listed) => {
      if (value === undefined || value === null) return false;
      const lowered = listed.map((one) => one.toLowerCase());
      return valuesOf(value)?.some((one) => lowered.includes(one.toLowerCase())) ?? true;
    })
  );
}

/** Whether a rule is about this appliance. `partly`: whether it is about all of them when it is about one. */
function isOn({ appliance, tag }: Rule, asked: AskedOf, partly: boolean): boolean {
  if (appliance === undefined && tag === undefined) return true;
  if (asked === 'any') return true;
  if (asked === 'every') return partly;
  if (asked === 'none') return false;
  return (
    (appliance === undefined || appliance === asked.name) && (tag === undefined || asked.tags.includes(tag))
  );
}

function meets(
  { area, effect, phrase, where = {} }: Rule,
  subject: RequestedCommand,
  fits: (value: unknown, listed: readonly string[]) => boolean,
): boolean {
  if (area === undefined && effect === undefined && phrase === undefined) return false;
  const { args } = subject;
  return (
    (area === undefined || area === subject.area) &&
    (effect === undefined || effect === subject.effect) &&
    (phrase === undefined || phrase === subject.name) &&
    (args === 'any' ||
      Object.entries(where).every(([name, listed]) => {
        const value = Object.hasOwn(args, name) ? args[name] : undefined;
        return value === anyValue || fits(value, listed.map(String));
      }))
  );
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
  if (typeof value === 'object' && value !== null && 'id' in value) return valuesOf(value.id);
  return undefined;
}

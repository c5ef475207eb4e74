import type { Roster } from '../roster.ts';
import type { StepParameter } from './step.ts';

interface Declared {
  readonly type: string;
  readonly title?: string;
  readonly description?: string;
  readonly is_required?: boolean;
}

interface Together {
  readonly properties: Readonly<Record<string, Declared>>;
  readonly required?: readonly string[];
}

/** Parameters as a manifest has them: each says itself whether it must be there, or all together do (slack-facts.md §8). */
export type DeclaredParameters = Readonly<Record<string, Declared>> | Together;

/** The parameters of a step in one shape, that of `function_executed`. */
export function readParameters(declared: DeclaredParameters = {}): readonly StepParameter[] {
  const [properties, required] = areTogether(declared)
    ? [declared.properties, declared.required ?? []]
    : [declared, []];
  return Object.entries(properties).map(([name, { type, title, description, is_required }]) => ({
    type,
    name,
    description: description ?? '',
    title: title ?? name,
    is_required: is_required ?? required.includes(name),
  }));
}

/** A parameter may be called "properties", too; then it has a type. */
function areTogether(declared: DeclaredParameters): declared is Together {
  const { properties } = declared;
  return properties !== undefined && typeof properties.type !== 'string';
}

interface Problem {
  readonly name: string;
  /** The problem, after the parameter's name: "is required". */
  readonly says: string;
}

/** The problems of values for these parameters; empty when Slack accepts them. */
export function problemsWith(
  values: Readonly<Record<string, unknown>>,
  parameters: readonly StepParameter[],
  roster: Roster,
): readonly Problem[] {
  const unknown = Object.keys(values).filter((given) => !parameters.some(({ name }) => name === given));
  return [
    ...unknown.map((name) => ({ name, says: 'is not declared' })),
    ...parameters.flatMap(({ name, type, is_required }) => {
      const value = values[name] ?? undefined;
      if (value === undefined) return is_required ? [{ name, says: 'is required' }] : [];
      const expected = types[type]?.(value, roster);
      return expected === undefined ? [] : [{ name, says: `must be ${expected}` }];
    }),
  ];
}

/** The expected kind of value; undefined when the value fits. Slack has more types than these, and some take anything. */
type Check = (value: unknown, roster: Roster) => string | undefined;

const kind =
  (expected: string, fits: (value: unknown, roster: Roster) => boolean): Check =>
  (value, roster) =>
    fits(value, roster) ? undefined : expected;

const text = kind('a string', (value) => typeof value === 'string');

const types: Readonly<Record<string, Check>> = {
  string: text,
  number: kind('a number', (value) => typeof value === 'number'),
  integer: kind('an integer', Number.isInteger),
  boolean: kind('a boolean', (value) => typeof value === 'boolean'),
  array: kind('an array', Array.isArray),
  object: kind('an object', (value) => typeof value === 'object' && !Array.isArray(value)),
  'slack#/types/channel_id': kind(
    'the ID of a channel',
    (value, roster) => roster.room(String(value)) !== undefined,
  ),
  'slack#/types/date': text,
  'slack#/types/message_ts': text,
  'slack#/types/timestamp': kind('an integer', Number.isInteger),
  'slack#/types/user_id': kind(
    'the ID of a person',
    (value, roster) => roster.person(String(value)) !== undefined,
  ),
  'slack#/types/usergroup_id': kind(
    'the ID of a user group',
    (value, roster) => roster.group(String(value)) !== undefined,
  ),
};

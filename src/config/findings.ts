import { stringify } from 'yaml';
import { z } from 'zod';
import { nearest } from '../auth/nearest.ts';
import { shippedRoles } from '../auth/policy.ts';

type Schema = z.core.$ZodType;
type Path = readonly PropertyKey[];

/** A problem in the file: its place, and the setting whose example helps if that is another one. */
export interface ConfigFinding {
  readonly path: Path;
  readonly wrong: string;
  readonly like?: Path;
}

/** The schema's problems in the bot's own words. */
export function findings(issue: z.core.$ZodIssue, schema: Schema): readonly ConfigFinding[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      // A role's name is no misspelling.
      const isRole = Object.hasOwn(shippedRoles, key);
      const [meant] = isRole ? [] : nearest(key, keysOf(at(schema, path)));
      const home = meant === undefined ? homeOf(key, schema, path) : undefined;
      return {
        path: [...path, key],
        wrong:
          home === undefined
            ? `is not a known setting.${hint(meant)}`
            : `is not allowed here. Move it to ${home === '' ? 'the top level, without indentation' : home}.`,
        like: meant === undefined ? path : [...path, meant],
      };
    });
  }
  if (issue.code === 'invalid_union') {
    // If an alternative has the right kind, its inner problems are reported rather than other alternatives.
    const meant = issue.errors.find((problems) =>
      problems.every(
        ({ code, path }) => path.length > 0 || code === 'unrecognized_keys' || code === 'custom',
      ),
    );
    if (meant !== undefined) {
      return meant.flatMap((inner) => findings({ ...inner, path: [...path, ...inner.path] }, schema));
    }
  }
  return [{ path, wrong: `${issue.message}.` }];
}

/**
 * The right place of a misplaced setting: `emergency`, `channels.*`, or nothing for the top level. Undefined if
 * there is none, or several.
 */
function homeOf(key: string, schema: Schema, path: Path): string | undefined {
  if (Object.hasOwn(shippedRoles, key)) {
    const holding = ['holders', 'roles'].find((one) => keysOf(at(schema, path)).includes(one));
    return holding === undefined ? undefined : [...path, holding].map(String).join('.');
  }
  const homes = homesOf(key, schema).map((steps) =>
    // The shared part of the path means the same appliance or channel.
    steps.map((step, index) => {
      const isSameWay = steps.slice(0, index).every((one, at) => one === '*' || one === path[at]);
      return step === '*' && isSameWay ? String(path[index] ?? step) : step;
    }),
  );
  const near = homes.filter((steps) => path.every((step, index) => steps[index] === String(step)));
  const [home, another] = near.length > 0 ? near : homes;
  return another === undefined ? home?.join('.') : undefined;
}

/** The places with a setting of this name. A star stands for any entry. */
function homesOf(key: string, schema: Schema): readonly (readonly string[])[] {
  return plain(schema).flatMap((one) => {
    const { def } = (one as z.core.$ZodTypes)._zod;
    const below = (step: string, inner: Schema) => homesOf(key, inner).map((steps) => [step, ...steps]);
    switch (def.type) {
      case 'object':
        return [
          ...(Object.hasOwn(def.shape, key) ? [[]] : []),
          ...Object.entries(def.shape).flatMap(([name, inner]) => below(name, inner)),
        ];
      case 'record':
        return below('*', def.valueType);
      case 'array':
        return below('*', def.element);
      default:
        return [];
    }
  });
}

/** An example for the setting at a place, or for the nearest one around it. */
export function exampleAt(schema: Schema, path: Path): string {
  for (let length = path.length; length > 0; length -= 1) {
    const key = String(path[length - 1]);
    const examples = at(schema, path.slice(0, length)).flatMap(examplesOf);
    if (examples.length > 0) return examples.map((value) => `${key}: ${inOneLine(value)}`).join(', or ');
  }
  return 'see appliance-bot.example.yml';
}

export const hint = (meant: string | undefined): string =>
  meant === undefined ? '' : ` Did you mean ${meant}?`;

function inOneLine(value: unknown): string {
  if (typeof value === 'string') return stringify(value).trim();
  const text = stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
  return text.replaceAll('[ ', '[').replaceAll(' ]', ']');
}

/** The schemas at a place. */
function at(schema: Schema, path: Path): readonly Schema[] {
  return path.reduce<readonly Schema[]>(
    (schemas, key) => schemas.flatMap((one) => inside(one, String(key))),
    [schema],
  );
}

function inside(schema: Schema, key: string): readonly Schema[] {
  return plain(schema).flatMap((one): readonly Schema[] => {
    const { def } = (one as z.core.$ZodTypes)._zod;
    switch (def.type) {
      case 'object':
        return Object.hasOwn(def.shape, key) && def.shape[key] !== undefined ? [def.shape[key]] : [];
      case 'record':
        return [def.valueType];
      case 'array':
        return [def.element];
      default:
        return [];
    }
  });
}

const keysOf = (schemas: readonly Schema[]): readonly string[] =>
  schemas.flatMap(plain).flatMap((one) => {
    const { def } = (one as z.core.$ZodTypes)._zod;
    return def.type === 'object' ? Object.keys(def.shape) : [];
  });

/** The schema of the written value, without transformations: each of a choice. */
function plain(schema: Schema): readonly Schema[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'default':
    case 'prefault':
    case 'readonly':
      return plain(def.innerType);
    case 'pipe':
      return plain(def.in);
    case 'union':
      return def.options.flatMap(plain);
    default:
      return [schema];
  }
}

function examplesOf(schema: Schema): readonly unknown[] {
  const { examples } = z.globalRegistry.get(schema) ?? {};
  return Array.isArray(examples) ? examples : [];
}

import { z } from 'zod';
import { isSecretName } from '../../secrets.ts';

/** Arguments of a call besides its path, by name. */
export type ArgumentSchemas = Readonly<Record<string, z.ZodType>>;

/**
 * A body of form fields, which the document uses unless it says JSON (§4 notes).
 * @param title its name in the documentation
 * @param description one sentence
 * @param names the names on the wire, if they differ from the arguments
 */
export function form<const Arguments extends ArgumentSchemas>(
  title: string,
  description: string,
  fields: Arguments,
  names?: Readonly<{ [Name in keyof Arguments]?: string }>,
): FieldsBody<Arguments> {
  return { encoding: 'form', title, description, fields, names: names ?? {} };
}

/** A JSON object with only text values, as the remote-desktop gateway requires (§4.6). */
export function json<const Arguments extends ArgumentSchemas>(
  title: string,
  description: string,
  fields: Arguments,
  names?: Readonly<{ [Name in keyof Arguments]?: string }>,
): FieldsBody<Arguments> {
  return { encoding: 'json', title, description, fields, names: names ?? {} };
}

/**
 * A file in a multipart form (§4.12). The call takes it as `file`.
 * @param description the file, for the documentation
 */
export function multipart(
  field: string,
  description: string,
  kind: 'as it is' | 'shell package' = 'as it is',
): UploadBody {
  return { encoding: 'multipart', field, description, kind };
}

export interface FieldsBody<Arguments extends ArgumentSchemas = ArgumentSchemas> {
  readonly encoding: 'form' | 'json';
  readonly title: string;
  readonly description: string;
  readonly fields: Arguments;
  readonly names: Readonly<Record<string, string | undefined>>;
}

export interface UploadBody {
  readonly encoding: 'multipart';
  readonly field: string;
  readonly description: string;
  /** A shell package is checked first, and gets the configured password. */
  readonly kind: 'as it is' | 'shell package';
}

export type Body = FieldsBody | UploadBody;

/** The argument for fields without documented names: it is spread into the body. */
export const otherFields = 'fields';

/** Text that must not appear again: in an error, a log or a preview. */
export const secret = z.string().min(1).meta({ format: 'password' });

export const unnamedFields = z.record(z.string().min(1), z.string());

/** Encodes checked arguments as form fields or JSON. Undefined ones are left out. */
export function encodeFields(
  { encoding, fields, names }: FieldsBody,
  values: Readonly<Record<string, unknown>>,
): { readonly contentType: string; readonly text: string } {
  const pairs = Object.keys(fields).flatMap((name): [string, string][] => {
    const value = values[name];
    if (value === undefined) return [];
    if (name === otherFields && isTexts(value)) return Object.entries(value);
    return [[names[name] ?? name, String(value)]];
  });
  return encoding === 'form'
    ? { contentType: 'application/x-www-form-urlencoded', text: new URLSearchParams(pairs).toString() }
    : { contentType: 'application/json', text: JSON.stringify(Object.fromEntries(pairs)) };
}

/** The values in a call's arguments that must not be repeated. */
export function secretsIn(schemas: ArgumentSchemas, values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const value = values[name];
    if (typeof value === 'string') return isSecret(schema) ? [value] : [];
    if (name !== otherFields || !isTexts(value)) return [];
    return Object.entries(value).flatMap(([key, text]) => (isSecretName(key) && text !== '' ? [text] : []));
  });
}

/** A cache with one entry for each declared schema. */
const secretSchemas = new WeakMap<z.ZodType, boolean>();

export function isSecret(schema: z.ZodType): boolean {
  let found = secretSchemas.get(schema);
  if (found === undefined) {
    const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
    // zod types the inner schema as its own core type; every schema made by zod's functions is a ZodType.
    found = (inner as z.ZodType).meta()?.format === 'password';
    secretSchemas.set(schema, found);
  }
  return found;
}

function isTexts(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null;
}

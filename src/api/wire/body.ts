import { z } from 'zod';
import { isSecretName } from '../../secrets.ts';

/** What a call may send beside its path, by argument name. */
export type ArgumentSchemas = Readonly<Record<string, z.ZodType>>;

/**
 * A body as form fields, which is how the document sends them unless it says JSON (§4 notes).
 * @param title what the documentation calls it
 * @param description what it is, in a sentence
 * @param names the names on the wire, where they are not those of the arguments
 */
export function form<const Arguments extends ArgumentSchemas>(
  title: string,
  description: string,
  fields: Arguments,
  names?: Readonly<{ [Name in keyof Arguments]?: string }>,
): FieldsBody<Arguments> {
  return { encoding: 'form', title, description, fields, names: names ?? {} };
}

/** A body as a JSON object whose values are all text, as the remote-desktop gateway wants it (§4.6). */
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
 * @param description what the file is, for the documentation
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
  /** The name of the form field. */
  readonly field: string;
  readonly description: string;
  /** A shell package is checked first, and gets its password from the configuration. */
  readonly kind: 'as it is' | 'shell package';
}

export type Body = FieldsBody | UploadBody;

/** The argument that takes the fields of which the document gives no names: it is spread into the body. */
export const otherFields = 'fields';

/** Text that must not be seen again: not in an error, a log or a preview. */
export const secret = z.string().min(1).meta({ format: 'password' });

/** Fields the document does not name, as the appliance calls them. */
export const unnamedFields = z.record(z.string().min(1), z.string());

/** Puts checked arguments into a body of form fields or JSON. Undefined ones stay out. */
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

/** The values in a call's arguments that must not be quoted back. */
export function secretsIn(schemas: ArgumentSchemas, values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const value = values[name];
    if (typeof value === 'string') return isSecret(schema) ? [value] : [];
    if (name !== otherFields || !isTexts(value)) return [];
    return Object.entries(value).flatMap(([key, text]) => (isSecretName(key) && text !== '' ? [text] : []));
  });
}

/** What was found out of each schema: there are as many as the operations declare. */
const secretSchemas = new WeakMap<z.ZodType, boolean>();

export function isSecret(schema: z.ZodType): boolean {
  let found = secretSchemas.get(schema);
  if (found === undefined) {
    const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
    // zod types what it wraps as its own core type; every schema made by zod's functions is a ZodType.
    found = (inner as z.ZodType).meta()?.format === 'password';
    secretSchemas.set(schema, found);
  }
  return found;
}

function isTexts(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null;
}

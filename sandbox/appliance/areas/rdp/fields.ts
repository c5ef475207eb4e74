import { Refusal } from './refusal.ts';

/** The fields of a body: a JSON object whose values are all strings (appliance-api.md §4.6). */
export type Fields = ReadonlyMap<string, string>;

/** @throws Refusal when a value is not a string: a number in quotes is the only number this API takes */
export function fieldsOf(json: Readonly<Record<string, unknown>>): Fields {
  const fields = new Map<string, string>();
  for (const [name, value] of Object.entries(json)) {
    if (typeof value !== 'string') throw new Refusal(`${name} must be a string`);
    fields.set(name, value);
  }
  return fields;
}

/** @throws Refusal when it is not sent, or blank */
export function requiredText(fields: Fields, name: string): string {
  const text = fields.get(name)?.trim() ?? '';
  if (text === '') throw new Refusal(`${name} is required`);
  return text;
}

/** A field that has its usual value when it is not sent, or sent empty. */
export function optionalText(fields: Fields, name: string, usual = ''): string {
  return fields.get(name)?.trim() || usual;
}

/** @throws Refusal when it is none of the choices */
export function oneOf<Choice extends string>(
  fields: Fields,
  name: string,
  choices: readonly Choice[],
  usual: NoInfer<Choice>,
): Choice {
  const sent = optionalText(fields, name, usual);
  const choice = choices.find((one) => one === sent);
  if (choice === undefined) throw new Refusal(`${name} must be one of: ${choices.join(', ')}`);
  return choice;
}

/** @throws Refusal when it is not a whole number within the bounds */
export function numberText(
  fields: Fields,
  name: string,
  { least, most }: { readonly least: number; readonly most: number },
  usual: string,
): string {
  const text = optionalText(fields, name, usual);
  if (!/^\d+$/.test(text) || Number(text) < least || Number(text) > most)
    throw new Refusal(`${name} must be a number from ${least} to ${most}`);
  return text;
}

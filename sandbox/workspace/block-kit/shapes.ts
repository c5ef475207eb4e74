/** Words to write JSON Schemas (draft-07) of Block Kit with. */
export type Schema = Readonly<Record<string, unknown>>;

export const ref = (name: string): Schema => ({ $ref: `#/definitions/${name}` });
export const text = (maxLength: number, minLength = 1): Schema => ({ type: 'string', minLength, maxLength });
export const list = (items: Schema, maxItems: number, minItems = 1): Schema => ({
  type: 'array',
  minItems,
  maxItems,
  items,
});
export const bool: Schema = { type: 'boolean' };
export const anyText: Schema = { type: 'string', minLength: 1 };

/** A text object of at most so many characters. */
export const plain = (maxLength: number): Schema => ({
  type: 'object',
  required: ['type', 'text'],
  additionalProperties: false,
  properties: { type: { const: 'plain_text' }, text: text(maxLength), emoji: bool },
});
export const mrkdwn = (maxLength: number): Schema => ({
  type: 'object',
  required: ['type', 'text'],
  additionalProperties: false,
  properties: { type: { const: 'mrkdwn' }, text: text(maxLength), verbatim: bool },
});
export const either = (maxLength: number): Schema =>
  byType({ plain_text: plain(maxLength), mrkdwn: mrkdwn(maxLength) });

/** One of several shapes by `type`, so that a mistake is reported in the intended shape (see validate.ts). */
export function byType(shapes: Readonly<Record<string, Schema>>): Schema {
  return {
    type: 'object',
    required: ['type'],
    properties: { type: { enum: Object.keys(shapes) } },
    oneShapeOf: shapes,
  };
}

/** An object with `type`, the given properties and nothing else. */
export function shape(
  type: string,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): Schema {
  return {
    type: 'object',
    required: ['type', ...required],
    additionalProperties: false,
    properties: { type: { const: type }, ...properties },
  };
}

export const block = (
  type: string,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): Schema => shape(type, { block_id: text(255), ...properties }, required);

export const idList: Schema = { type: 'array', items: anyText };
export const imageSource = { image_url: text(3000), slack_file: { type: 'object' } };
export const oneImage = (schema: Schema): Schema => ({
  ...schema,
  oneOf: [{ required: ['image_url'] }, { required: ['slack_file'] }],
});
export const imageElement = oneImage(shape('image', { ...imageSource, alt_text: text(2000) }, ['alt_text']));

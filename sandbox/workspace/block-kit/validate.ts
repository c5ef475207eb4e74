import { Ajv, type ErrorObject, type SchemaValidateFunction, type ValidateFunction } from 'ajv';
import { definitions } from './schemas.ts';
import type { Schema } from './shapes.ts';

const ajv = new Ajv({ strict: false });
const compiled = new WeakMap<object, ValidateFunction>();

/**
 * The keyword of `byType`: checks with the shape that `type` names. Each shape is compiled at its first use, because
 * compiling all of a section's would delay its first check by half a second.
 */
const checkShape: SchemaValidateFunction = (
  shapes: Readonly<Record<string, Schema>>,
  value: unknown,
  _,
  context,
) => {
  const type = typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : '';
  const shape = shapes[type];
  if (shape === undefined) return true;
  const validate = compile(shape);
  if (validate(value)) return true;
  checkShape.errors = (validate.errors ?? []).map((error) => within(error, context));
  return false;
};
ajv.addKeyword({ keyword: 'oneShapeOf', errors: 'full', validate: checkShape });

/** The first problem with `value`, in Slack's words, with JSON pointers that start at `at`. */
export function schemaProblems(schema: Schema, value: unknown, at: string): string[] {
  const validate = compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? [])
    .slice(0, 1)
    .map((error) => `${words(error)} [json-pointer:${at}${error.instancePath}]`);
}

function compile(schema: Schema): ValidateFunction {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const validate = ajv.compile({ ...schema, definitions });
  compiled.set(schema, validate);
  return validate;
}

function within(error: ErrorObject, context: Parameters<SchemaValidateFunction>[3]): ErrorObject {
  return { ...error, instancePath: `${context?.instancePath ?? ''}${error.instancePath}` };
}

/** Slack's wording of a schema error. */
function words(error: ErrorObject): string {
  const params = error.params as Readonly<Record<string, unknown>>;
  switch (error.keyword) {
    case 'required':
      return `missing required field: ${params.missingProperty}`;
    case 'additionalProperties':
      return `invalid additional property: ${params.additionalProperty}`;
    case 'maxLength':
      return `must be less than ${Number(params.limit) + 1} characters`;
    case 'minLength':
      return `must be more than ${Number(params.limit) - 1} characters`;
    case 'maxItems':
      return `no more than ${params.limit} items allowed`;
    case 'minItems':
      return `no less than ${params.limit} items allowed`;
    case 'enum':
      return error.instancePath.endsWith('/type')
        ? 'unsupported type'
        : `must be one of ${String(params.allowedValues)}`;
    default:
      return error.message ?? 'invalid value';
  }
}

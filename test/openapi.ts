import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { RecordedAnswer } from './recorder.ts';

/** docs/appliance.openapi.json, and its schemas of answers. */

type Json = Readonly<Record<string, unknown>>;

interface DescribedParameter extends Json {
  readonly name: string;
  readonly description?: string;
}

interface Content {
  readonly [type: string]: { readonly schema: Json };
}

interface DescribedOperation {
  readonly operationId: string;
  readonly parameters: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content; readonly $ref?: string }>>;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly responses: Readonly<Record<string, { readonly content: Content }>>;
  };
  readonly servers: readonly { readonly variables: Json }[];
}

export const openApiText = readFileSync(new URL('../docs/appliance.openapi.json', import.meta.url), 'utf8');
export const openApi: OpenApi = JSON.parse(openApiText);

/** By the names that calls have. */
export const operationsById: ReadonlyMap<string, DescribedOperation> = new Map(
  Object.values(openApi.paths).flatMap((path) =>
    Object.values(path).flatMap((one) => (one.operationId === undefined ? [] : [[one.operationId, one]])),
  ),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(openApi, 'api');

/** Why an answer is not what the document says of this operation; '' when it is. */
export function problemWith(operation: string, { status, type, body }: RecordedAnswer): string {
  const response = operationsById.get(operation)?.responses[status];
  if (response === undefined) return `${operation} has no answer with status ${status}`;
  const content =
    response.content ?? openApi.components.responses[response.$ref?.split('/').at(-1) ?? '']?.content;
  const schema = content?.[type]?.schema;
  if (schema === undefined)
    return `${operation} has no answer of type ${type || 'none'} with status ${status}`;
  const fits = validatorOf(schema);
  const value: unknown = type === 'application/json' ? JSON.parse(body) : body;
  return fits(value) ? '' : `${ajv.errorsText(fits.errors)} in ${body.slice(0, 300)}`;
}

const validators = new Map<Json, ValidateFunction>();

function validatorOf(schema: Json): ValidateFunction {
  const fits = validators.get(schema) ?? ajv.compile(absolute(schema));
  validators.set(schema, fits);
  return fits;
}

/** A schema out of the document, to be understood outside of it. */
function absolute(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/'));
}

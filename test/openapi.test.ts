import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { describe, expect, test } from 'vitest';
import { describedOperations } from '../src/api/described.ts';
import { isRecord } from '../src/api/reading/envelope.ts';
import { openApi, openApiText, operationsById, problemWith } from './openapi.ts';

interface Place {
  /** Such as `components/schemas/AclRecord/properties/id`. */
  readonly at: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

const keywords = ['items', 'additionalProperties'];
const lists = ['anyOf', 'allOf', 'oneOf'];
const maps = ['properties', 'patternProperties'];

/** A schema and all that stand in it. */
function* within(at: string, schema: unknown): Generator<Place> {
  if (!isRecord(schema)) return;
  yield { at, schema };
  for (const keyword of keywords) yield* within(`${at}/${keyword}`, schema[keyword]);
  for (const keyword of [...lists, ...maps]) {
    const inside = schema[keyword];
    for (const [name, one] of Object.entries(inside ?? {})) yield* within(`${at}/${keyword}/${name}`, one);
  }
}

const named = Object.entries(openApi.components.schemas);
const schemas: readonly Place[] = [
  ...named.flatMap(([name, schema]) => [...within(`components/schemas/${name}`, schema)]),
  ...[...operationsById].flatMap(([name, { requestBody, responses }]) =>
    [requestBody?.content, responses[200]?.content].flatMap((content) =>
      Object.values(content ?? {}).flatMap(({ schema }) => [...within(name, schema)]),
    ),
  ),
];

describe('the OpenAPI document', () => {
  test('has every operation', () => {
    expect([...operationsById.keys()].toSorted()).toEqual(
      describedOperations()
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  test('describes every parameter', () => {
    const silent = [...operationsById].flatMap(([operation, { parameters }]) =>
      parameters.flatMap(({ name, description = '' }) =>
        /^[A-Z].*\.$/s.test(description) ? [] : [`${operation} ${name}: ${description || 'no description'}`],
      ),
    );
    expect(silent, 'Describe it at the declaration of the operation: .describe(…).').toEqual([]);
    expect([...operationsById.values()].flatMap(({ parameters }) => parameters).length).toBeGreaterThan(80);
  });

  test('describes every component and every property', () => {
    const hasMeaning = ({ description, $ref }: Place['schema']) =>
      description === undefined ? $ref !== undefined : /^\S.*\.$/s.test(String(description));
    expect(named.filter(([, schema]) => schema.description === undefined)).toEqual([]);
    const silent = schemas.filter(
      ({ at, schema }) => /\/(?:properties|patternProperties)\/[^/]+$/.test(at) && !hasMeaning(schema),
    );
    expect(silent.map(({ at }) => at)).toEqual([]);
  });

  test('describes the entries of every list, and gives a reason for every free value', () => {
    const isList = ({ type }: Place['schema']) => [type].flat().includes('array');
    expect(schemas.filter(({ schema }) => isList(schema) && schema.items === undefined)).toEqual([]);
    const isEmpty = (schema: Place['schema']) =>
      Object.keys(schema).every((keyword) => keyword === 'description');
    const empty = schemas.filter(({ schema }) => isEmpty(schema));
    expect(
      empty.filter(
        ({ schema }) => !/\bthe document of the appliance shows none\./.test(String(schema.description)),
      ),
    ).toEqual([]);
    expect(new Set(empty.map(({ at }) => at.split('/')[2]))).toEqual(new Set(['Any']));
  });

  test('has a component for everything that occurs more than once', () => {
    const objects = schemas.filter(
      ({ at, schema }) =>
        !/^components\/schemas\/\w+$/.test(at) && Object.keys(Object(schema.properties)).length > 1,
    );
    const places = Map.groupBy(objects, ({ schema }) => JSON.stringify(schema));
    expect([...places.values()].filter((same) => same.length > 1)).toEqual([]);
    const referred = new Set(
      [...openApiText.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name),
    );
    expect([...referred].toSorted()).toEqual(named.map(([name]) => name).toSorted());
    for (const name of [
      'AclObject',
      'AclRecord',
      'Category',
      'RdpSession',
      'RdpMember',
      'SslRule',
      'MirrorStatus',
    ]) {
      expect(referred).toContain(name);
    }
  });

  test('passes all that Spectral recommends', async () => {
    const spectral = new spectralCore.Spectral();
    // The two packages declare the type of a ruleset differently.
    const rules = spectralRulesets.oas as unknown as RulesetDefinition;
    spectral.setRuleset({ extends: [[rules, 'recommended']], rules: {} });
    const problems = await spectral.run(openApiText);
    expect(problems.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`)).toEqual([]);
  });

  test.each(['recommended', 'recommended-strict'] as const)(
    'passes all of Redocly’s %s rules',
    async (rules) => {
      const config = await createConfig({ extends: [rules] });
      const problems = await lintFromString({ source: openApiText, config });
      expect(
        problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
      ).toEqual([]);
    },
  );

  test.each([
    [
      'categories.list',
      'Status',
      { Status: true, Categories: [{ category_id: 7, category_name: 'shopping' }] },
      true,
    ],
    ['categories.list', 'status', { status: true, info: '', categories: { 7: { name: 'shopping' } } }, true],
    ['categories.list', 'no ID', { Status: true, Categories: [{ category_name: 'shopping' }] }, false],
    ['categories.list', 'refusal', { Status: false, Error: 'The database is locked.' }, true],
    ['categories.addSites', 'number', { status: true, added: 2 }, true],
    ['categories.addSites', 'texts', { status: true, info: '2 sites', error: '', added: 2 }, true],
    ['sqldb.listUsers', 'no user', { Status: true, Users: [{ Reload_priv: 'Y' }] }, false],
  ])('describes the answer of %s (%s)', (name, _, answer, fits) => {
    const sent = { status: 200, type: 'application/json', body: JSON.stringify(answer) };
    expect(problemWith(name, sent) === '', problemWith(name, sent)).toBe(fits);
  });

  test('describes how several values become one text, and the bounds and defaults of numbers', () => {
    const { SitesToAdd, SitesToApply } = openApi.components.schemas;
    const parametersOf = (operation: string) => operationsById.get(operation)?.parameters;
    expect(SitesToAdd).toMatchObject({
      properties: { sites: { description: expect.stringMatching(/line feed/) } },
    });
    expect(SitesToApply).toMatchObject({
      properties: { items: { description: expect.stringMatching(/comma/) } },
    });
    expect(parametersOf('acl.addRecordsByPath')).toContainEqual(
      expect.objectContaining({ name: 'records', description: expect.stringMatching(/comma/) }),
    );
    expect(parametersOf('rdp.listEvents')).toContainEqual(
      expect.objectContaining({
        name: 'limit',
        schema: { type: 'integer', minimum: 1, maximum: 500, default: 500 },
      }),
    );
    expect(parametersOf('rdp.listPatterns')).toContainEqual(
      expect.objectContaining({ name: 'policy', schema: { type: 'integer', minimum: 0, default: 0 } }),
    );
  });

  test('names no variable of a server like a slot of a path', () => {
    const [{ variables } = { variables: {} }] = openApi.servers;
    const slots = new Set(describedOperations().flatMap(({ endpoint }) => Object.keys(endpoint.slots)));
    expect(Object.keys(variables).filter((name) => slots.has(name))).toEqual([]);
  });
});

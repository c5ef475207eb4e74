import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import * as combinedAreas from '../src/api/combined/index.ts';
import { areas } from '../src/api/index.ts';
import { codeIn, namesIn } from '../tools/api-page.ts';
import { areaTitles } from '../tools/areas.ts';
import { generatedPages } from '../tools/docs.ts';
import { endpointLines } from '../tools/endpoints.ts';
import { describedOperations } from '../tools/operations.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

interface Entry {
  readonly operation: string;
  /** Why there is no such operation here; '' when there is. */
  readonly gap: string;
}

/** Every operation of the appliance's document, written down apart from the declarations. */
const ledger: readonly Entry[] = read('docs/endpoints.tsv')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [area, method, path, gap = ''] = line.split('\t');
    return { operation: [area, method, path].join('\t'), gap };
  });

describe('the operations', () => {
  test('are those of the ledger, and every gap has its reason there', () => {
    const declared = endpointLines().map((line) => line.split('\t').slice(0, 3).join('\t'));
    const written = ledger.flatMap(({ operation, gap }) => (gap === '' ? [operation] : []));
    const advice = [
      ...declared
        .filter((operation) => !written.includes(operation))
        .map((operation) => `Add to docs/endpoints.tsv, if the document has it: ${operation}\t`),
      ...written
        .filter((operation) => !declared.includes(operation))
        .map((operation) => `Declare it, or write the reason of the gap behind it: ${operation}`),
    ];
    expect(advice).toEqual([]);
    expect(written.toSorted()).toEqual(declared.toSorted());
  });

  test('are told in five columns', () => {
    for (const line of endpointLines()) {
      expect(line).toMatch(
        /^[a-z]+\t(GET|POST|PUT|DELETE|-)\t\/\S+\t(read|write|destructive|unknown)\t\S.*$/,
      );
    }
  });

  test('stand in the order of the document', () => {
    expect(Object.keys(areaTitles).toSorted()).toEqual(Object.keys(areas).toSorted());
    expect([...new Set(ledger.map(({ operation }) => operation.split('\t')[0]))]).toEqual(
      Object.keys(areaTitles),
    );
  });

  test('have a sentence each, and combined calls hide none of them', () => {
    for (const { name, endpoint } of describedOperations()) {
      expect(endpoint.summary, name).toMatch(/^[A-Z].+\.$/);
    }
    for (const [area, calls] of Object.entries(combinedAreas)) {
      const operations = Object.entries(areas).find(([name]) => name === area)?.[1] ?? {};
      expect(Object.keys(calls).filter((name) => name in operations)).toEqual([]);
      expect(Object.keys(operations).length, area).toBeGreaterThan(0);
    }
  });
});

describe('the pages', () => {
  test.each([...generatedPages()])('%s is what the declarations say (npm run docs)', (path, text) => {
    expect(read(path)).toBe(text);
  });

  test('explain every name that stands in a call', () => {
    const page = read('docs/api.md');
    const explained = new Set([...page.matchAll(/^### ([A-Z]\w*)$/gm)].map(([, name]) => name));
    const ofTheLanguage = /^(AsyncIterable|Date|Error|Iterable|Promise|Readonly|Record|Uint8Array|URL)$/;
    // The example at the top names what any program has.
    const names = new Set(codeIn(page).slice(1).flatMap(namesIn));
    expect(names.size).toBeGreaterThan(50);
    expect([...names].filter((name) => !ofTheLanguage.test(name) && !explained.has(name))).toEqual([]);
  });

  test('show what every call takes and gives, also those made of several operations', () => {
    const page = read('docs/api.md');
    expect(page).toContain('acl.addRecords(given: NewRecords): Promise<AddedRecord[]>');
    expect(page).toContain('acl.searchRecords({ text: string }): Promise<AclRecord[]>');
    expect(page).toContain('onProgress?: (progress: UploadProgress) => void');
    const calls = [...page.matchAll(/^### ([a-z]+\.\w+)\n\n```ts\n\1\(.*\): Promise<\S.*>\n```$/gm)];
    expect(calls).toHaveLength([...page.matchAll(/^### [a-z]/gm)].length);
  });

  test.each([
    [
      'categories.list',
      'Status',
      { Status: true, Categories: [{ category_id: 7, category_name: 'shopping' }] },
      true,
    ],
    ['categories.list', 'status', { status: true, info: '', categories: { 7: { name: 'shopping' } } }, true],
    ['categories.list', 'no name', { status: true, categories: { 7: { items: 3 } } }, false],
    ['categories.list', 'refusal', { Status: false, Error: 'The database is locked.' }, true],
    ['categories.addSites', 'number', { status: true, added: 2 }, true],
    ['categories.addSites', 'texts', { status: true, info: '2 sites', error: '', added: 2 }, true],
    ['sqldb.listUsers', 'no user', { Status: true, Users: [{ Reload_priv: 'Y' }] }, false],
  ])('tell of %s what it answers (%s)', (name, _, answer, fits) => {
    const described = JSON.parse(read('docs/appliance.openapi.json'));
    const ajv = new Ajv2020({ strict: false }).addSchema(described, 'api');
    const operation = describedOperations().find((one) => one.name === name);
    const method = operation?.endpoint.method.toLowerCase();
    const path = operation?.endpoint.path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
    const place = `api#/paths/${path}/${method}/responses/200/content/application~1json/schema`;
    expect(ajv.validate(place, answer), ajv.errorsText()).toBe(fits);
  });

  test('tell how several values become one text, and the bounds and defaults of numbers', () => {
    const { paths } = JSON.parse(read('docs/appliance.openapi.json'));
    const bodyOf = (path: string, method: string) =>
      paths[path][method].requestBody.content['application/x-www-form-urlencoded'].schema.properties;
    expect(bodyOf('/categories/{id}/add', 'post').sites.description).toMatch(/line feed/);
    expect(bodyOf('/categories/quick/{id}', 'put').items.description).toMatch(/comma/);
    expect(paths['/proxy/acls/record/add/{objectId}/{records}'].get.parameters).toContainEqual(
      expect.objectContaining({ name: 'records', description: expect.stringMatching(/comma/) }),
    );
    expect(paths['/rdpproxy/events'].get.parameters).toContainEqual(
      expect.objectContaining({
        name: 'limit',
        schema: { type: 'integer', minimum: 1, maximum: 500, default: 500 },
      }),
    );
    expect(paths['/rdpproxy/patterns'].get.parameters).toContainEqual(
      expect.objectContaining({ name: 'policy', schema: { type: 'integer', minimum: 0, default: 0 } }),
    );
  });

  test('call no variable of a server as a slot of a path', () => {
    const { servers } = JSON.parse(read('docs/appliance.openapi.json'));
    const slots = new Set(describedOperations().flatMap(({ endpoint }) => Object.keys(endpoint.slots)));
    expect(Object.keys(servers[0].variables).filter((name) => slots.has(name))).toEqual([]);
  });

  test('the OpenAPI description passes a linter', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        // `/categories/{id}/{site}` beside `/categories/{id}/compile` is how the appliance's own paths are.
        'no-ambiguous-paths': 'off',
        // The document gives no meaning to HTTP statuses beyond 404 and 500, which every operation names.
        'operation-4xx-response': 'error',
      },
    });
    const problems = await lintFromString({ source: read('docs/appliance.openapi.json'), config });
    expect(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    ).toEqual([]);
  });
});

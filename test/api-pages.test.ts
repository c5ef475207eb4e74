import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as combinedAreas from '../src/api/combined/index.ts';
import { areaTitles, argumentsOf, describedOperations } from '../src/api/described.ts';
import { areas } from '../src/api/index.ts';
import { codeIn, namesIn } from '../tools/api-page.ts';
import { generatedPages } from '../tools/docs.ts';
import { endpointLines } from '../tools/endpoints.ts';

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

  test('are listed in five columns', () => {
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

const pages = generatedPages();

describe('the pages', () => {
  test.each([...pages])('%s matches the declarations (npm run docs)', (path, text) => {
    expect(read(path)).toBe(text);
  });

  test('explain every name in a call', () => {
    const page = read('docs/api.md');
    const explained = new Set([...page.matchAll(/^### ([A-Z]\w*)$/gm)].map(([, name]) => name));
    const ofTheLanguage = /^(AsyncIterable|Date|Error|Iterable|Promise|Readonly|Record|Uint8Array|URL)$/;
    // The example at the top names what any program has.
    const names = new Set(codeIn(page).slice(1).flatMap(namesIn));
    expect(names.size).toBeGreaterThan(50);
    expect([...names].filter((name) => !ofTheLanguage.test(name) && !explained.has(name))).toEqual([]);
  });

  test('explain every argument of a call, in the words of its declaration', () => {
    const silent = describedOperations().flatMap(({ name, endpoint }) =>
      argumentsOf(endpoint).flatMap((one) =>
        /^[A-Z].*\.$/.test(one.description ?? '') ? [] : [`${name} ${one.name}`],
      ),
    );
    expect(silent, 'Describe it at the declaration of the operation: .describe(…).').toEqual([]);
    expect(read('docs/api.md')).toContain('- `nextId`: The ID of the category to move it to.');
  });

  test('show the argument and the result of every call, also of combined ones', () => {
    const page = read('docs/api.md');
    expect(page).toContain('acl.addRecords(given: NewRecords): Promise<AddedRecord[]>');
    expect(page).toContain('acl.searchRecords({ text: string }): Promise<AclRecord[]>');
    expect(page).toContain('onProgress?: (progress: UploadProgress) => void');
    const calls = [...page.matchAll(/^### ([a-z]+\.\w+)\n\n```ts\n\1\(.*\): Promise<\S.*>\n```$/gm)];
    expect(calls).toHaveLength([...page.matchAll(/^### [a-z]/gm)].length);
  });
});

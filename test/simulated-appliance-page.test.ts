import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSimulatedAppliance } from '../sandbox/appliance/index.ts';
import { curl } from '../sandbox/appliance/typed-curl.ts';

const page = readFileSync('packages/simulated-appliance/README.md', 'utf8');

describe('the README of simulated-appliance', () => {
  test('has lines for a shell that do what they say', async () => {
    const appliance = await startSimulatedAppliance({ key: 'web-api-key' });
    onTestFinished(() => appliance.close());
    const lines = page.match(/^curl .*$/gm) ?? [];
    expect(lines).toHaveLength(5);
    for (const [index, line] of lines.entries()) {
      const response = await curl(line.replace('http://127.0.0.1:9503', appliance.url));
      expect({ line, status: response.status }).toEqual({ line, status: 200 });
      if (index === 3) {
        const arrived = { operation: 'GET /categories/list', fault: 'slow', status: 200 };
        expect(await response.json()).toMatchObject({ requests: [arrived] });
        expect(appliance.state).toMatchObject({
          ways: { generation: 'field-v1' },
          directory: { licence: 'expired' },
        });
      }
    }
    expect(appliance.requests).toEqual([]);
    expect(appliance.state.directory.licence).toBe('valid');
  });

  test('lists every path, with its methods', async () => {
    const appliance = await startSimulatedAppliance();
    onTestFinished(() => appliance.close());
    const guide: { paths: string[] } = JSON.parse(await (await fetch(`${appliance.url}/_simulator`)).text());
    const listed = [...page.matchAll(/^\| `(\/_simulator[^`]*)` \| ([A-Z, ]+) \|/gm)].map(
      ([, path, methods]) => `${methods} ${path}`,
    );
    expect(listed.toSorted()).toEqual(guide.paths.toSorted());
  });

  test('names existing settings, switches and kinds of fault', async () => {
    const names = [...page.matchAll(/`(\w+): '([\w-]+)'`/g)].map(([, name, value]) => ({ name, value }));
    expect(names.length).toBeGreaterThan(2);
    const appliance = await startSimulatedAppliance();
    onTestFinished(() => appliance.close());
    const wrong = names.filter(({ name = '', value = '' }) => {
      const found = appliance.switches().find((one) => one.name === name);
      return found === undefined || !Object.hasOwn(found.values, value);
    });
    expect(wrong).toEqual([]);
  });
});

import { beforeAll, expect, test } from 'vitest';
import { startSimulatedAppliance } from '../sandbox/appliance/index.ts';
import { type OperationName, operations } from '../src/api/index.ts';
import { understand } from '../src/api/reading/understand-answer.ts';
import { key } from './operations.ts';
import { seeded } from './seeded.ts';
import { sized } from './size.ts';

/**
 * Appliances write a unit beside a number, a word in the place of a flag, a text in the place of a list (field notes). Whatever
 * stands in a field without which a thing can be used, the thing is told, and so are all others.
 */

/** Reading operations whose fields the document names, with the list in each answer. */
const lists: readonly (readonly [OperationName, (value: never) => readonly unknown[]])[] = [
  ['acl.listObjects', (all: unknown[]) => all],
  ['ssl.listRules', (all: unknown[]) => all],
  ['categories.list', (all: unknown[]) => all],
  ['software.list', (all: unknown[]) => all],
  ['sqldb.listUsers', (all: unknown[]) => all],
  ['mirror.listClients', (all: unknown[]) => all],
  ['mirror.listEvents', ({ events }: { events: unknown[] }) => events],
  ['mirror.eventStats', ({ repositories }: { repositories: unknown[] }) => repositories],
  ['mirror.dailyEvents', ({ summary }: { summary: unknown[] }) => summary],
  ['mirror.status', (status: object) => [status]],
  ['directory.status', (status: object) => [status]],
  ['directory.applianceVersion', (version: object) => [version]],
  ['resolver.configuration', (configuration: object) => [configuration]],
];

/** Without these, nobody knows what the thing is, or the answer has not answered. */
const needed = /^(?:status|id|gpid|pattern|category_id|productkey|keyver|user|repository_name|date|\d+)$/i;

const odd: readonly unknown[] = [
  ...['94.9%', '527 GB', '12 sites', '443/tcp', '1,234', 'n/a', '-', '∞', 'yes, partly', '', ' ', '0x1f'],
  ...[null, true, -1, 1.5, 1e300, [], {}, ['odd'], [null], [{}], [[1]], { odd: [1] }, { 7: 'x' }],
];

const random = seeded(20_261_127);
const pick = <Item>(from: readonly Item[]): Item => from[Math.floor(random() * from.length)] as Item;

const answers = new Map<OperationName, unknown>();

beforeAll(async () => {
  const simulated = await startSimulatedAppliance({ key });
  for (const [name] of lists) {
    const endpoint = operations.get(name);
    if (endpoint === undefined) throw new Error(`There is no ${name}.`);
    const answer = await fetch(`${simulated.urls[endpoint.service]}${endpoint.path}`, {
      headers: { 'x-auth-token': key },
    });
    answers.set(name, await answer.json());
  }
  await simulated.close();
});

/** Every place of a field that need not be there, in any record of an answer: the keys that lead to it. */
function placesIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = [...path, name];
    const isField =
      path.length > 0 && !Array.isArray(value) && !needed.test(name) && !isContainer(path, name);
    return [...(isField ? [own] : []), ...placesIn(inner, own)];
  });
}

/** The list itself, right below the answer. */
const isContainer = (path: readonly string[], name: string): boolean => path.length === 0 && name !== '';

test.each(lists)('%s loses nothing but an odd field', (name, rowsOf) => {
  const endpoint = operations.get(name);
  const answer = answers.get(name);
  if (endpoint === undefined) throw new Error(`There is no ${name}.`);
  const understood = (body: unknown) => understand(name, endpoint, JSON.stringify(body), {}, []) as never;
  const read = (body: unknown) => rowsOf(understood(body)) as readonly object[];
  const before = read(answer);
  const whole = understood(answer);
  const isOne = rowsOf(whole)[0] === whole;
  const places = isOne && typeof answer === 'object' && answer !== null ? fieldsOf(answer) : placesIn(answer);
  expect(before.length).toBeGreaterThan(0);
  expect(places.length).toBeGreaterThan(0);
  for (let tries = sized(150, 3_000); tries > 0; tries -= 1) {
    const [place, value] = [pick(places), pick(odd)];
    const about = `${place.join('.')} = ${JSON.stringify(value)}`;
    const after = read(changed(answer, place, value));
    expect(after, about).toHaveLength(before.length);
    const others = after.filter((row, at) => JSON.stringify(row) !== JSON.stringify(before[at]));
    expect(others.length, about).toBeLessThanOrEqual(1);
    // The other fields of the row stay.
    const [row] = others;
    const was = row && before[after.indexOf(row)];
    const differing = Object.entries(was ?? {}).filter(
      ([field, told]) => JSON.stringify(told) !== JSON.stringify(Reflect.get(row ?? {}, field)),
    );
    // A privilege that says neither yes nor no stays among the other fields.
    expect(differing.length, about).toBeLessThanOrEqual(name === 'sqldb.listUsers' ? 2 : 1);
  }
});

/** The columns of an answer's lists; for an answer about one thing, its fields as well. */
const fieldsOf = (answer: object): readonly (readonly string[])[] => [
  ...Object.keys(answer)
    .filter((name) => !needed.test(name) && !/^(?:info|error|version)$/i.test(name))
    .map((name) => [name]),
  ...placesIn(answer),
];

function changed(answer: unknown, [first = '', ...rest]: readonly string[], value: unknown): unknown {
  const copy = Array.isArray(answer) ? [...answer] : { ...(answer as object) };
  Reflect.set(copy, first, rest.length === 0 ? value : changed(Reflect.get(copy, first), rest, value));
  return copy;
}

import { test } from 'vitest';
import {
  crowded,
  expectHeard,
  expectObeyedByNobody,
  hostileNames,
  lines,
  tooLong,
} from '../hostile-names.ts';

test('hostile names on the appliance are only ever text, in the cards, tables, offers and errors of every command', async () => {
  await expectObeyedByNobody(hostileNames, lines);
});

test('names of 10,000 characters are cut to what fits, by every command', async () => {
  expectHeard(await expectObeyedByNobody(tooLong, lines));
});

test('lists of a thousand things are cut to what fits, by every command', async () => {
  await expectObeyedByNobody(crowded, lines);
});

import { test } from 'vitest';
import {
  crowded,
  expectHeard,
  expectObeyedByNobody,
  hostileNames,
  lines,
  tooLong,
} from '../hostile-names.ts';

test('what the appliance calls its things is only ever text, in the cards, tables, offers and errors of every command', async () => {
  await expectObeyedByNobody(hostileNames, lines);
});

test('what the appliance calls its things is cut to what fits where it has 10,000 characters, by every command', async () => {
  expectHeard(await expectObeyedByNobody(tooLong, lines));
});

test('what the appliance has a thousand of is cut to what fits as well, by every command', async () => {
  await expectObeyedByNobody(crowded, lines);
});

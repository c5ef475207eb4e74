import { expect, test } from 'vitest';
import { strangerRefused } from './events/slack.ts';
import { createLog, seldom } from './log.ts';

test('lines that are left out are counted, and the next line has the number', () => {
  const lines: { readonly notLogged?: number }[] = [];
  const log = createLog('debug', { write: (text) => void lines.push(JSON.parse(text)) });
  const turns = [true, false, false, true, true];
  const tell = seldom(log, () => turns.shift() ?? false);
  for (const status of [404, 405, 401, 400, 404]) tell(strangerRefused, { status });
  expect(lines.map(({ notLogged }) => notLogged)).toEqual([undefined, 2, undefined]);
});

import { expect, test } from 'vitest';
import { channel, group, moment, person, plainText, say } from '../text.ts';
import { recalled } from './recalled.ts';

const at = Date.UTC(2026, 10, 23, 10, 0, 0);

test('words of a record are what they were before they were written down', () => {
  const said = say`Until ${moment(at)}. Ask ${person('U0BOB00001')} or ${group('S0OPERATOR1')} in ${channel('C0HELPDESK1')}.`;
  expect(recalled(plainText(said), () => true)).toEqual(said);
});

test('an ID that is none of ours mentions nobody, and a word in capitals is no ID', () => {
  expect(recalled('Session of U0EVE00001', (id) => id === 'U0BOB00001')).toEqual([
    'Session of ',
    'U0EVE00001',
  ]);
  expect(recalled('USERNAMES WELCOME', () => true)).toEqual(['USERNAMES WELCOME']);
  expect(recalled('2026-99-99T10:00:00.000Z', () => true)).toEqual(['2026-99-99T10:00:00.000Z']);
});

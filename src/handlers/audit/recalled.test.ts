import { expect, test } from 'vitest';
import { channel, group, moment, person, say, strong } from '../text.ts';
import { inWords, recalled } from './recalled.ts';

const at = Date.UTC(2026, 10, 23, 10, 0, 0);

test("a record's words read back as they were written", () => {
  const said = say`Until ${moment(at)}. Ask ${person('U0BOB00001')} or ${group('S0OPERATOR1')} in ${channel('C0HELPDESK1')}.`;
  const { says, named } = inWords(said);
  expect(recalled(says, named)).toEqual(said);
});

test('a name from an appliance mentions nobody, even beside that very person', () => {
  const { says, named } = inWords(
    say`${strong('U0BOB00001')} disabled by ${person('U0BOB00001')}; S0ADMINS01`,
  );
  expect(recalled(says, named)).toEqual(['U0BOB00001 disabled by ', person('U0BOB00001'), '; S0ADMINS01']);
  expect(recalled('Session of U0EVE00001, S0ADMINS01, C0HELPDESK1')).toEqual([
    'Session of U0EVE00001, S0ADMINS01, C0HELPDESK1',
  ]);
});

test('words that are not in their recorded place mention nobody', () => {
  const named = [{ at: 4, kind: 'person', id: 'U0BOB00001' }] as const;
  expect(recalled('Ask U0BOB…', named)).toEqual(['Ask U0BOB…']);
  expect(recalled('2026-99-99T10:00:00.000Z')).toEqual(['2026-99-99T10:00:00.000Z']);
});

test('a moment in which a shortened text ends is left out', () => {
  for (const cut of ['2026-…', '2026-11-23T1…', '2026-11-23T10:00:00.000…'])
    expect(recalled(`It starts ${cut}`)).toEqual(['It starts …']);
});

test('a moment gives its own time', () => {
  const said = say`The sync ended at ${moment(at)}, at the address of hq.`;
  expect(recalled(inWords(said).says)).toEqual(say`The sync ended ${moment(at)}, at the address of hq.`);
});

import { expect, test } from 'vitest';
import { plainText } from '../reply.ts';
import { answered, unreachable } from '../status/testing.ts';
import { authenticationFields, type Emergency, emergencyIn, ownerOf, withInfo } from './authentication.ts';

const directory = (connected: boolean, info = '') => answered({ connected, info });
const link = (linked: boolean, info = '') => answered({ linked, info });

test.each<
  [
    string,
    ReturnType<typeof directory> | typeof unreachable,
    ReturnType<typeof link> | typeof unreachable,
    Emergency,
  ]
>([
  ['connected and linked is no emergency', directory(true), link(true), 'off'],
  ['linked alone is open: what would name an emergency cannot be asked', unreachable, link(true), 'unclear'],
  ['linked but not connected is open', directory(false, 'No answer'), link(true), 'unclear'],
  ['a connection alone is open: people may pass all the same', directory(true), unreachable, 'unclear'],
  ['broken and unlinked is open', directory(false, 'No answer'), link(false), 'unclear'],
  ['an emergency is named by the directory', directory(false, 'Emergency: disconnected'), link(false), 'on'],
  ['an emergency is named by the authentication', unreachable, link(false, 'emergency mode'), 'on'],
  [
    'an emergency that is named counts although all else looks well',
    directory(true, 'Emergency is enabled'),
    link(true),
    'on',
  ],
  ['a global one is told from it', directory(false, 'Global Emergency: no filter'), link(false), 'global'],
  [
    'a global one is known in any spelling',
    directory(false, 'in GLOBAL_EMERGENCY now, emergency'),
    link(false),
    'global',
  ],
  ['"no emergency" is none', directory(true, 'Connected, no emergency'), link(true), 'off'],
  ['"disabled" is none', directory(true, 'Emergency is disabled'), link(true), 'off'],
])('%s', (_, status, authentication, expected) => {
  expect(emergencyIn({ directory: status, link: authentication })).toBe(expected);
});

test("the note about the bot's pending end follows any other sentence", () => {
  const timedChange = {
    person: 'U0BOB00001',
    reason: 'down',
    since: 0,
    until: 0,
    state: 'ending',
    seen: true,
  } as const;
  const said = plainText(ownerOf('on', timedChange, 0));
  expect(said).toMatch(/^, expired at .+; ending is being retried \(requested by U0BOB00001: down\)$/);
});

test('missing information is reported as missing, and repeated words are shown once', () => {
  const fields = authenticationFields({ directory: directory(false, 'gone'), link: link(false, 'gone') });
  expect(fields.map(({ name, value }) => `${name}: ${plainText(value)}`)).toEqual([
    'Directory: not connected: gone',
    'Authentication: not linked',
    'Queue: not reported',
    'Daemons: not reported',
  ]);
  expect(plainText(withInfo('connected', 'Connected by Kerberos'))).toBe('connected by Kerberos');
  expect(plainText(withInfo('connected', 'Connected'))).toBe('connected: Connected');
});

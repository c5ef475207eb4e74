import { expect, test } from 'vitest';
import {
  channel,
  clock,
  code,
  group,
  messageLink,
  moment,
  person,
  say,
  strong,
} from '../../handlers/reply.ts';
import { consentOf, isConsentReadable, isDelegated } from './consent.ts';
import { isReadable, type Shown, shownOf, shownToStore, targetsIn } from './stored.ts';

const words = say`${strong('a')} ${code('b')} ${person('U1')} ${group('S1')} ${channel('C1')} ${messageLink('c', 'C1', '1.2')} ${clock(1)} ${moment(2)}`;
const shown: Shown = {
  question: words,
  fields: [{ name: 'State', value: words }],
  targets: [
    { appliance: 'hq', args: { session: 12 }, fingerprint: { owner: 'bob', id: 12, up: true, no: null } },
  ],
};
const written = (value: Shown) => JSON.parse(JSON.stringify(shownToStore(value)));
const need = { by: ['approver'], count: 1, holders: ['U1'] };
const consent = {
  needs: [{ ...need, delegates: true }],
  requester: false,
  open: 60_000,
  reason: null,
  unattended: false,
};
const action = { preview: undefined, consent: undefined };

test('a preview is read as it was shown', () => {
  expect(shownOf({ preview: written(shown) })).toEqual(shown);
  expect(shownOf({ preview: undefined })).toBeUndefined();
});

test('one of a version that had another name for the fingerprint is read as it was shown', () => {
  const { targets, ...rest } = shown;
  const former = targets.map(({ fingerprint, ...target }) => ({ ...target, subject: fingerprint }));
  expect(shownOf({ preview: written({ ...rest, targets: former as never }) })).toEqual(shown);
});

test('one of the first version, which knew no targets, has none', () => {
  const first = { question: ['Disconnect?'], fields: [], subject: { owner: 'bob' } };
  expect(shownOf({ preview: first })).toEqual({ question: ['Disconnect?'], fields: [], targets: [] });
});

test.each<[string, (preview: ReturnType<typeof written>) => unknown]>([
  ['nothing', () => null],
  ['text', () => 'Disconnect?'],
  ['no question', ({ question, ...rest }) => rest],
  [
    'a word of a kind that nobody knows',
    (preview) => ({ ...preview, question: [{ kind: 'link', text: 'a' }] }),
  ],
  ['a word that has the name of a method', (preview) => ({ ...preview, question: [{ kind: 'toString' }] })],
  ['a person without an ID', (preview) => ({ ...preview, question: [{ kind: 'person' }] })],
  [
    'a time that is none',
    (preview) => ({ ...preview, question: [{ kind: 'time', at: 'now', style: 'date' }] }),
  ],
  ['fields that are none', (preview) => ({ ...preview, fields: [{ name: 1, value: [] }] })],
  [
    'targets without arguments',
    (preview) => ({ ...preview, targets: [{ appliance: 'hq', fingerprint: {} }] }),
  ],
  [
    'a fingerprint with a list',
    (preview) => ({ ...preview, targets: [{ ...shown.targets[0], fingerprint: { a: [] } }] }),
  ],
])('what was shown with %s is not understood, and there is nothing to act on', (_, edit) => {
  const preview = edit(written(shown)) as never;
  expect(shownOf({ preview })).toBeUndefined();
  expect(targetsIn({ preview } as never)).toEqual([]);
  expect(isReadable({ ...action, preview })).toBe(false);
});

test('a consent that an earlier version wrote still delegates', () => {
  const { needs, ...rest } = consent;
  const former = { ...rest, needs: needs.map(({ delegates, ...one }) => ({ ...one, lends: delegates })) };
  expect(consentOf({ consent: former })).toEqual(consent);
  expect(isDelegated({ consent: former })).toBe(true);
  expect(isReadable({ ...action, consent: former })).toBe(true);
});

test.each<[string, unknown]>([
  ['nothing', null],
  ['no needs', { ...consent, needs: [] }],
  ['needs that nobody has to meet', { ...consent, needs: [{ ...need, delegates: false, count: 0 }] }],
  ['needs of nobody knows whom', { ...consent, needs: [{ count: 1, delegates: false, holders: [] }] }],
])('a consent with %s is met by nobody', (_, broken) => {
  const read = consentOf({ consent: broken as never });
  expect(read?.needs.every(({ by, count }) => by.length === 0 && count > 0)).toBe(true);
  expect(read?.needs).not.toEqual([]);
  expect(read?.requester).toBe(false);
  expect(isConsentReadable({ consent: broken as never })).toBe(false);
});

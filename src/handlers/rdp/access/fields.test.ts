import { describe, expect, test } from 'vitest';
import { plainText } from '../../reply.ts';
import { compare, replacementOf, setFields, typedAgain } from './fields.ts';

const read = (typed: string) => {
  const reading = setFields.read(typed);
  return reading.ok ? reading.value : reading.problem.code;
};

describe('--set', () => {
  test.each([
    ['address=10.20.1.44', { address: '10.20.1.44' }],
    ['address=10.20.1.44 port=22', { address: '10.20.1.44', port: '22' }],
    [
      'a=1, description=Old books, read only; port = 22',
      { a: '1', description: 'Old books, read only', port: '22' },
    ],
    ['description="Old books" a=1', { description: 'Old books', a: '1' }],
    ['description=', { description: '' }],
    ['url=http://x/?a=b', { url: 'http://x/?a=b' }],
  ])('%s is accepted', (typed, fields) => expect(read(typed)).toEqual(fields));

  test.each(['address', 'the address=1', '=1', 'passphrase=x', 'id=7', 'target_id=7'])(
    '%s is refused',
    (typed) => expect(read(typed)).toBe('malformed'),
  );

  test.each([
    { description: 'see x=1' },
    { description: 'a --on hq' },
    { description: 'two  blanks' },
    { note: '“so”' },
  ])('a value that a line cannot express is not offered for typing again: %j', (fields) =>
    expect(typedAgain(fields)).toBeUndefined(),
  );

  test('everything else survives a round trip', () => {
    const fields = { description: 'Old books, read only', port: '22' };
    expect(read(typedAgain(fields) ?? '')).toEqual(fields);
  });
});

test('a replacement keeps everything but the ID, lists and hidden fields, in the appliance’s spelling', () => {
  const fields = { ID: '7', Name: 'srv', Port: '22', password: '(hidden)', members: '[{"id":1}]' };
  expect(replacementOf(fields, { port: '23' })).toEqual({ Name: 'srv', Port: '23' });
});

describe('reading back', () => {
  const words = (...given: Parameters<typeof compare>) => {
    const verification = compare(...given);
    return [
      verification.kind,
      'evidence' in verification ? plainText(verification.evidence) : verification.why,
    ];
  };

  test('confirms an equal value, also in another spelling', () => {
    expect(words('changed', 'policy 4', { Allow_Audio: 'True' }, { allow_audio: '1' })).toEqual([
      'happened',
      'Policy 4 read back: Audio is allowed.',
    ]);
  });

  test('an unchanged field shows that the change did not happen; a created thing exists even with other fields', () => {
    const given = ['target 27', { port: '22' }, { port: '23' }] as const;
    expect(words('changed', ...given)).toEqual(['not_happened', 'Target 27 read back: port is 22.']);
    expect(words('created', ...given)).toEqual([
      'happened',
      'Target 27 read back: it exists. But port is 22.',
    ]);
  });

  test('an unreported field is not called checked', () => {
    expect(words('changed', 'target 27', { port: '22' }, { colour: 'red' })).toEqual([
      'not_checkable',
      'the API does not report colour of target 27',
    ]);
    expect(words('changed', 'target 27', { port: '22' }, { port: '22', colour: 'red' })).toEqual([
      'happened',
      'Target 27 read back: port is 22. It does not report colour, so that is not verified.',
    ]);
  });
});

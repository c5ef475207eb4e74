import { expect, test } from 'vitest';
import { contentOf, whisperTo } from './messages.ts';

test('a button that waits in the journal still says to whoever only hears it what it is about', () => {
  const button = { press: 'cancel', label: 'Cancel', about: 'vlan stop 3', token: 'abc' } as const;
  const said = { headline: ['Planned'], details: [{ kind: 'buttons', buttons: [button] } as const] };
  const message = whisperTo({ channel: 'C1', person: 'U1' }, said);
  const stored = JSON.parse(JSON.stringify(message.content));
  const unsent = { ...message, content: stored, createdAt: 0, tries: 0, isMaybeDelivered: false };
  expect(contentOf(unsent)).toMatchObject({ said });
});

import { expect, test } from 'vitest';
import type { Kept, NewAction } from '../../journal/journal.ts';
import type { Invocation, Press } from '../base/chat.ts';
import { createInteractionLog } from '../history/interactions.ts';
import { createOffers } from './offers.ts';

/** What no page of Slack would send, but somebody who makes up a click could. Honest clicks: `test/offers.test.ts`. */

const offer: Kept = {
  ...{ token: 't', kind: 'offer', content: { line: 'acl object enable 3' }, person: 'U1', channel: 'C1' },
  ...{ action: 'a1', until: 1, takenBy: undefined, takenAt: undefined, became: undefined },
};

function start(kept: Kept | undefined) {
  const [asked, whispered, recorded]: [string[], string[], object[]] = [[], [], []];
  const requests: unknown[] = [];
  const journal = {
    kept: async () => kept,
    byId: async () => ({ appliance: 'hq' }),
    write: async ({ state, person, line, appliance, interaction, outcome }: NewAction) => {
      recorded.push({ state, person, line, appliance, interaction, code: outcome?.code });
      return { id: 'a2' };
    },
  } as never;
  const whisper = async (to: { readonly person: string }) => void whispered.push(to.person);
  const interactionLog = createInteractionLog({
    journal,
    authority: { policy: () => ({}) as never },
    whisper,
  });
  // Only what is used of it.
  const parts = { commandByPhrase: new Map(), journal, interactionLog, notifications: {} } as never;
  const ask = async ({ line, accessRequest }: Invocation) => {
    asked.push(line);
    requests.push(accessRequest);
  };
  const press = (given: Partial<Press>) =>
    createOffers(
      parts,
      ask,
    )({ team: 'T1', channel: 'C1', person: 'U2', button: 'offer', token: 't', card: '1', ...given });
  return { press, asked, requests, whispered, recorded };
}

test.each<[string, Kept | undefined, Partial<Press>, object]>([
  [
    'what was offered to somebody else',
    offer,
    {},
    { line: 'acl object enable 3', appliance: 'hq', code: 'not_your_offer' },
  ],
  [
    'what is taken',
    { ...offer, takenBy: 'U1', takenAt: 1 },
    { person: 'U1' },
    { line: 'acl object enable 3', appliance: 'hq', code: 'offer_gone' },
  ],
  [
    'what was offered in another channel, of which nothing is told here',
    offer,
    { channel: 'C2' },
    { line: '(no longer kept)', appliance: undefined, code: 'offer_gone' },
  ],
  [
    'what can no longer be read',
    { ...offer, content: { line: 7 } },
    { person: 'U1' },
    { line: '(no longer kept)', appliance: 'hq', code: 'card_gone' },
  ],
  ['what nobody knows', undefined, {}, { line: '(no longer kept)', code: 'offer_gone' }],
])('a click on %s runs nothing, is answered, and is recorded', async (_, kept, given, record) => {
  const { press, asked, whispered, recorded } = start(kept);
  await press(given);
  const person = given.person ?? 'U2';
  expect(asked).toEqual([]);
  expect(whispered).toEqual([person]);
  expect(recorded).toMatchObject([
    { ...record, person, state: 'refused', interaction: { kind: 'refused_click', button: 'offer' } },
  ]);
});

test('a click of whoever it was offered to is no refusal', async () => {
  const { press, asked, recorded } = start(offer);
  await press({ person: 'U1' });
  expect(asked).toEqual(['acl object enable 3']);
  expect(recorded).toEqual([]);
});

test('an offer to ask others is one also where an earlier version kept it', async () => {
  const { press, requests } = start({ ...offer, content: { line: 'acl object enable 3', petition: true } });
  await press({ person: 'U1' });
  expect(requests).toEqual([true]);
});

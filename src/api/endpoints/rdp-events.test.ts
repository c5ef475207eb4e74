import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { onlyNockAnswers } from '../../../test/nock.ts';
import { appliance, url } from './testing.ts';

onlyNockAnswers();

describe('access events', () => {
  const some = (count: number) => Array.from({ length: count }, (_, id) => ({ id, user: 'bob.miller' }));
  const eventsFrom = (count: number) => {
    nock(url)
      .get('/rdpproxy/events?limit=500')
      .reply(200, { Status: true, Events: some(count) });
    return appliance.rdp.listEvents();
  };

  test('arrive as the appliance wrote them', async () => {
    const { events } = await eventsFrom(2);
    expect(events).toEqual([
      { id: '0', user: 'bob.miller' },
      { id: '1', user: 'bob.miller' },
    ]);
  });

  test('may be cut at 500, but not at 499', async () => {
    expect((await eventsFrom(499)).mayBeCut).toBe(false);
    expect((await eventsFrom(500)).mayBeCut).toBe(true);
  });

  test('may be cut if as many arrive as requested', async () => {
    nock(url)
      .get('/rdpproxy/events?limit=2')
      .reply(200, { Status: true, Events: some(2) });
    expect((await appliance.rdp.listEvents({ limit: 2 })).mayBeCut).toBe(true);
  });

  test('are requested without filters by default', async () => {
    nock(url).get('/rdpproxy/events?reason=mfa%20failed&limit=20').reply(200, { Status: true, Events: null });
    expect(await appliance.rdp.listEvents({ reason: 'mfa failed', limit: 20 })).toEqual({
      events: [],
      mayBeCut: false,
    });
  });

  test.each([0, 501, 1.5])('the limit %d is not sent', async (limit) => {
    await expect(appliance.rdp.listEvents({ limit })).rejects.toMatchObject({
      code: 'bad_argument',
      argument: 'limit',
    });
  });
});

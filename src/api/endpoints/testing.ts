import nock from 'nock';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { connectAppliance } from '../client.ts';

/** For the tests of the areas: an appliance whose answers are told by nock, and which nothing else can be reached by. */
export const url = 'http://appliance.test:9503';
export const appliance = connectAppliance({ name: 'lab', url, release: '4.50 SP5' });

beforeAll(() => nock.disableNetConnect());
afterEach(() => nock.cleanAll());
afterAll(async () => {
  await appliance.close();
  nock.restore();
});

export const answers = (path: string, body: nock.Body) => nock(url).get(path).reply(200, body);

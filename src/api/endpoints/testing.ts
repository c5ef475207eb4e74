import nock from 'nock';
import { connectAppliance } from '../client.ts';

/** For the tests of the areas: an appliance whose answers are told by nock. Nothing stays open that would have to be closed. */
export const url = 'http://appliance.test:9503';
export const appliance = connectAppliance({ name: 'lab', url, release: '4.50 SP5' });

export const answers = (path: string, body: nock.Body) => nock(url).get(path).reply(200, body);

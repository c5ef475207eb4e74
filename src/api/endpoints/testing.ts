import nock from 'nock';
import { connectAppliance } from '../client.ts';

/** For tests of the areas: an appliance with mocked answers. Nothing needs closing. */
export const url = 'http://192.0.2.10:9503';
export const appliance = connectAppliance({ name: 'lab', url, release: '4.50 SP5' });

export const answers = (path: string, body: nock.Body) => nock(url).get(path).reply(200, body);

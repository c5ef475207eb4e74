import nock from 'nock';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** For all tests of a file: nock answers every HTTP request as set, or with an error. */
export function onlyNockAnswers(): void {
  beforeAll(() => {
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
  });
  afterEach(() => nock.cleanAll());
  // Files share a process, and the next one may ask real servers.
  afterAll(() => nock.restore());
}

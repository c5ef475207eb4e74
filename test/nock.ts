import nock from 'nock';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** For all tests of a file: whatever is asked over HTTP is answered by what the test has told nock, or ends with an error. */
export function onlyNockAnswers(): void {
  beforeAll(() => {
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
  });
  afterEach(() => nock.cleanAll());
  // Files share a process, and the next one may ask real servers.
  afterAll(() => nock.restore());
}

import { describe, test } from 'vitest';
import { ofHttp } from './http.ts';
import { expectWaking } from './scene.ts';

describe('somebody is woken, with a line and a metric, by', () => {
  test.each(Object.entries(ofHttp))('%s', expectWaking);
});

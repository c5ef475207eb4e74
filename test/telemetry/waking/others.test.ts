import { describe, test } from 'vitest';
import { ofOthers } from './others.ts';
import { expectWaking } from './scene.ts';

describe('somebody is woken, with a line and a metric, by', () => {
  test.each(Object.entries(ofOthers))('%s', expectWaking);
});

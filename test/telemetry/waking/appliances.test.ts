import { describe, test } from 'vitest';
import { ofAppliances } from './appliances.ts';
import { expectWaking } from './scene.ts';

describe('somebody is woken, with a line and a metric, by', () => {
  test.each(Object.entries(ofAppliances))('%s', expectWaking);
});

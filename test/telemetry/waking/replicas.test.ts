import { describe, test } from 'vitest';
import { ofReplicas } from './replicas.ts';
import { expectWaking } from './scene.ts';

describe('somebody is woken, with a line and a metric, by', () => {
  test.each(Object.entries(ofReplicas))('%s', expectWaking);
});

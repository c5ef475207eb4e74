import { describe, test } from 'vitest';
import { expectWaking } from './scene.ts';
import { ofSlack } from './slack.ts';

describe('somebody is woken, with a line and a metric, by', () => {
  test.each(Object.entries(ofSlack))('%s', expectWaking);
});

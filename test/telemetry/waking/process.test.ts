import { describe, test } from 'vitest';
import { ofProcess } from './process.ts';

describe('somebody is woken, with a line and a metric, by', () => {
  test.each(Object.entries(ofProcess))('%s', (_, happens) => happens());
});

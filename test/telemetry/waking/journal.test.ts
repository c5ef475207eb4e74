import { describe, test } from 'vitest';
import { ofJournal } from './journal.ts';
import { expectWaking } from './scene.ts';

describe('somebody is woken, with a line and a metric, by', () => {
  test.each(Object.entries(ofJournal))('%s', expectWaking);
});

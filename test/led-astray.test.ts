import { test } from 'vitest';
import { expectNobodyLedAstray } from './led-astray/expect-zeros.ts';

test('nobody is led astray by a line that is no exact command: a sample of those of each kind', async () => {
  await expectNobodyLedAstray(20);
});

import { test } from 'vitest';
import { expectNobodyLedAstray } from './led-astray/expect-zeros.ts';

test('no line that is no exact command leads anybody astray: a sample of each kind', async () => {
  await expectNobodyLedAstray(30);
}, 180_000);

import { writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { expectNobodyLedAstray } from '../led-astray/expect-zeros.ts';

test('nobody is led astray by a line that is no exact command', async () => {
  const told = await expectNobodyLedAstray(1);
  process.stdout.write(`${told.slice(0, told.indexOf('\n\n'))}\n`);
  const { LED_ASTRAY } = process.env;
  if (LED_ASTRAY !== undefined) writeFileSync(LED_ASTRAY, told);
});

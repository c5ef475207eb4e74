import { expect, test } from 'vitest';
import { absentAppliance } from './absent.ts';
import * as areas from './endpoints/index.ts';
import { NotConfigured } from './errors.ts';

test('every call of an appliance that is not configured says so, also combined calls and those of a dry run', async () => {
  const appliance = absentAppliance('branch-2');
  await expect(appliance.directory.disableEmergency()).rejects.toThrow(NotConfigured);
  const calls: (() => Promise<unknown>)[] = [appliance, appliance.dryRun(() => undefined)].flatMap((one) =>
    Object.keys(areas).flatMap((area) => Object.values<never>(Object(one)[area])),
  );
  expect(calls.length).toBeGreaterThan(300);
  for (const call of calls) await expect(call()).rejects.toMatchObject({ sent: 'no', setting: 'url' });
});

import { expect, test } from 'vitest';
import { releaseOf } from './release.ts';

test.each([
  [{ major: '4.50', version: '4.50 Service Pack 5', servicePack: '5' }, '4.50 Service Pack 5'],
  [{ major: '4.50', version: '4.50.1', servicePack: '5' }, '4.50.1 Service Pack 5'],
  [{ major: '4.50', version: '', servicePack: '' }, '4.50'],
  [{ major: '', version: '', servicePack: '6' }, 'Service Pack 6'],
  [{ major: '', version: '', servicePack: '' }, 'not reported'],
  [{ major: '4.30', version: 'Service Pack', servicePack: '' }, '4.30'],
  [
    { major: '4.50', version: '4.50 SP4', servicePack: '4', hotfix: '2025052512' },
    '4.50 SP4 hotfix 20250525-12',
  ],
  [
    { major: '4.50', version: '4.50 SP4 hotfix 20250525-12', servicePack: '4', hotfix: '2025052512' },
    '4.50 SP4 hotfix 20250525-12',
  ],
  [{ major: '4.50', version: '4.50', servicePack: '', hotfix: 'seventh' }, '4.50 hotfix seventh'],
])('a release has the appliance’s own name: %j', (told, name) => {
  expect(releaseOf(told)).toBe(name);
});

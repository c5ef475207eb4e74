import { describe, expect, test } from 'vitest';
import type { ApplianceVersion } from '../../api/index.ts';
import { plainText } from '../reply.ts';
import { judgeUpgrade, upgradeState } from './upgrade.ts';

const before: ApplianceVersion = {
  major: '4.50',
  version: '4.50 Service Pack 5',
  servicePack: '5',
  latestUpgrade: 'old.tgz uploaded\nThe hotfix is installed',
};

/** What is said of an upgrade after which the appliance tells this. */
function judged(now: Partial<ApplianceVersion>, uploaded = true) {
  const verification = judgeUpgrade(
    'hq',
    'new.tgz',
    { ...before, ...now },
    { ...upgradeState(before), uploaded },
  );
  return [verification.kind, 'evidence' in verification ? plainText(verification.evidence) : ''] as const;
}

describe('an upgrade', () => {
  test('has happened when the release or the service pack is another one', () => {
    expect(judged({ version: '4.50 Service Pack 6' })).toEqual([
      'happened',
      'hq runs 4.50 Service Pack 6 now; it was 4.50 Service Pack 5.',
    ]);
    expect(judged({ servicePack: '6' })[0]).toBe('happened');
  });

  test.each(['The hotfix is installed', 'Service pack 5: installed', 'upgrade finished'])(
    'has happened when a new last event says so: %s',
    (event) => {
      const [kind, evidence] = judged({ latestUpgrade: `new.tgz uploaded\n${event}` });
      expect(kind).toBe('happened');
      expect(evidence).toContain(
        `Its last event says: “${event}”. It calls its release 4.50 Service Pack 5, as before.`,
      );
    },
  );

  test.each([
    'Failed: disk full',
    'the hotfix is not installed',
    'Error 12',
    'Service pack installed with errors',
  ])('has not happened when a new last event says so: %s', (event) => {
    expect(judged({ latestUpgrade: `new.tgz uploaded\n${event}` })).toEqual([
      'not_happened',
      `hq still runs 4.50 Service Pack 5. Its last event says: “${event}”.`,
    ]);
  });

  test.each([
    'hotfix uploaded successfully',
    'Download of the service pack completed',
    'Installing',
    '50% done',
  ])('goes on after a step on its way: %s', (event) => {
    const [kind, evidence] = judged({ latestUpgrade: event });
    expect(kind).toBe('under_way');
    expect(evidence).toContain('new.tgz is correctly uploaded; the upgrade runs in the background');
  });

  test('is not judged by the name of its file, nor by errors that there were none of', () => {
    const named = judgeUpgrade(
      'hq',
      'fix-error-12.tgz',
      { ...before, latestUpgrade: 'fix-error-12.tgz uploaded' },
      upgradeState(before),
    );
    expect(named.kind).toBe('under_way');
    expect(judged({ latestUpgrade: 'Upgrade finished, 0 errors' })[0]).toBe('happened');
  });

  test('of which nothing shows goes on, and the end of the one before it is not taken for its own', () => {
    expect(judged({})[0]).toBe('under_way');
    expect(judged({}, false)).toEqual([
      'under_way',
      'I do not know whether new.tgz arrived as a whole, and nothing of it is visible yet: hq still runs 4.50 Service Pack 5.',
    ]);
  });
});

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

/** The verdict on an upgrade after which the appliance reports this. */
function judged(now: Partial<ApplianceVersion>, uploaded = true, name = 'new.tgz') {
  const verification = judgeUpgrade(
    'hq',
    { what: 'service pack', name },
    { ...before, ...now },
    { ...upgradeState(before), uploaded },
  );
  return [verification.kind, 'evidence' in verification ? plainText(verification.evidence) : ''] as const;
}

describe('an upgrade', () => {
  test.each(['new-sp6.tgz', 'SP6.tgz', 'service-pack-006.zip'])(
    'is reported by events without a file name only if the appliance has confirmed the file',
    (name) => {
      for (const uploaded of [true, false]) {
        expect(judged({ version: '4.50 Service Pack 6' }, uploaded, name)).toEqual([
          'happened',
          'hq now runs 4.50 Service Pack 6; before: 4.50 Service Pack 5.',
        ]);
      }
      expect(judged({ version: '4.50', servicePack: '6' }, true, name)[0]).toBe('happened');
    },
  );

  test.each<[name: string, now: Partial<ApplianceVersion>]>([
    ['new.tgz', { version: '4.50 Service Pack 6' }],
    ['sp7.tgz', { version: '4.50 Service Pack 6' }],
    ['sp5.tgz', { hotfix: '2026112001' }],
    [
      'sp7.tgz',
      { version: '4.50 Service Pack 6', latestUpgrade: 'sp6.tgz uploaded\nService pack installed' },
    ],
    ['sp7.tgz', { version: '4.50 Service Pack 6', latestUpgrade: 'sp7.tgz uploaded' }],
    ['sp7.tgz', { latestUpgrade: 'sp7.tgz uploaded\nsp6.tgz uploaded\nService pack installed' }],
  ])('is not proved by the release of somebody else: %s after %j', (name, now) => {
    expect(judged(now, true, name)[0]).toBe('under_way');
    expect(judged(now, false, name)[0]).toBe('under_way');
  });

  test('is told by events that name no file only where the appliance said to have taken it', () => {
    const unnamed = { version: '4.50 Service Pack 6', latestUpgrade: 'Service pack installed' };
    expect(judged(unnamed)[0]).toBe('happened');
    expect(judged(unnamed, false)).toEqual([
      'under_way',
      'hq now runs 4.50 Service Pack 6; before: 4.50 Service Pack 5. Nothing shows that this is the result of new.tgz. The last event: “Service pack installed”.',
    ]);
    const going = `${before.latestUpgrade}\nService pack installed`;
    expect(judged({ latestUpgrade: going })[0]).toBe('under_way');
    expect(judged({ latestUpgrade: 'Failed: disk full' }, false)[0]).toBe('under_way');
  });

  test.each(['The hotfix is installed', 'Service pack 5: installed', 'upgrade finished'])(
    'has happened when a new last event says so: %s',
    (event) => {
      const [kind, evidence] = judged({ latestUpgrade: `new.tgz uploaded\n${event}` });
      expect(kind).toBe('happened');
      expect(evidence).toContain(
        `Its last event: “${event}”. The reported release is 4.50 Service Pack 5, as before.`,
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
      `hq still runs 4.50 Service Pack 5. Its last event: “${event}”.`,
    ]);
  });

  test.each([
    'hotfix uploaded successfully',
    'Download of the service pack completed',
    'Installing',
    '50% done',
  ])('continues after an intermediate step: %s', (event) => {
    const [kind, evidence] = judged({ latestUpgrade: event });
    expect(kind).toBe('under_way');
    expect(evidence).toContain('new.tgz was uploaded completely; the upgrade runs in the background');
  });

  test('is not judged by the name of its file, nor by a report of no errors', () => {
    const named = judgeUpgrade(
      'hq',
      { what: 'hotfix', name: 'fix-error-12.tgz' },
      { ...before, latestUpgrade: 'fix-error-12.tgz uploaded' },
      upgradeState(before),
    );
    expect(named.kind).toBe('under_way');
    expect(judged({ latestUpgrade: 'Upgrade finished, 0 errors' })[0]).toBe('happened');
  });

  test('continues while nothing shows it, and does not take the end of an earlier one for its own', () => {
    expect(judged({})[0]).toBe('under_way');
    expect(judged({}, false)).toEqual([
      'under_way',
      'It is unknown whether new.tgz arrived completely, and no result is visible yet: hq still runs 4.50 Service Pack 5.',
    ]);
  });
});

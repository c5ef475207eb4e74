import { describe, expect, test } from 'vitest';
import { processorTime } from '../../test/processor-time.ts';
import {
  engineKey,
  has,
  keepsUpdater,
  parseReleaseName,
  type Release,
  readAvailability,
  readRelease,
  releaseName,
  type ToldVersion,
} from './release.ts';

/** The release in the texts, as people read it. */
function read(said: Partial<ToldVersion>): string | undefined {
  const release = readRelease({ major: '', version: '', servicePack: '', ...said });
  return release && releaseName(release);
}

function release(name: string): Release {
  const parsed = parseReleaseName(name);
  if (parsed === undefined) throw new Error(`${name} is not a release`);
  return parsed;
}

function ask(name: string, availability: string) {
  return has(release(name), readAvailability(availability));
}

describe('the release that /appliance_version reports', () => {
  test.each([
    ['4.50', '4.50'],
    [' 4.50\n', '4.50'],
    ['v4.50', '4.50'],
    ['Appliance 4.50', '4.50'],
    ['4.50.000000', '4.50'],
    ['4.50.000000 Service Pack 5', '4.50 SP5'],
    ['4.50.000000 service pack: 5', '4.50 SP5'],
    ['4.50 service_pack=05', '4.50 SP5'],
    ['4.50 SP4', '4.50 SP4'],
    ['4.50SP4', '4.50 SP4'],
    ['4.50-sp4', '4.50 SP4'],
    ['4.50 SP4 hotfix 20250525-12', '4.50 SP4 hotfix 20250525-12'],
    ['4.50.000000 Service Pack 4 (hotfix-20250525-12.tgz)', '4.50 SP4 hotfix 20250525-12'],
    ['4.50 hotfix 20240220-01', '4.50 hotfix 20240220-01'],
    ['4.30.141', '4.30 SP141'],
    ['4.30.000000 Service Pack 141', '4.30 SP141'],
    ['4.50.000000 on kernel 6.1 at 192.168.1.1', '4.50'],
    [' 4.50 on kernel 6.1', '4.50'],
    ['4.100', '4.100'],
  ])('the version text %j is %s', (version, name) => {
    expect(read({ major: '4', version })).toBe(name);
  });

  test.each(['5', ' 5 ', '05', 'SP5', 'sp 5', 'SP-5', 'Service Pack 5', '5 hotfix', '4.50 SP5'])(
    'the service pack %j is service pack 5',
    (servicePack) => {
      expect(read({ version: '4.50', servicePack })).toBe('4.50 SP5');
    },
  );

  test.each(['', '0', 'SP0', 'none', '-1', '4.50', '2025-05-25', '20250525', 'wasp 5'])(
    'the service pack %j is none',
    (servicePack) => {
      expect(read({ version: '4.50', servicePack })).toBe('4.50');
    },
  );

  test('the service pack is the higher one when its field lags behind the version text, or the other way round', () => {
    expect(read({ version: '4.50 SP5', servicePack: '0' })).toBe('4.50 SP5');
    expect(read({ version: '4.50 SP4', servicePack: '5' })).toBe('4.50 SP5');
  });

  test('a service pack that is only on offer does not count', () => {
    expect(read({ version: '4.50 SP4, SP5 is available' })).toBe('4.50 SP4');
  });

  test('a service pack that was only uploaded does not count, because the upgrade runs later and can fail', () => {
    expect(read({ version: '4.50', servicePack: '4', latestUpgrade: 'Service Pack 5 uploaded' })).toBe(
      '4.50 SP4',
    );
  });

  test('a third part says the service pack only where nothing else does, and six digits are a build', () => {
    expect(read({ version: '4.30.141', servicePack: '7' })).toBe('4.30 SP7');
    expect(read({ version: '4.30.141', servicePack: '0' })).toBe('4.30');
    expect(read({ version: '4.30.141 SP8' })).toBe('4.30 SP8');
    expect(read({ version: '4.30.101713' })).toBe('4.30');
  });

  test.each<Partial<ToldVersion>>([
    { major: '4.50 hotfix 20250525-12' },
    { version: '4.50 20250525-12' },
    { servicePack: '0 hotfix 20250525-12' },
    { latestUpgrade: 'installed hotfix_20250525-12.tgz: done' },
  ])('a hotfix counts from %j', (said) => {
    expect(read({ major: '4.50', ...said })).toBe('4.50 hotfix 20250525-12');
  });

  test('the newest hotfix wins, by date and then by number', () => {
    const version = '4.50 hotfix 20250525-9';
    expect(read({ version, latestUpgrade: '20240914-17, 20250525-12, 20250525-2' })).toBe(
      '4.50 hotfix 20250525-12',
    );
    expect(read({ version, latestUpgrade: '20240914-17' })).toBe(version);
  });

  test.each([
    '20250525-120000 upgrade started',
    '20250525-12:30:01 upgrade started',
    '20250525-12-30',
    '20251325-12',
    '20250532-12',
    '120250525-12',
    '2025-05-25 12:00',
  ])('%j in the events is a time or a number, not a hotfix', (latestUpgrade) => {
    expect(read({ version: '4.50', latestUpgrade })).toBe('4.50');
  });

  test.each<Partial<ToldVersion>>([
    { major: '4.50' },
    { major: '4.50.000000', version: 'Service Pack 0' },
    { major: '4', version: '4.50' },
    { major: 'v4', version: '4.50' },
    { major: '4.5', version: '4.50' },
    { major: 'stable', version: '4.50' },
    { major: '', version: '4.50' },
    { major: '4.50', version: 'kernel 5.10, appliance 4.50' },
    { version: 'appliance 4.50 (4.50.000000)' },
  ])('%j is 4.50 for certain', (said) => {
    expect(read(said)).toBe('4.50');
  });

  test.each<Partial<ToldVersion>>([
    {},
    { major: '4' },
    { major: '4', version: '4', servicePack: '5' },
    { major: '4', version: '50.000000' },
    { major: '4', version: 'Service Pack 5' },
    { major: '5', version: '4.50' },
    { major: '4.30', version: '4.50' },
    { version: 'kernel 5.10, appliance 4.50' },
    { version: '4,50' },
    { version: '٤.٥٠' },
    { version: '192.168.1.1' },
    { version: '10.0.0.1' },
    { version: '20250525-12' },
    { version: '<b>unknown</b>' },
    { servicePack: '4.50 SP5', latestUpgrade: '4.50 SP5' },
  ])('%j names no version for certain', (said) => {
    expect(readRelease({ major: '', version: '', servicePack: '', ...said })).toBeUndefined();
  });

  test('without a hotfix there is no such key', () => {
    expect(readRelease({ major: '4', version: '4.50', servicePack: 'SP5' })).toStrictEqual({
      version: '4.50',
      servicePack: 5,
    });
  });

  test('a very long text is read at once', () => {
    const spent = processorTime(() => {
      for (const piece of ['service ', 'sp-', '1.1.', '4.50 ', '20250525-', '20250525-12 ']) {
        const text = piece.repeat(50_000);
        readRelease({ major: text, version: text, servicePack: text, latestUpgrade: text });
      }
    });
    expect(spent).toBeLessThan(2_000);
  });
});

describe('the name of a release', () => {
  test.each([
    '4.50',
    '4.50 SP4',
    '4.50 hotfix 20230911-11',
    '4.50 SP4 hotfix 20250525-12',
    '4.30 SP141',
    '5.0',
  ])('%s comes back as it was written', (name) => {
    expect(releaseName(release(name))).toBe(name);
  });

  test('people may write it with other case, spaces and words', () => {
    expect(parseReleaseName('  4.50  sp 4   Hotfix 20250525-12 ')).toStrictEqual({
      version: '4.50',
      servicePack: 4,
      hotfix: '20250525-12',
    });
    expect(parseReleaseName('4.50 Service Pack 5')).toStrictEqual({ version: '4.50', servicePack: 5 });
  });

  test.each([
    '',
    '4',
    '4.50.000000',
    '4.50 SP',
    '4.50 SP4 20250525-12',
    '4.50 hotfix',
    '4.50 hotfix 2025-05-25',
    '4.50 hotfix 20251325-12',
    '4.50 hotfix 20250525-12 SP4',
    '4.50, SP4',
    'SP4',
    'latest',
    '0.50',
    '4.50 SP-4',
    '4.50 SP99999',
  ])('%j is not the name of a release', (text) => {
    expect(parseReleaseName(text)).toBeUndefined();
  });
});

describe('whether a release has an operation', () => {
  const sql = '4.50 hotfix 20230911-11, or 4.50 SP1';
  const acl = '4.50 SP5, or 4.50 SP4 hotfix 20250525-12';

  test.each([
    ['4.50 SP1', sql],
    ['4.50 SP2', sql],
    ['4.50 hotfix 20230911-11', sql],
    ['4.50 hotfix 20230911-12', sql],
    ['4.50 hotfix 20230912-01', sql],
    ['4.50 SP5', acl],
    ['4.50 SP12', acl],
    ['4.50 SP5 hotfix 20240101-01', acl],
    ['4.50 SP4 hotfix 20250525-12', acl],
    ['4.50 SP4 hotfix 20250525-100', acl],
    ['4.50 SP4 hotfix 20260101-01', acl],
    ['4.51', acl],
    ['4.100', acl],
    ['5.0', acl],
    ['10.0', acl],
  ])('%s has what is available from %s', (name, availability) => {
    expect(ask(name, availability)).toBe('yes');
  });

  test.each([
    ['4.50', sql],
    ['4.50 hotfix 20230911-10', sql],
    ['4.50 hotfix 20230911-9', sql],
    ['4.50 hotfix 20230910-99', sql],
    ['4.30 SP141', sql],
    ['4.30 hotfix 20250525-12', sql],
    ['4.50 SP4', acl],
    ['4.50 SP4 hotfix 20250525-11', acl],
    ['4.50 SP4 hotfix 20250525-2', acl],
    ['4.50 SP3 hotfix 20250525-12', acl],
    ['4.50 hotfix 20260101-01', acl],
    ['4.5 SP5', acl],
    ['4.6 SP5', acl],
    ['3.100 SP9', acl],
  ])('%s lacks what is available from %s', (name, availability) => {
    expect(ask(name, availability)).toBe('no');
  });

  test('a leading zero in the number of a hotfix changes nothing', () => {
    const authdns = '4.50 SP1, or 4.50 hotfix 20240220-01';
    expect(ask('4.50 hotfix 20240220-1', authdns)).toBe('yes');
    expect(ask('4.50 hotfix 20240220-0', authdns)).toBe('no');
  });

  test.each(['4.30 SP141', '4.30 service pack 141 or later, or as a patch for 4.30'])(
    'the directory API, from %j, may be on an earlier 4.30 as an invisible patch',
    (availability) => {
      expect(ask('4.30 SP141', availability)).toBe('yes');
      expect(ask('4.30 SP142', availability)).toBe('yes');
      expect(ask('4.50', availability)).toBe('yes');
      expect(ask('4.30', availability)).toBe('unknown');
      expect(ask('4.30 SP140 hotfix 20250525-12', availability)).toBe('unknown');
      expect(ask('4.29 SP141', availability)).toBe('no');
    },
  );

  test('only that one service pack is known to exist as a patch too', () => {
    expect(ask('4.50 SP4', '4.50 SP5')).toBe('no');
    expect(ask('4.30', '4.30 SP142')).toBe('no');
  });

  test('an availability is plain data', () => {
    expect(readAvailability(acl)).toStrictEqual({
      from: [
        { version: '4.50', servicePack: 5 },
        { version: '4.50', servicePack: 4, hotfix: '20250525-12' },
      ],
      patchFor: [],
    });
    expect(readAvailability('4.30 SP141')).toStrictEqual({
      from: [{ version: '4.30', servicePack: 141 }],
      patchFor: ['4.30'],
    });
  });

  test.each([
    '4.50 SP1, or 4.50 hotfix 20230911-11',
    sql,
    '4.50 SP1, or 4.50 hotfix 20240112-15',
    '4.50 SP1, or 4.50 hotfix 20240220-01',
    '4.50 SP1, or 4.50 hotfix 20240311-15',
    '4.50 SP1, or 4.50 hotfix 20240903-18',
    '4.50 SP1, or 4.50 hotfix 20240914-17',
    acl,
    '4.50 SP5, or 4.50 SP4 hotfix 20250605-13',
    '4.50',
  ])('%s is understood', (text) => {
    expect(readAvailability(text).from).toHaveLength(text.split(', or ').length);
  });

  test.each([
    '',
    ' ',
    'always',
    '4.50 PS5',
    '4.50 sp5',
    '4.50 SP 5',
    '4.50 SP05',
    '4.50 SP0',
    ' 4.50 SP5',
    '4.50  SP5',
    '4.50 Hotfix 20250525-12',
    '4.50 hotfix 20251325-12',
    '4.50 SP5 or 4.50 SP4 hotfix 20250525-12',
    '4.50 SP5, 4.50 SP4 hotfix 20250525-12',
    '4.50 SP5, or ',
    '4.50 SP5, or SP4 hotfix 20250525-12',
    '4.30 service pack 141',
    '4.30 SP141 or later',
    '4.30 SP141, or as a patch',
    '4.30 SP141, or as a patch for 4.30 SP1',
    'update released after 2026-09-23',
  ])('the declaration %j fails at once', (text) => {
    expect(() => readAvailability(text)).toThrow(TypeError);
  });
});

describe('the REST engine', () => {
  test.each([
    ['1.190', 1190],
    ['1.19', 119],
    ['2.5', 25],
    ['1.05', 105],
    ['10.0', 100],
  ])('the update key of %s is %i, the version without its dot', (version, key) => {
    expect(engineKey(version)).toBe(key);
  });

  test.each([
    '',
    '1190',
    '1.',
    '.190',
    '1.190.1',
    '1..190',
    ' 1.190',
    '1.190\n',
    'v1.190',
    '-1.190',
    '1.1e3',
    '01.190',
    '0.9',
    '1,190',
    '1.1900000',
  ])('%j has no update key', (version) => {
    expect(engineKey(version)).toBeUndefined();
  });

  test.each(['1.189', '1.190', '1.1000', '2.5', '2.0', '10.1', '1.189.1'])(
    '%s keeps the updater',
    (version) => {
      expect(keepsUpdater(version)).toBe(true);
    },
  );

  test.each(['1.188', '1.19', '1.2', '1.9', '1.0', '0.200', '1.188.9'])(
    '%s removes the updater',
    (version) => {
      expect(keepsUpdater(version)).toBe(false);
    },
  );

  test.each(['', '1190', 'latest', '2.', ' 2.5', '2.5-beta'])(
    '%j is not known to keep the updater',
    (version) => {
      expect(keepsUpdater(version)).toBe(false);
    },
  );
});

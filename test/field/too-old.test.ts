import { expect, test } from 'vitest';
import { converse } from '../conversation.ts';
import { converseInTime, hotfixFile, send } from '../packages.ts';

const isTooOld =
  'Its engine is most likely too old (engine versions), or the object that the call names no longer exists.';
const isBelowUpdates =
  'Its engine is most likely older than 1.189, so it can’t be updated from here. Update it on the appliance itself.';

test.each([
  ['engine versions', 'listEngineVersions', '- /autoupdate/index', isBelowUpdates],
  ['engine update 1191', 'listEngineVersions', '- /autoupdate/index', isBelowUpdates],
  ['engine refresh', 'refreshEngineVersions', '- /autoupdate/refresh', isBelowUpdates],
  ['upgrade status', 'applianceVersion', '- /appliance_version', isTooOld],
])(
  '%s is explained with cause and remedy where the appliance has no %s, or another method',
  async (line, call, operation, cure) => {
    const { type, appliance } = await converse();
    appliance.faults.set(operation, { kind: 'status', status: 404 });
    const unknown = await type(`/appliance ${line}`, 'dana');
    expect(unknown).toContain('hq doesn’t know this call (HTTP 404).');
    expect(unknown).toContain(cure);
    appliance.faults.set(operation, { kind: 'status', status: 405, text: 'Method Not Allowed' });
    const refused = await type(`/appliance ${line}`, 'dana');
    expect(refused).toContain('hq requires another HTTP method for this call (HTTP 405).');
    expect(refused).toContain(
      `Set the method of directory.${call} under methods in the bot’s configuration.`,
    );
  },
);

test.each([
  [404, `hq doesn’t know this call (HTTP 404). ${isTooOld}`],
  [
    405,
    'hq requires another HTTP method for this call (HTTP 405). Set the method of directory.uploadHotfix under methods in the bot’s configuration.',
  ],
])(
  'an upload with the answer HTTP %d is explained with cause and remedy, and at once',
  async (status, sentence) => {
    let waited = 0;
    const all = await converseInTime((_, milliseconds) => {
      waited += milliseconds;
    });
    await send(all, hotfixFile);
    await all.press('Hotfix', 'dana');
    all.appliance.faults.set('POST /system/appliance/hotfix', {
      kind: 'status',
      status,
      ...(status === 405 && { text: 'Method Not Allowed' }),
    });
    const said = await all.press('Upload', 'dana');
    expect(said).toContain('❌ Uploading hotfix hotfix-20261120-01.tgz failed');
    expect(said).toContain(sentence);
    expect(waited).toBeLessThan(10_000);
  },
);

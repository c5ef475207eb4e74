import { expect, test } from 'vitest';
import { converse } from '../conversation.ts';
import { converseInTime, hotfixFile, send } from '../packages.ts';

const isTooOld = 'Its engine is most likely too old (engine versions), or what the call names is gone.';
const isBelowUpdates =
  'Its engine is most likely older than 1.189, so it can’t be updated from here. Update it on the appliance itself.';

test.each([
  ['engine versions', 'listEngineVersions', '- /autoupdate/index', isBelowUpdates],
  ['engine update 1191', 'listEngineVersions', '- /autoupdate/index', isBelowUpdates],
  ['engine refresh', 'refreshEngineVersions', '- /autoupdate/refresh', isBelowUpdates],
  ['upgrade status', 'applianceVersion', '- /appliance_version', isTooOld],
])(
  '%s is told with cause and cure where the appliance knows no %s, or another method',
  async (line, call, operation, cure) => {
    const { type, appliance } = await converse();
    appliance.faults.set(operation, { kind: 'status', status: 404 });
    expect(await type(`/appliance ${line}`, 'dana')).toContain(
      `hq doesn’t know this call (HTTP 404). ${cure}`,
    );
    appliance.faults.set(operation, { kind: 'status', status: 405, text: 'Method Not Allowed' });
    expect(await type(`/appliance ${line}`, 'dana')).toContain(
      `hq wants another HTTP method for this call (HTTP 405). Set that of directory.${call} under methods in the bot’s configuration.`,
    );
  },
);

test.each([
  [404, `hq doesn’t know this call (HTTP 404). ${isTooOld}`],
  [
    405,
    'hq wants another HTTP method for this call (HTTP 405). Set that of directory.uploadHotfix under methods in the bot’s configuration.',
  ],
])(
  'an upload that is answered with HTTP %d is told with cause and cure, and at once',
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

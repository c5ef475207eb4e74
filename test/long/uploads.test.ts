import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { shellPassword } from '../../sandbox/appliance/company/directory.ts';
import { type GivenFile, personIn } from '../../sandbox/person.ts';
import { type Conversation, converse } from '../conversation.ts';
import { converseInTime, hotfixFile, send, upgradeStandsStill, zipFile } from '../packages.ts';

/** A conversation with an appliance as in the field, in which something may happen whenever the bot waits. */
async function conversation(happens: (conversation: Conversation, waited: number) => void = () => undefined) {
  let waited = 0;
  const all = await converseInTime((self, milliseconds) => {
    waited += milliseconds;
    happens(self, waited);
  });
  all.appliance.turn({ generation: 'field-v1' });
  return { ...all, waited: () => waited };
}

const packFile = { name: 'sp6.tgz', content: gzipSync(Buffer.alloc(50_000, 'a pack ')) };
const patchFile = () => zipFile('patch.zip', { 'usr/share/version': '6' });

describe('a service pack', () => {
  test('is a personal patch when it is a zip: the appliance’s word on it is reported at once', async () => {
    const all = await conversation();
    await send(all, await patchFile());
    await all.press('Service pack', 'dana');
    const said = await all.press('Upload', 'dana');
    expect(all.appliance.state.directory.patches).toHaveLength(1);
    expect(said).toContain('(accepted, not verified)');
    expect(said).toContain(
      'hq reports patch.zip installed as a personal patch, which the release does not show.',
    );
    expect(said).toMatch(/hq said: patch\.zip \[application\/\S+\] installed personal patch with \d+ bytes/);
    expect(all.waited()).toBeLessThan(10_000);
  });

  test('is reported with both numbers when the appliance has counted other bytes', async () => {
    const all = await conversation();
    await send(all, await patchFile());
    await all.press('Service pack', 'dana');
    const info = 'patch.zip [application/zip] installed personal patch with 12 bytes';
    all.appliance.faults.set('POST /service_pack', {
      kind: 'text',
      text: JSON.stringify({ status: true, info }),
    });
    expect(await all.press('Upload', 'dana')).toMatch(/It counted 12 bytes; the file has \d+\./);
  });

  test('runs in the background until the appliance runs its number, when it is not a zip', async () => {
    const all = await conversation();
    await send(all, packFile);
    await all.press('Service pack', 'dana');
    const said = await all.press('Upload', 'dana');
    expect(said).toContain(
      'Verified. hq now runs 4.50.000000 Service Pack 6; before: 4.50.000000 Service Pack 5.',
    );
    expect(said).toMatch(/hq said: sp6\.tgz \[\S+\] uploaded Service Pack with \d+ bytes from 127\.0\.0\.1/);
  });
});

describe('a shell package', () => {
  const script = (password: string) => `#!/bin/sh\nSHELL_PASS="${password}"\nSCRIPT_ID=nightly7\nexit 0\n`;

  test('is reported with the ID of its script', async () => {
    const all = await conversation();
    await send(all, await zipFile('task.zip', { 'shell.sh': script(shellPassword) }));
    await all.press('Shell package', 'dana');
    const said = await all.press('Upload', 'dana');
    expect(said).toContain('Shell package task.zip uploaded (accepted, not verified)');
    expect(said).toContain('id: nightly7');
  });

  test.each<[string, (all: Conversation) => void, string]>([
    [
      'is off',
      ({ appliance }) => appliance.turn({ shell: 'off' }),
      'hq has turned off shell packages. Turn them on with the local command of the appliance.',
    ],
    [
      'has no password',
      ({ appliance }) => {
        appliance.state.directory.shell.password = '';
      },
      'hq has no shell password. Set one with the local command of the appliance.',
    ],
    [
      'has another password',
      ({ appliance }) => {
        appliance.state.directory.shell.password = 'another';
      },
      'hq doesn’t accept the shell password. Compare shell_password in the bot’s configuration with the one on the appliance.',
    ],
  ])('is reported with its remedy when its feature %s', async (_, change, sentence) => {
    const all = await conversation();
    await send(all, await zipFile('task.zip', { 'shell.sh': script(shellPassword) }));
    await all.press('Shell package', 'dana');
    change(all);
    const said = await all.press('Upload', 'dana');
    expect(said).toContain('Uploading shell package task.zip failed');
    expect(said).toContain(sentence);
    expect(all.appliance.state.directory.shell.packages).toEqual([]);
  });
});

/** Somebody else's, installed by other means. */
function anotherHotfix({ appliance: { state } }: Conversation): void {
  state.directory.version.hotfix = '20261119-07';
  state.directory.version.latestUpgrade = ['other.tgz uploaded', 'The hotfix is installed'];
}

describe('the read-back after an upload', () => {
  test('does not take somebody else’s hotfix for an upload that was never taken', async () => {
    const all = await conversation((self) => anotherHotfix(self));
    await send(all, hotfixFile);
    await all.press('Hotfix', 'dana');
    all.appliance.faults.set('POST /system/appliance/hotfix', { kind: 'status', status: 500 });
    const said = await all.press('Upload', 'dana');
    expect(all.appliance.state.directory.upgrade).toBeUndefined();
    expect(said).toContain('Uploading hotfix hotfix-20261120-01.tgz: outcome unknown');
    expect(said).toContain('hq answered with an error (HTTP 500).');
    expect(said).toContain(
      'hq now runs 4.50.000000 Service Pack 5 hotfix 20261119-07; before: 4.50.000000 Service Pack 5. Nothing shows that this is the result of hotfix-20261120-01.tgz',
    );
    expect(said).not.toContain('Verified.');
  });

  test('does not take it for one that was under way when the bot was stopped, either', async () => {
    const all = await converse({ generation: 'field-v1', world: { timeout: 50 } });
    await send(all, hotfixFile);
    await all.press('Hotfix', 'dana');
    const upload = 'POST /system/appliance/hotfix';
    all.appliance.faults.set(upload, { kind: 'hang', happens: false });
    await personIn(all.workspace, { idle: async () => undefined }, 'dana').press('helpdesk', 'Upload');
    await expect.poll(() => all.appliance.requests.some(({ operation }) => operation === upload)).toBe(true);
    await all.restart(async () => {
      all.appliance.faults.clear();
      anotherHotfix(all);
    });
    await expect.poll(() => all.read('dana')).toContain('Nothing shows that this is the result of');
    await all.bot.idle();
    expect(all.appliance.state.directory.upgrade).toBeUndefined();
    const said = all.read('dana');
    expect(said).toContain('Uploading hotfix hotfix-20261120-01.tgz: outcome unknown');
    expect(said).toContain('The bot was stopped while this was in progress.');
    expect(said).not.toContain('Verified.');
  });

  test('shows an upload as installed that was taken in spite of its HTTP 500', async () => {
    const all = await conversation();
    await send(all, hotfixFile);
    await all.press('Hotfix', 'dana');
    all.appliance.faults.set('POST /system/appliance/hotfix', { kind: 'status', status: 500, happens: true });
    const said = await all.press('Upload', 'dana');
    expect(said).toContain('A check showed that it did happen. Verified. hq now runs');
    expect(said).toContain('hotfix 20261120-01; before:');
  });

  test('knows a file whose name has no number by the events that name it', async () => {
    const all = await conversation();
    await send(all, { ...hotfixFile, name: 'fix.tgz' });
    await all.press('Hotfix', 'dana');
    expect(await all.press('Upload', 'dana')).toMatch(/Verified\. hq now runs .*; before:/);
  });

  test('reports what it saw, and an unknown outcome, when neither name nor number shows', async () => {
    const all = await conversation(({ appliance: { state } }) => {
      state.directory.upgrade = undefined;
      state.directory.version.latestUpgrade = [];
      state.directory.version.hotfix = '20261119-07';
    });
    await send(all, { ...hotfixFile, name: 'fix.tgz' });
    await all.press('Hotfix', 'dana');
    const said = await all.press('Upload', 'dana');
    expect(said).toContain('Uploading hotfix fix.tgz: outcome unknown');
    expect(said).toContain('Nothing shows that this is the result of fix.tgz');
  });
});

describe('two uploads at once', () => {
  test('show on the second card that the first is under way, also when it was shown before', async () => {
    const hold = Promise.withResolvers<void>();
    const all = await converse({ world: { sleep: () => hold.promise } });
    all.appliance.turn({ generation: 'field-v1' });
    await send(all, hotfixFile);
    await all.press('Hotfix', 'dana');
    await send(all, packFile);
    expect(await all.press('Service pack', 'dana')).not.toContain('under way');

    // Sends the newest file without waiting: the bot follows the upload from now on.
    const { press } = personIn(all.workspace, { idle: async () => undefined }, 'dana');
    await press('helpdesk', 'Upload');
    await expect.poll(() => all.appliance.state.directory.upgrade?.kind).toBe('service pack');
    await press('helpdesk', 'Upload');
    await expect
      .poll(() => all.read('dana'))
      .toContain('Another upgrade of hq is running: the release will not show which one took effect.');
    expect(all.read('dana')).toMatch(/Also running {2}upgrade service-pack --file sp6\.tgz, by @dana/);
    expect(all.read('dana')).toContain('This is not what you were shown a moment ago');
    expect(all.appliance.state.directory.upgrade?.kind).toBe('service pack');
    hold.resolve();
  });

  test('report one whose outcome is unknown as that', async () => {
    const all = await conversation(upgradeStandsStill);
    await send(all, hotfixFile);
    await all.press('Hotfix', 'dana');
    expect(await all.press('Upload', 'dana')).toContain('outcome unknown');
    await send(all, packFile);
    const card = await all.press('Service pack', 'dana');
    expect(card).toMatch(/Outcome unknown {2}upgrade hotfix --file hotfix-20261120-01\.tgz, by @dana/);
    all.wait(2 * 3_600_000);
    await send(all, packFile);
    expect((await all.press('Service pack', 'dana')).split('Upload service pack').at(-1)).not.toContain(
      'Outcome unknown',
    );
  });
});

describe('while the bot follows an upload', () => {
  /** A conversation that stops after so many waits, and has uploaded the hotfix. */
  async function uploading(waits: number, before: (all: Conversation) => void = () => undefined) {
    const hold = Promise.withResolvers<void>();
    let left = waits;
    const all: Conversation = await converse({
      world: {
        sleep: async (milliseconds) => {
          all.wait(milliseconds);
          upgradeStandsStill(all, milliseconds);
          left -= 1;
          if (left < 0) await hold.promise;
        },
      },
    });
    onTestFinished(() => hold.resolve());
    await send(all, hotfixFile);
    await all.press('Hotfix', 'dana');
    before(all);
    await personIn(all.workspace, { idle: async () => undefined }, 'dana').press('helpdesk', 'Upload');
    return all;
  }

  test.each([0, 30])('its error stands on the card at once, and after %d looks', async (waits) => {
    const all = await uploading(waits, ({ appliance }) =>
      appliance.faults.set('POST /system/appliance/hotfix', { kind: 'status', status: 500 }),
    );
    await expect
      .poll(() => all.read('dana'))
      .toContain('⚠️ hq answered with an error (HTTP 500). Checking whether it happens all the same.');
    if (waits === 0) return;
    await expect
      .poll(() => all.read('dana'))
      .toMatch(/\n +It is unknown whether hotfix-\S+ arrived completely/);
    expect(all.read('dana')).toContain('⚠️ hq answered with an error (HTTP 500).');
  });

  test('its progress is no warning', async () => {
    const all = await uploading(30);
    await expect
      .poll(() => all.read('dana'))
      .toMatch(/\n +hotfix-20261120-01\.tgz was uploaded completely; the upgrade runs in the background/);
    expect(all.read('dana')).not.toContain('⚠️');
  });
});

describe('the preview of an upload', () => {
  const long = gzipSync(randomBytes(200_000));

  test.each<[string, () => Promise<GivenFile> | GivenFile, string, string]>([
    [
      'gzip that ends early',
      () => ({ name: 'fix.tgz', content: long.subarray(0, -1) }),
      'Hotfix',
      'ends early',
    ],
    [
      'gzip of which half is there',
      () => ({ name: 'fix.tgz', content: long.subarray(0, 90_000) }),
      'Hotfix',
      'ends early',
    ],
    [
      'gzip that is damaged',
      () => ({ name: 'fix.tgz', content: long.with(150_000, 1 + (long[150_000] ?? 0)) }),
      'Hotfix',
      'is damaged',
    ],
    [
      'zip without its directory',
      async () => {
        const { name, content } = await patchFile();
        return { name, content: Buffer.from(content).subarray(0, -1) };
      },
      'Service pack',
      'ends early',
    ],
  ])('refuses a %s', async (_, file, label, flaw) => {
    const all = await conversation();
    const given = await file();
    await send(all, given);
    const said = await all.press(label, 'dana');
    expect(said).toContain(
      `${given.name} is damaged or incomplete: the archive ${flaw}. Upload it to Slack again.`,
    );
    expect(said).not.toContain('[Upload]');
    expect(all.appliance.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  test('refuses a shell package whose script cannot run, with the mistake', async () => {
    const all = await conversation();
    await send(all, await zipFile('check.zip', { 'shell.sh': '#!/bin/sh\r\nSCRIPT_ID="a"\r\n' }));
    const said = await all.press('Shell package', 'dana');
    expect(said).toContain('check.zip cannot be uploaded: line 1 of shell.sh has a Windows line ending');
    expect(said).not.toContain('[Upload]');
  });

  test.each([
    [
      'hotfix-20261120-01.tgz',
      'Service pack',
      'Its name suggests a hotfix, not a service pack: use upgrade hotfix for those.',
    ],
    [
      '4.50-SP6.tgz',
      'Hotfix',
      'Its name suggests a service pack, not a hotfix: use upgrade service-pack for those.',
    ],
  ])('asks about %s when it is handed over as a %s', async (name, label, sentence) => {
    const all = await conversation();
    await send(all, { ...hotfixFile, name });
    expect(await all.press(label, 'dana')).toContain(sentence);
  });

  test.each([
    ['SP4-hotfix-20250525-12.tgz', 'Hotfix'],
    ['4.50-SP6.tgz', 'Service pack'],
    ['fix.tgz', 'Hotfix'],
  ])('does not ask about %s as a %s', async (name, label) => {
    const all = await conversation();
    await send(all, { ...hotfixFile, name });
    expect(await all.press(label, 'dana')).not.toContain('By its name');
  });
});

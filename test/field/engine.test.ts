import { describe, expect, test } from 'vitest';
import { type Conversation, converse } from '../conversation.ts';

/** A conversation with an appliance that answers as those in the field do. */
async function conversation(): Promise<Conversation> {
  const all = await converse();
  all.appliance.turn({ generation: 'field-v1' });
  return all;
}

const corrupted =
  'hq can’t read its index of engine versions. No changes were made. Download it again with engine refresh.';

describe('a corrupted index of engine versions', () => {
  test('is reported as that, with its remedy', async () => {
    const { type, appliance } = await conversation();
    appliance.turn({ engineIndex: 'corrupted' });
    for (const line of ['engine versions', 'engine update 1191']) {
      const said = await type(`/appliance ${line}`, 'dana');
      expect(said).toContain(corrupted);
      expect(said).not.toContain('no REST engine version');
    }
  });

  test('is mended by a refresh, which is read back', async () => {
    const { type, appliance } = await conversation();
    appliance.turn({ engineIndex: 'corrupted' });
    const said = await type('/appliance engine refresh', 'dana');
    expect(said).toContain('Verified. The index can be read again: 8 versions, newest: 1.192.');
    expect(appliance.state.directory.engine.isCacheCorrupted).toBe(false);
    expect(await type('/appliance engine versions', 'dana')).toContain('8 versions of the REST engine');
  });

  test.each([
    ['not JSON', '<html>'],
    ['without an index', '{"status":true}'],
    ['refused in other words', '{"status":false,"info":"unable to open /etc/index.db"}'],
  ])('may also be %s: a refresh is ordered all the same', async (_, text) => {
    const { type, appliance } = await conversation();
    appliance.faults.set('- /autoupdate/index', { kind: 'text', text });
    const said = await type('/appliance engine refresh', 'dana');
    expect(appliance.state.directory.engine.index.has(1192)).toBe(true);
    // The bot could not read it back, so it does not call it a success.
    expect(said).toMatch(/Refreshing the versions of the REST engine: outcome unknown|failed/);
    expect(said).not.toContain('are refreshed');
  });

  test('is not called refreshed when a refresh does not cure it', async () => {
    const { type, appliance } = await conversation();
    const text = JSON.stringify({ status: false, info: 'Corrupted cache file, try /refresh instead' });
    appliance.faults.set('- /autoupdate/index', { kind: 'text', text });
    const said = await type('/appliance engine refresh', 'dana');
    expect(said).toContain('Couldn’t read back whether it happened: hq can’t read its index');
  });
});

describe('the engine that runs', () => {
  test('is listed among the versions, also where the index lists only lower ones', async () => {
    const { type, appliance } = await conversation();
    expect(await type('/appliance engine versions')).toMatch(
      /7 versions of the REST engine, newest: 1\.191; running: 1\.190[\s\S]*1\.190 +1190 +yes +yes/,
    );
    appliance.state.directory.engine.version = '1.200';
    expect(await type('/appliance engine versions')).toContain('newest: 1.191; running: 1.200');
  });

  test('is shown before an update, and read back after it', async () => {
    const { type, press, appliance } = await conversation();
    const card = await type('/appliance engine update 1191', 'dana');
    expect(card).toContain('Update the REST engine of hq from 1.190 to 1.191?');
    expect(card).toContain('Before  1.190');
    const said = await press('Update', 'dana');
    expect(said).toContain('REST engine switched to 1.191');
    expect(said).toContain('Verified. hq runs REST engine 1.191; before: 1.190.');
    expect(said).toContain('hq said: Success updated new version 1.191');
    expect(appliance.state.directory.engine.version).toBe('1.191');
  });

  test('is downgraded from a newer version, and the card says so', async () => {
    const { type, press, appliance } = await conversation();
    appliance.state.directory.engine.version = '1.191';
    const card = await type('/appliance engine update 1190', 'dana');
    expect(card).toContain('Downgrade the REST engine of hq from 1.191 to 1.190?');
    expect(await press('Update', 'dana')).toContain('Verified. hq runs REST engine 1.190; before: 1.191.');
    expect(await type('/appliance engine update 1190', 'dana')).toContain(
      'Reinstall REST engine 1.190 on hq? It already runs this version.',
    );
    // The version was the same before, so the reinstallation cannot be seen.
    expect(await press('Update', 'dana')).toContain('(accepted, not verified)');
  });

  test('may run the new version only after a restart, when it reports the update and still shows the old one', async () => {
    const { type, press, appliance } = await conversation();
    await type('/appliance engine update 1191', 'dana');
    appliance.faults.set('- /autoupdate/update/{key}', { kind: 'forget' });
    const said = await press('Update', 'dana');
    expect(said).toContain(
      'hq reports an update to 1.191 and still runs 1.190; some engines run the new version',
    );
    expect(said).not.toContain('Verified');
  });

  test('has not been updated when it reports no update and still shows the old one', async () => {
    const { type, press, appliance } = await conversation();
    await type('/appliance engine update 1191', 'dana');
    const text = JSON.stringify({ status: true, info: 'done' });
    appliance.faults.set('- /autoupdate/update/{key}', { kind: 'text', text, happens: false });
    const said = await press('Update', 'dana');
    expect(said).toContain('Switching the REST engine to 1.191: accepted, never seen');
    expect(said).toContain('hq runs REST engine 1.190, as before');
  });

  test('is shown anew, and not updated, when another update has changed it since', async () => {
    const { type, press, appliance } = await conversation();
    await type('/appliance engine update 1191', 'dana');
    appliance.state.directory.engine.version = '1.192';
    expect(await press('Update', 'dana')).toContain('Downgrade the REST engine of hq from 1.192 to 1.191?');
    expect(appliance.state.directory.engine.version).toBe('1.192');
  });

  test.each([
    ['Success updated new version 1.189', 'hq reports an update to 1.189, not to 1.191'],
    ['Success updated new version 1.191', 'hq reports an update to 1.191, answers, and can be updated again'],
  ])(
    'is known only by the words of the update where the index does not report it: %s',
    async (info, told) => {
      const { type, press, appliance } = await converse();
      await type('/appliance engine update 1191', 'dana');
      const text = JSON.stringify({ status: true, info });
      appliance.faults.set('- /autoupdate/update/{key}', { kind: 'text', text });
      expect(await press('Update', 'dana')).toContain(told);
    },
  );
});

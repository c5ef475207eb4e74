import { expect, test } from 'vitest';
import { converse } from '../conversation.ts';
import { converseInTime } from '../packages.ts';

test('engine versions shows the newest first, and which of them would lose the update feature', async () => {
  const { type } = await converse();
  const said = await type('/appliance engine versions', 'vic');
  expect(said).toContain('7 versions of the REST engine, newest: 1.191');
  expect(said).toMatch(
    /1\.191 +1191 +not reported +yes[\s\S]*1\.188 +1188 +not reported +no, it has no update feature/,
  );
});

test('engine refresh names the new versions, read back from the index', async () => {
  const { type, appliance } = await converse();
  expect(await type('/appliance engine refresh', 'dana')).toContain(
    'Verified. Index read back: 8 versions, new: 1.192.',
  );
  expect(appliance.state.directory.engine.index.has(1192)).toBe(true);
  expect(await type('/appliance engine refresh', 'dana')).toContain('8 versions, none of them new.');
});

test.each(['1191', '1.191'])('engine update %s asks first, and is reported as not verified', async (word) => {
  const { type, press, appliance } = await converse();
  const card = await type(`/appliance engine update ${word}`, 'dana');
  expect(card).toContain('Switch the REST engine of hq to 1.191?');
  expect(card).toContain('Before  not reported');
  expect(card).toContain('After  1.191 (key 1191)');
  expect(card).toContain('below 1.189 have no update feature');
  expect(appliance.state.directory.engine.version).toBe('1.190');
  const said = await press('Update', 'dana');
  expect(appliance.state.directory.engine.version).toBe('1.191');
  expect(said).toContain('REST engine switched to 1.191 (accepted, not verified)');
  expect(said).toContain('the engine answers and can be updated again, but does not report its version');
});

test('a downgrade below 1.189 is not sent, with a prominent reason', async () => {
  const { type, appliance } = await converse();
  const said = await type('/appliance engine update 1188', 'dana');
  expect(said).toContain('a downgrade below 1.189 removes the update feature itself');
  expect(said).toContain('No changes were made.');
  expect(said).not.toContain('[Update]');
  expect(appliance.state.directory.engine.version).toBe('1.190');
});

test('an unknown version shows the nearest', async () => {
  const { type } = await converse();
  expect(await type('/appliance engine update 1199', 'dana')).toMatch(
    /hq lists no REST engine version 1199\. No changes were made\.[\s\S]*\[1\.19\d \(119\d\)/,
  );
});

test('an engine that answers once more and then falls silent is reported as unknown', async () => {
  const { type, press } = await converseInTime(({ appliance }) => {
    appliance.faults.set('- /autoupdate/index', { kind: 'status', status: 404 });
  });
  await type('/appliance engine update 1191', 'dana');
  const said = await press('Update', 'dana');
  expect(said).toContain('Switching the REST engine to 1.191: outcome unknown');
  expect(said).toContain('Couldn’t read back whether it happened: hq doesn’t know this call (HTTP 404).');
});

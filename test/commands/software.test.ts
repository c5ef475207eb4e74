import { describe, expect, test } from 'vitest';
import { converse } from '../conversation.ts';

const installing = 'GET /system/softwares/install/{productKey}/{keyVer}';

describe('software install', () => {
  test('shows the version and the target, installs what was confirmed, and reads it back', async () => {
    const { type, press, appliance } = await converse();
    const card = await type('/appliance software install proxy 6.12.0', 'dana');
    expect(card).toContain('Install APP_PROXY 6.12.0 on hq?');
    expect(card).toContain('Before  6.10.0');
    expect(card).toContain('After  6.12.0 (key 61200)');
    expect(card).toContain('Size  41.4 MB');
    expect(appliance.state.software.installed.get('APP_PROXY')).toBe('6.10.0');
    const said = await press('Install', 'dana');
    expect(appliance.state.software.installed.get('APP_PROXY')).toBe('6.12.0');
    expect(said).toContain('APP_PROXY 6.12.0 is installed');
    expect(said).toContain('Verified. Services read back: APP_PROXY reports version 6.12.0; before: 6.10.0.');
    expect(said).toMatch(/APP_PROXY 6\.12\.0: success/);
  });

  test('accepts the shown words: squid 59', async () => {
    const { type, press, appliance } = await converse();
    expect(await type('/appliance software install squid 59', 'dana')).toContain('Install squid 5.9 on hq?');
    const said = await press('Install', 'dana');
    expect(appliance.state.software.installed.get('squid')).toBe('5.9');
    // The monitored services do not include squid, so the appliance does not report its version.
    expect(said).toContain('squid 5.9 installed (accepted, not verified)');
    expect(said).toContain('Accepted, not verified: hq does not report which version of squid runs.');
  });

  test('shows the nearest when it has no such product or version', async () => {
    const { type } = await converse();
    expect(await type('/appliance software install squi 59', 'dana')).toMatch(
      /hq lists no software product squi\. No changes were made\.[\s\S]*\[squid, 2 versions\]/,
    );
    expect(await type('/appliance software install APP_PROXI 61000', 'dana')).toMatch(
      /hq lists no software product APP_PROXI\. No changes were made\.[\s\S]*\[proxy \(APP_PROXY\)/,
    );
    expect(await type('/appliance software install APP_PROXY 61001', 'dana')).toMatch(
      /hq lists no software version 61001\. No changes were made\.[\s\S]*61000/,
    );
  });

  test('has failed, and shows the log, when it breaks off with one', async () => {
    const { type, press, appliance } = await converse();
    await type('/appliance software install proxy 6.12.0', 'dana');
    const traces = '[12:00] Downloading\n[12:01] No space left\n';
    const body = JSON.stringify({ Status: false, Error: 'disk full', Traces: traces });
    appliance.faults.set(installing, { kind: 'text', text: body, happens: false });
    const said = await press('Install', 'dana');
    expect(said).toContain('Installing APP_PROXY 6.12.0 failed');
    expect(said).toContain('disk full');
    expect(said).toContain('[12:01] No space left');
  });

  test('has failed with the reason when the appliance refuses it', async () => {
    const { type, press, appliance } = await converse();
    await type('/appliance software install proxy 6.12.0', 'dana');
    appliance.faults.set(installing, { kind: 'refuse', error: 'the licence is for another product' });
    const said = await press('Install', 'dana');
    expect(said).toContain('Installing APP_PROXY 6.12.0 failed');
    expect(said).toContain('hq refused: the licence is for another product.');
    expect(appliance.state.software.installed.get('APP_PROXY')).toBe('6.10.0');
  });

  test('is not believed when the answer is true and nothing happened', async () => {
    const { type, press, appliance } = await converse();
    await type('/appliance software install proxy 6.12.0', 'dana');
    appliance.faults.set(installing, { kind: 'forget' });
    const said = await press('Install', 'dana');
    expect(said).toContain('Installing APP_PROXY 6.12.0: accepted, never seen');
    expect(said).toContain('APP_PROXY reports version 6.10.0, not 6.12.0.');
    expect(appliance.state.software.installed.get('APP_PROXY')).toBe('6.10.0');
  });
});

test('software list shows every version, its size, and the running one', async () => {
  const { type } = await converse();
  const said = await type('/appliance software list', 'vic');
  expect(said).toContain('10 products in the software collection, in 21 versions');
  expect(said).toMatch(/APP_PROXY +6\.10\.0 +61000 +40\.8 MB +yes/);
  expect(said).toMatch(/APP_PROXY +6\.9\.0 +60900 +40\.3 MB +no/);
  expect(said).toMatch(/APP_ANTIVIRUS +1\.0\.7 +10007 +155 MB +not reported/);
});

test('software refresh names new versions when they have come, and says when nothing can be seen', async () => {
  const { type } = await converse();
  const said = await type('/appliance software refresh', 'dana');
  expect(said).toContain('Software collection refreshed');
  expect(said).toMatch(/Collection read back: it has changed\. New: .*APP_PROXY 7\.1\.0/);
  expect(await type('/appliance software refresh', 'dana')).toContain(
    'Accepted, not verified: the collection is unchanged, and there may be nothing new.',
  );
});

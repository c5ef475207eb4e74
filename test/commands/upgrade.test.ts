import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { converse } from '../conversation.ts';
import {
  converseInTime,
  hotfixFile,
  messageWithFile,
  send,
  upgradeStandsStill,
  zipFile,
} from '../packages.ts';

const digest = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
const sha256 = digest(hotfixFile.content);

describe('a hotfix', () => {
  test('is shown with its details, sent when confirmed, and followed until the appliance runs it', async () => {
    const seen: (string | undefined)[] = [];
    const conversation = await converseInTime(({ appliance }) => {
      seen.push(appliance.state.directory.upgrade?.file.sha256);
    });
    const { appliance, press, bot } = conversation;
    expect(await send(conversation, hotfixFile)).toContain('What is hotfix-20261120-01.tgz?');

    const card = await press('Hotfix', 'dana');
    expect(card).toContain(
      'Upload hotfix hotfix-20261120-01.tgz to hq? The appliance then installs it in the background.',
    );
    expect(card).toContain(sha256);
    expect(card).toMatch(/Size {2}\d+ bytes/);
    expect(card).toContain('File content  a gzip archive');
    expect(card).toContain('Release before  4.50 Service Pack 5');
    expect(appliance.state.directory.upgrade).toBeUndefined();

    const said = await press('Upload', 'dana');
    expect(seen[0]).toBe(sha256);
    expect(said).toContain('Hotfix hotfix-20261120-01.tgz installed');
    expect(said).toContain(
      'Verified. hq now runs 4.50 Service Pack 5 hotfix 20261120-01; before: 4.50 Service Pack 5.',
    );
    expect((await bot.journal.recent(1))[0]).toMatchObject({
      state: 'done',
      line: 'upgrade hotfix --file hotfix-20261120-01.tgz',
    });
  });

  test('is reported as unknown when it does not show within half an hour, with its progress', async () => {
    const conversation = await converseInTime(upgradeStandsStill);
    await send(conversation, hotfixFile);
    await conversation.press('Hotfix', 'dana');
    const said = await conversation.press('Upload', 'dana');
    expect(said).toContain('Uploading hotfix hotfix-20261120-01.tgz: outcome unknown');
    expect(said).toContain(
      'was uploaded completely; the upgrade runs in the background and is not visible yet',
    );
    expect(said).toContain('Its last event: “');
  });

  test('has failed as soon as the appliance reports that, in its own words', async () => {
    let waited = 0;
    const conversation = await converseInTime(({ appliance: { state } }, milliseconds) => {
      waited += milliseconds;
      if (state.directory.upgrade === undefined) return;
      state.directory.upgrade = undefined;
      state.directory.version.latestUpgrade = [
        '12:00 Extracting',
        '12:01 Failed: the disk is full <!channel>',
      ];
    });
    await send(conversation, hotfixFile);
    await conversation.press('Hotfix', 'dana');
    const said = await conversation.press('Upload', 'dana');
    expect(said).toContain('Uploading hotfix hotfix-20261120-01.tgz failed');
    expect(said).toContain(
      'it did not happen. hq still runs 4.50 Service Pack 5. Its last event: “12:01 Failed: the disk is full <!channel>”',
    );
    expect(waited).toBeLessThan(60_000);
  });

  test('is refused while another one is being installed', async () => {
    const conversation = await converseInTime(upgradeStandsStill);
    await send(conversation, hotfixFile);
    await conversation.press('Hotfix', 'dana');
    conversation.appliance.state.directory.upgrade = {
      kind: 'hotfix',
      isArchive: true,
      file: { filename: 'other.tgz', size: 1, sha256: '', at: new Date(Date.now() + 3_600_000) },
    };
    expect(await conversation.press('Upload', 'dana')).toContain(
      'hq refused: other.tgz is being installed: try again later. Nothing shows that it was done all the same: ',
    );
  });
});

describe('a wrong, changed or missing file', () => {
  test('is recognized by its first bytes, and not sent under a wrong name', async () => {
    const conversation = await converse();
    await send(conversation, { name: 'hotfix.tgz', content: '<!doctype html><p>Please log in' });
    expect(await conversation.press('Hotfix', 'dana')).toContain(
      'hotfix.tgz is not a hotfix: a hotfix is a gzip archive, and the content of this file is a web page. No changes were made.',
    );
    await send(conversation, { name: 'pack.zip', content: 'not a zip' });
    expect(await conversation.press('Service pack', 'dana')).toContain(
      'pack.zip is not a service pack: a service pack is a gzip archive or a zip archive, and the content of this file is plain text.',
    );
    expect(conversation.appliance.state.directory.upgrade).toBeUndefined();
  });

  test('is not sent when it changes between question and click', async () => {
    const conversation = await converse();
    await send(conversation, hotfixFile);
    await conversation.press('Hotfix', 'dana');
    const id = fileIdIn(conversation);
    conversation.workspace.changeFile(id, { size: 7 });
    expect(await conversation.press('Upload', 'dana')).toContain('its size is different now');
    expect(conversation.appliance.state.directory.version.latestUpgrade).toEqual([]);
  });

  test('is reported as failed when it breaks off on its way, and the appliance has nothing of it', async () => {
    const conversation = await converse();
    await send(conversation, hotfixFile);
    await conversation.press('Hotfix', 'dana');
    // The bot reads the file for the preview at the click, and then to send it.
    conversation.workspace.faults.next('download', { kind: 'delay', ms: 0 });
    conversation.workspace.faults.next('download', { kind: 'cut_short', bytes: 40, ends: 'broken' });
    const said = await conversation.press('Upload', 'dana');
    expect(said).toContain('Uploading hotfix hotfix-20261120-01.tgz failed');
    expect(said).toContain(
      'The connection to Slack was lost while downloading hotfix-20261120-01.tgz. Try again in a moment. No changes were made.',
    );
    expect(conversation.appliance.state.directory).toMatchObject({
      upgrade: undefined,
      version: { latestUpgrade: [] },
    });
  });

  test('is reported in Slack’s words when Slack does not hand it out', async () => {
    const conversation = await converse();
    await send(conversation, hotfixFile);
    conversation.workspace.faults.next('download', { kind: 'login_page' });
    expect(await conversation.press('Hotfix', 'dana')).toContain(
      'Slack doesn’t give Appliance Bot access to hotfix-20261120-01.tgz. Invite the bot to the channel where the file was posted, and try again. No changes were made.',
    );
  });
});

test('a service pack comes by the form, and a dry run shows the request', async () => {
  const conversation = await converse();
  const { person, type, press, read, appliance } = conversation;
  const pack = await zipFile('sp6.zip', { 'usr/share/version': '6' });
  const dana = person('dana');
  await type('/appliance upgrade service-pack --dry-run', 'dana');
  await dana.fill({ 'Service pack (.tgz or .zip)': pack });
  expect(await dana.submit()).toEqual({ ok: true });
  expect(read('dana')).toMatch(
    /POST http:\/\/127\.0\.0\.1:\d+\/service_pack with the file sp6\.zip, \d+ bytes/,
  );
  expect(appliance.state.directory.upgrade).toBeUndefined();

  await type('/appliance upgrade service pack', 'dana');
  await dana.fill({ 'Service pack (.tgz or .zip)': pack });
  expect(await dana.submit()).toEqual({ ok: true });
  expect(read('dana')).toContain('File content  a zip archive');
  expect(await press('Upload', 'dana')).toContain(
    'hq now runs 4.50 Service Pack 6; before: 4.50 Service Pack 5.',
  );
  const status = await type('/appliance upgrade status', 'dana');
  expect(status).toContain('hq runs 4.50 Service Pack 6');
  expect(status).toMatch(/Last upgrade {2}.* The service pack is installed/);
});

describe('a shell package', () => {
  test('is uploaded and reported as not verified, because nothing shows the effect of its script', async () => {
    const conversation = await converse();
    const script = '#!/bin/sh\nSCRIPT_ID="check1"\nSHELL_PASS="hush-hush"\nexit 0\n';
    await send(conversation, await zipFile('check.zip', { 'shell.sh': script }));
    expect(await conversation.press('Shell package', 'dana')).toContain(
      'Upload shell package check.zip to hq? The appliance then runs its script shell.sh.',
    );
    const said = await conversation.press('Upload', 'dana');
    expect(said).toContain('Shell package check.zip uploaded (accepted, not verified)');
    expect(conversation.appliance.state.directory.shell.packages).toHaveLength(1);
    expect(said).not.toContain('hush-hush');
  });
});

test('a file cannot be written into the line: the form asks for it, and nobody reaches a file by its ID', async () => {
  const { type, person } = await converse();
  await type('/appliance upgrade hotfix --file {"id":"F0SECRET","name":"a.tgz","size":1}', 'dana');
  expect(person('dana').form()).toMatchObject({ title: 'Upgrade hotfix' });
  await person('dana').dismiss();
  await type('/appliance upgrade hotfix --file hotfix.tgz', 'dana');
  expect(person('dana').form()).toMatchObject({ title: 'Upgrade hotfix' });
});

test('a person without the role is told who could upload, and nothing is fetched', async () => {
  const conversation = await converse();
  const said = await send(conversation, hotfixFile, 'vic');
  expect(said).toMatch(
    /upgrade hotfix requires the .*admin.* role in #helpdesk\. Your role here is viewer\. No changes were made\./,
  );
  expect(conversation.workspace.log.calls('files.info')).toEqual([]);
});

function fileIdIn(conversation: Parameters<typeof messageWithFile>[0]): string {
  const ts = messageWithFile(conversation);
  const dana = conversation.workspace.people.find(({ name }) => name === 'dana')?.id ?? '';
  const message = conversation.workspace.snapshot(dana).messages.find((one) => one.ts === ts);
  return message?.files?.[0]?.id ?? '';
}

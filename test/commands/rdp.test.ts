import { describe, expect, test } from 'vitest';
import { converse } from '../conversation.ts';
import { converseInTime } from '../packages.ts';

const by = 'bob';

async function start(begun = converse()) {
  const conversation = await begun;
  const { rdp } = conversation.appliance.state;
  return {
    ...conversation,
    rdp,
    type: (line: string) => conversation.type(`/appliance ${line}`, by),
    press: (label: string) => conversation.press(label, by),
    bob: conversation.person(by),
  };
}

describe('looking at the gateway', () => {
  test('answers in sentences and tables, with units and local times', async () => {
    const { type } = await start();
    expect(await type('rdp status')).toContain('Remote-desktop gateway: running for 9 days');
    expect(await type('rdp state')).toMatch(/version 10\.2\.11, 15 sessions open[\s\S]*Video support {2}yes/);
    expect(await type('rdp siem')).toMatch(/SIEM of the remote-desktop gateway: connected/);
    expect(await type('rdp members')).toMatch(/21 remote-desktop members, 1 expired/);
    expect(await type('rdp videos')).toMatch(/30 recorded sessions[\s\S]*199 MB/);
    expect(await type('rdp ciphers')).toMatch(/offers 7 cipher suites[\s\S]*AES128-SHA +no/);
  });

  test('shows one thing with everything that belongs to it', async () => {
    const { type } = await start();
    expect(await type('rdp member bob.miller')).toMatch(
      /In policies {2}File servers \(5\)\n.*Open sessions {2}bob\.miller on srv-files-01 \(12\)/,
    );
    expect(await type('rdp target 24')).toMatch(
      /Target srv-scada-01 is disabled[\s\S]*In policies {2}Contractors \(11\)/,
    );
    expect(await type('rdp policy "File servers"')).toMatch(
      /Allow remote shell {2}no[\s\S]*Schedules {2}Any time \(1\)/,
    );
    expect(await type('rdp patterns --policy 1')).toMatch(
      /5 detection patterns in policy Database administration/,
    );
  });

  test('names the policy of a pattern, and leaves its number where the names are unavailable', async () => {
    const { type, appliance } = await start();
    expect(await type('rdp patterns')).toMatch(/wevtutil.*IT operations \(8\)/);
    appliance.faults.set('GET /rdpproxy/policies', { kind: 'status', status: 500 });
    expect(await type('rdp patterns')).toMatch(/wevtutil\S+ {2,}8 /);
  });

  test('says when events may be cut off, and suggests a filter when there are none', async () => {
    const { type, press } = await start();
    const all = await type('rdp events');
    expect(all).toContain('500 logon events, and there may be more');
    expect(all).toContain('The appliance returns at most 500 events');
    expect(await type('rdp events --user bob')).toMatch(/No logon events of bob\n[\s\S]*\[bob\.miller\]/);
    expect(await press('bob.miller')).toMatch(/\d+ logon events of bob\.miller\n/);
    expect(await type('rdp events --reason mfa')).toMatch(/Reasons in the newest 500 events: .*mfa_failed/);
    expect(await type('rdp events --user bob.miller --limit 2')).toContain('--limit takes up to 500');
    expect(await type('rdp events --limit 501')).toContain('501 is not a number of events (from 1 to 500)');
  });
});

describe('targets', () => {
  test('go by their numbers where they have no name', async () => {
    const { type, press, rdp } = await start();
    const found = rdp.targets.get(15);
    if (found === undefined) throw new Error('There is a target 15');
    Object.assign(found, { name: '', description: '' });
    expect(await type('rdp target disable 15')).toMatch(
      /✅ Target number 15 disabled[\s\S]*Target number 15 read back: it is disabled/,
    );
    await press('Undo');
    expect(rdp.targets.get(15)?.enabled).toBe(1);
  });

  test('are switched at once, read back, and put back by Undo', async () => {
    const { type, press, rdp } = await start();
    expect(await type('rdp target disable srv-print-01')).toMatch(
      /✅ Target srv-print-01 disabled[\s\S]*it is disabled\. 1 session is still open on it/,
    );
    expect(rdp.targets.get(15)?.enabled).toBe(0);
    await press('Undo');
    expect(rdp.targets.get(15)?.enabled).toBe(1);
    expect(await type('enable rdp target 15')).toContain('Target srv-print-01 is already enabled.');
    expect(await type('rdp target enable 4')).toContain('✅ Target srv-build-02 enabled');
    expect(rdp.targets.get(4)?.enabled).toBe(1);
    expect(await type('rdp target enable 44')).toMatch(/hq lists no target 44\.[\s\S]*\[srv-build-02 \(4\)/);
  });

  test('are not called switched when the appliance only says so', async () => {
    const { type, appliance } = await start();
    appliance.faults.set('POST /rdpproxy/targets/{id}/disable', { kind: 'forget' });
    expect(await type('rdp target disable 15')).toContain(
      '10 min later it still doesn’t show. Target srv-print-01 (15) read back: it is not disabled.',
    );
  });

  test('show before their deletion the policies that lead to them and the people on them', async () => {
    const { type, press, rdp } = await start();
    const card = await type('rdp target delete srv-files-02');
    expect(card).toMatch(
      /In policies {2}File servers \(5\)\n.*Open sessions {2}claire\.dubois on srv-files-02 \(11\)/,
    );
    expect(card).toContain('security audit trail');
    rdp.policies.get(6)?.links.targets.add(8);
    expect(await press('Delete')).toContain('This is not what you were shown a moment ago');
    expect(await press('Delete')).toContain('Targets read back: srv-files-02 (8) is gone, 20 are left.');
    expect(rdp.targets.has(8)).toBe(false);
  });

  test('are not called deleted while they are listed, whatever the appliance said', async () => {
    const { type, press, appliance, rdp } = await start();
    await type('rdp target delete srv-legacy-01');
    appliance.faults.set('DELETE /rdpproxy/targets/{id}', { kind: 'forget' });
    const said = await press('Delete');
    expect(said).toContain('⚠️ Deleting target srv-legacy-01: accepted, never seen');
    expect(said).toContain('Targets read back: srv-legacy-01 (26) is still there.');
    expect(rdp.targets.has(26)).toBe(true);
  });

  test('are replaced with all readable fields, and the card warns of the password', async () => {
    const { type, press, rdp } = await start();
    const before = rdp.targets.get(26);
    const card = await type('rdp target change srv-legacy-01 --set description=Old books, until March');
    expect(card).toContain('description  Old accounting, read only → Old books, until March');
    expect(card).toContain('Password  cannot be read, so it is not sent.');
    await press('Change');
    expect(rdp.targets.get(26)).toEqual({ ...before, description: 'Old books, until March' });
    await press('Undo');
    expect(rdp.targets.get(26)).toEqual(before);
  });

  test('are created by a form that asks for the password, which is stored nowhere', async () => {
    const { type, press, bob, read, rdp, bot } = await start();
    await type('rdp target create srv-new-01 --set address=10.20.1.44, username=gateway');
    await bob.fill({ [passwordLabel(bob)]: 'sesame-4711' });
    await bob.submit();
    const said = read(by);
    expect(said).toContain(
      'Target srv-new-01 (27) read back: address is 10.20.1.44 and username is gateway.',
    );
    expect(rdp.targets.get(27)).toMatchObject({ name: 'srv-new-01', password: 'sesame-4711' });
    expect(said + JSON.stringify(await bot.journal.recent(5))).not.toContain('sesame');
    // Policies may lead to it by then, so the preview comes first.
    expect(await press('Undo')).toContain('Delete the remote-desktop target srv-new-01?');
    expect(rdp.targets.has(27)).toBe(true);
    await press('Delete');
    expect(rdp.targets.has(27)).toBe(false);
  });

  test('take no password in a line, whatever the appliance’s name for it', async () => {
    const { type, bot } = await start();
    for (const set of ['vnc_password=sesame-4711', 'address=10.20.1.44 api_token=sesame-4711']) {
      const said = await type(`rdp target change 15 --set ${set}`);
      expect(said).toContain('contains a password');
      expect(said + JSON.stringify(await bot.journal.recent(5))).not.toContain('sesame');
    }
  });
});

describe('members', () => {
  test('get a last day in everyday words, and Undo restores the old one', async () => {
    const { type, press, rdp } = await start();
    const before = rdp.members.get(5)?.endoflife;
    const year = new Date().getUTCFullYear() + 1;
    expect(await type(`rdp member change contractor.acme --until ${year}-03-31`)).toMatch(
      new RegExp(`Until {2}.* → 31 Mar ${year} 23:59`),
    );
    expect(await press('Change')).toContain('Member contractor.acme (5) read back: the last day is');
    expect(rdp.members.get(5)).toMatchObject({
      endoflife: String(Date.UTC(year, 2, 31, 23, 59, 59) / 1_000),
      full_name: 'Acme Heating',
      password: 'password-of-member-5',
    });
    expect(await type(`rdp member change contractor.acme --until ${year}-03-31`)).toContain(
      'Member contractor.acme already has these values.',
    );
    await press('Undo');
    expect(rdp.members.get(5)?.endoflife).toBe(before);
    expect(await type('rdp member change 5 --until 2027-02-31')).toContain(
      'never: it must be written like one of these, and a real day',
    );
    expect(await type('rdp member change 5')).toContain('Nothing to change.');
  });

  test('get a last day that is relative, and the question shows it as a date', async () => {
    const { type, press, rdp, wait } = await start(converse({ from: Date.UTC(2028, 1, 29, 23, 58) }));
    const card = await type('rdp member change contractor.acme --until in 2 weeks --username acme');
    expect(card).toMatch(/Until {2}.* → 14 Mar 2028 23:59/);
    wait(3 * 60_000);
    // By now it is another day, and so is the one in two weeks.
    const asked = await press('Change');
    expect(asked).toContain('This is not what you were shown a moment ago');
    expect(asked).toMatch(/Until {2}.* → 15 Mar 2028 23:59/);
    await press('Change');
    expect(rdp.members.get(5)).toMatchObject({
      username: 'acme',
      endoflife: String(Date.parse('2028-03-15T23:59:59Z') / 1_000),
    });
  });

  test('are created and get a new password by form only', async () => {
    const { type, press, bob, read, rdp } = await start();
    await type('rdp member create eve.adams --until 2 weeks');
    await bob.fill({ [passwordLabel(bob)]: 'sesame-4711' });
    await bob.submit();
    expect(rdp.members.get(26)).toMatchObject({ username: 'eve.adams', password: 'sesame-4711' });
    await type('rdp member password eve.adams');
    await bob.fill({ [passwordLabel(bob)]: 'open-0815' });
    await bob.submit();
    await press('Set password');
    expect(rdp.members.get(26)).toMatchObject({ username: 'eve.adams', password: 'open-0815' });
    expect(read(by)).toContain('accepted, not verified');
    expect(read(by)).not.toMatch(/sesame|open-0815/);
  });

  test('show their groups before their deletion, and are gone after it', async () => {
    const { type, press, rdp } = await start();
    const card = await type('rdp member delete bob.miller');
    expect(card).toMatch(
      /In policies {2}File servers \(5\)\n.*Open sessions {2}bob\.miller on srv-files-01 \(12\)/,
    );
    expect(await press('Delete')).toContain('Members read back: bob.miller (7) is gone, 20 are left.');
    expect(rdp.members.has(7)).toBe(false);
  });
});

describe('policies', () => {
  test('are linked and unlinked with each of the four, by number or name, and back', async () => {
    const { type, press, rdp } = await start();
    const links = rdp.policies.get(5)?.links;
    expect(await type('rdp policy link 5 member yuki.tanaka')).toContain(
      'Policy File servers (5) read back: member yuki.tanaka (10) is linked to it',
    );
    await type('rdp policy link "File servers" target 15');
    expect(await type('rdp policy unlink 5 network 6')).toContain(
      '✅ Policy File servers: network Meeting rooms (10.20.99.0/24) unlinked',
    );
    expect(await type('rdp policy link 5 schedule 2')).toContain(
      '✅ Policy File servers: schedule Office hours linked',
    );
    expect([
      links?.members.has(10),
      links?.targets.has(15),
      links?.networks.has(6),
      links?.schedules.has(2),
    ]).toEqual([true, true, false, true]);
    await press('Undo');
    expect(links?.schedules.has(2)).toBe(false);
    expect(await type('rdp policy link 5 member 10')).toContain(
      'Policy File servers already has member yuki.tanaka.',
    );
    expect(await type('rdp policy link 3 member 9')).toContain('member bob (9) is linked to it');
    expect(rdp.policies.get(3)?.links.members.has(9)).toBe(true);
    expect(await type('rdp policy link 5 network 99')).toMatch(/failed[\s\S]*network not found/);
  });

  test('keep everything that is not changed, and an unknown right is refused by name', async () => {
    const { type, press, rdp } = await start();
    const before = rdp.policies.get(4);
    expect(await type('rdp policy change "ERP users" --forbid clipboard')).toContain(
      'clipboard is forbidden',
    );
    expect(rdp.policies.get(4)).toEqual({
      ...before,
      rights: { ...before?.rights, allow_clipboard: '0' },
    });
    await press('Undo');
    expect(rdp.policies.get(4)).toEqual(before);
    expect(await type('rdp policy change 4 --allow clipbord')).toContain(
      'Unknown right clipbord. Available rights: clipboard,',
    );
    expect(await type('rdp policy change 4')).toContain('Nothing to change.');
  });

  test('are created, switched and deleted', async () => {
    const { type, press, rdp } = await start();
    expect(await type('rdp policy create Auditors --allow clipboard, file_transfer')).toContain(
      'Policy Auditors (13) read back: clipboard is allowed and file transfer is allowed.',
    );
    await type('rdp policy disable Auditors');
    expect(rdp.policies.get(13)).toMatchObject({ enabled: 0, rights: { allow_file_transfer: '1' } });
    expect(await type('rdp policy delete Contractors')).toMatch(/Own patterns {2}powershell, regedit/);
    await press('Delete');
    expect(rdp.policies.has(11)).toBe(false);
  });

  test('are not called unlinked where the appliance does not report links', async () => {
    const { type, appliance } = await start();
    const policy = { id: 5, name: 'File servers', enabled: 1 };
    const says = (body: object) => ({
      kind: 'text' as const,
      text: JSON.stringify({ Status: true, ...body }),
    });
    appliance.faults.set('GET /rdpproxy/policies', says({ Policies: [policy] }));
    appliance.faults.set('GET /rdpproxy/policies/{id}', says({ Policy: policy }));
    expect(await type('rdp policy unlink 5 member 7')).toContain(
      'Accepted, not verified: the API does not report which members a policy has.',
    );
    expect(await type('rdp member 7')).toContain('In policies  not reported');
  });
});

test('patterns are created, changed, put back and deleted', async () => {
  const { type, press, rdp } = await start();
  expect(await type('rdp pattern create "format c:" in "File servers" --set action=notify')).toContain(
    'Pattern format c: created in policy File servers',
  );
  expect(rdp.patterns.get(13)).toMatchObject({ policy: 5, pattern: 'format c:', action: 'notify' });
  expect(await type('rdp pattern change 12 --set action=disconnect')).toContain(
    '✅ Pattern 12 (regedit) changed',
  );
  expect(rdp.patterns.get(12)).toMatchObject({ action: 'disconnect', pattern: 'regedit' });
  await press('Undo');
  expect(rdp.patterns.get(12)).toMatchObject({ action: 'notify', description: 'Registry' });
  await type('rdp pattern delete 12');
  expect(await press('Delete')).toContain('✅ Pattern 12 (regedit) deleted');
  expect(rdp.patterns.has(12)).toBe(false);
  expect(await type('rdp pattern create shutdown in all')).toContain(
    'Pattern shutdown created in all policies',
  );
});

test('a video’s owner is shown before its deletion', async () => {
  const { type, press, rdp } = await start();
  expect(await type('rdp video delete srv-hvac-01-130.mp4')).toMatch(
    /This cannot be undone\.[\s\S]*Username {2}contractor\.acme/,
  );
  expect(await press('Delete')).toContain('✅ Video 130 (srv-hvac-01-130.mp4) deleted');
  expect(rdp.videos.has(130)).toBe(false);
});

test('cipher suites are set in the typed order, and Undo restores the earlier ones', async () => {
  const { type, press, rdp } = await start();
  const before = rdp.tls.offered;
  await type('rdp ciphers set ECDHE-RSA-AES256-GCM-SHA384 TLS_AES_256_GCM_SHA384');
  expect(rdp.tls.offered).toEqual(['ECDHE-RSA-AES256-GCM-SHA384', 'TLS_AES_256_GCM_SHA384']);
  await press('Undo');
  expect(rdp.tls.offered).toEqual(before);
  expect(await type('rdp ciphers set RC4-MD5')).toContain('The gateway does not support RC4-MD5.');
});

describe('rdp restart', () => {
  const restarting = 'GET /rdpproxy/restart';

  test('shows who would be disconnected, is watched while it runs, and is proven by another process', async () => {
    const inTime = converseInTime(({ appliance }, milliseconds) => {
      const until = appliance.state.rdp.gateway.restartingUntil;
      until?.setTime(until.getTime() - milliseconds);
    });
    const { type, press, rdp } = await start(inTime);
    const card = await type('rdp restart');
    expect(card).toContain('with 15 open sessions?');
    expect(card).toContain('bob.miller on srv-files-01 (12)');
    // A session that opens meanwhile is closed with the others, without another question.
    rdp.sessions.delete(28);
    const said = await press('Restart');
    expect(said).toContain('✅ Remote-desktop gateway restarted');
    expect(said).toContain('process 2209 instead of 2148');
    expect(rdp.sessions.size).toBe(0);
  });

  test('has not happened while the same process runs', async () => {
    const { type, press, appliance } = await start();
    appliance.faults.set(restarting, { kind: 'forget' });
    await type('rdp restart');
    expect(await press('Restart')).toContain('still the same run');
  });
});

/** The label of the password field in the form that is open. */
function passwordLabel(bob: Awaited<ReturnType<typeof start>>['bob']): string {
  const label = bob.form()?.fields.find((field) => /password/i.test(field.label))?.label;
  if (label === undefined) throw new Error('No form asks for a password');
  return label;
}

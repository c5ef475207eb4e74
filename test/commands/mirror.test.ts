import { describe, expect, test } from 'vitest';
import { startSync } from '../../sandbox/appliance/areas/mirror/run.ts';
import { answers } from '../after-order.ts';
import { converse } from '../conversation.ts';

const trigger = 'POST /api/sync/trigger';

test('the mirror is reported in one sentence, with sizes, spans and a button for waiting updates', async () => {
  const { type } = await converse();
  const told = await type('/appliance mirror status');
  expect(told).toMatch(/The mirror last synced .+ ago, and updates are waiting\n/);
  expect(told).toMatch(/Fetched by all syncs {2}[\d,]+ files, [\d.]+ GB, [\d,]+ failed/);
  expect(told).toContain('Disk  64.3% full, 785 GB of 2.2 TB free');
  expect(told).toContain('Running for  12 days 7 h');
  expect(told).toContain('Clients  8, 6 of them active');
  expect(told).toContain('[Sync now]');
});

test('faults of the mirror come first', async () => {
  const { type, appliance } = await converse();
  const { mirror } = appliance.state;
  mirror.disk.used = mirror.disk.total * 0.97;
  mirror.lastError = 'disk space exceeded during sync';
  appliance.turn({ generation: 'field-v1' });
  expect(await type('/appliance mirror status')).toContain(
    '⚠ The mirror has problems: its last sync failed (disk space exceeded during sync) and its disk is 97% full. It last synced',
  );
});

test('a few short facts stand in the answer, without a reply in the thread', async () => {
  const { type } = await converse();
  expect(await type('/appliance mirror disk')).not.toContain('│');
});

test('the mirror’s parts can be asked for one by one', async () => {
  const { type } = await converse();
  expect(await type('/appliance mirror health')).toContain(
    'The mirror service reports healthy, running for 12 days 7 h',
  );
  expect(await type('/appliance mirror disk')).toContain(
    'The disk of the mirror is 64.3% full, 785 GB of 2.2 TB free',
  );
  const clients = await type('/appliance mirror clients');
  expect(clients).toContain('8 machines fetched from the mirror; 1 of them not in the last day');
  expect(clients).toMatch(/appliance-turku +10\.34\.0\.2 +3 days ago +8,870 +9\.9 GB/);
  expect(await type('/appliance mirror server stats')).toMatch(
    /The mirror has answered 163,\d{3} requests with 297 GB; 6 clients active/,
  );
  expect(await type('/appliance mirror sync stats')).toMatch(
    /No sync is running; all syncs fetched [\d,]+ files, [\d.]+ GB/,
  );
});

test('waiting updates can be fetched with a click, and then none wait', async () => {
  const { type, press } = await converse();
  expect(await type('/appliance mirror updates', 'bob')).toContain(
    'Updates are waiting for the mirror, checked at',
  );
  expect(await press('Sync now', 'bob')).toContain('✅ Mirror sync finished');
  expect(await type('/appliance mirror updates', 'bob')).toContain('The mirror is up to date, checked at');
});

test('a sync is watched to its end and reported with its files', async () => {
  const { type, appliance, workspace } = await converse();
  const told = await type('/appliance mirror sync', 'bob');
  expect(told).toContain('✅ Mirror sync finished');
  expect(told).toMatch(/Verified\. Mirror status read back: the sync ended .+ with \d+ files, \d+ MB\./);
  expect(told).toContain('hq said: Sync of debian-main started');
  expect(appliance.state.mirror.run).toBeUndefined();
  expect(appliance.requests.filter(({ operation }) => operation === trigger)).toHaveLength(1);
  const shown = workspace.log.calls().map(({ args }) => String(args.blocks ?? ''));
  expect(shown.some((blocks) => /[1-9]\d* files, [\d.]+ MB/.test(blocks) && blocks.includes(' so far'))).toBe(
    true,
  );
});

test('a running sync is not started again, and its progress is shown', async () => {
  const { type, appliance } = await converse();
  await fetch(`${appliance.urls.mirror}/api/sync/trigger`, { method: 'POST' });
  expect(await type('/appliance mirror sync', 'bob')).toMatch(
    /The mirror of hq is already syncing since .+\. .+ shows its progress\. No changes were made\./,
  );
  expect(await type('/appliance mirror status')).toContain('The mirror is syncing');
  expect(appliance.requests.filter(({ operation }) => operation === trigger)).toHaveLength(1);
});

test('a sync without effect has failed, and is not waited for long', async () => {
  const { type, appliance } = await converse();
  appliance.faults.set(trigger, { kind: 'forget' });
  const told = await type('/appliance mirror sync', 'bob');
  expect(told).toContain('❌ Syncing the mirror failed');
  expect(told).toContain('no sync is running, and the last sync is still');
  expect(appliance.requests.length).toBeLessThan(45);
});

test('syncs are listed, of one repository by its name, and a wrong name brings the nearest', async () => {
  const { type, appliance } = await converse();
  expect(await type('/appliance mirror events')).toMatch(/50 syncs, \d+ with failed files\. Limit reached/);
  const told = await type('/appliance mirror events --repository debian-main --limit 5');
  expect(told).toContain('5 syncs of debian-main');
  expect(told).toMatch(/debian-main +\d+ +[\d.]+ [MG]B +(?:\d+ min )?\d+ s/);
  expect(appliance.requests.at(-1)?.path).toBe('/api/console/events?limit=5&repository=debian-main');
  expect(await type('/appliance mirror events --repository debian-mian')).toContain('debian-main');
  expect(await type('/appliance mirror events --limit 0')).toContain('No changes were made.');
});

test('syncs are summed up by repository', async () => {
  const { type } = await converse();
  const told = await type('/appliance mirror stats');
  expect(told).toMatch(/786 syncs of 6 repositories, [\d.]+ GB in total/);
  expect(told).toMatch(/categories +121 +[\d,]+ +[\d.]+ GB +[\d.]+ s +⚠ 220/);
});

test('thirty days are a chart with a bar for each, said in words, with every day in the table below', async () => {
  const { type, person, workspace } = await converse();
  const told = await type('/appliance mirror daily 30');
  expect(told).toMatch(/In the last 30 days the mirror fetched [\d,]+ files, [\d.]+ GB; \d+ failed/);
  expect(told).toMatch(/Files synced, by day in files\. Fetched: from [\d,]+ \(\d+ \w{3}\) to /);
  expect(told).toMatch(/│ +\d+ \w{3} \d{4} +\d+ +[\d,]+ +[\d.]+ GB +⚠ \d+\n/);
  expect(told).toContain('Rows 1–15 of 30');
  expect(told).toContain('[file mirror-daily-30.png');
  const picture = person('alice').file('helpdesk', 'mirror-daily-30.png');
  expect(picture.subarray(1, 4).toString('latin1')).toBe('PNG');
  const [file] = workspace.snapshot('U0ALICE001').messages.flatMap(({ files = [] }) => files);
  expect(file?.alt_txt).toMatch(/Fetched: from .* lowest .* highest /);
});

test('a day without a sync is a visible gap', async () => {
  const { type, appliance } = await converse();
  const { events } = appliance.state.mirror;
  const day = (at: Date) => at.toISOString().slice(0, 10);
  const missing = day(new Date(Date.now() - 3 * 86_400_000));
  for (const event of events.filter(({ at }) => day(at) === missing)) events.splice(events.indexOf(event), 1);
  const told = await type('/appliance mirror daily 7');
  expect(told).toContain('Files synced, by day');
  expect(told).toMatch(/\d{4} +none +0 +0 +0/);
});

describe('mirrors in the field', () => {
  const field = async () => converse({ generation: 'field-v1' });

  test('keep files that failed years ago out of today’s faults', async () => {
    const { type, appliance } = await field();
    expect(appliance.state.mirror.events.some(({ failedFiles }) => failedFiles > 0)).toBe(true);
    expect(await type('/appliance mirror status')).toMatch(/\n {2}The mirror last synced .+ ago/);
    expect(await type('/appliance status')).toContain('mirror synced recently');
  });

  test('show the reason of the last failed sync wherever the mirror is shown', async () => {
    const { type, appliance } = await field();
    appliance.state.mirror.lastError = 'disk space exceeded during sync';
    const failed = "The mirror's last sync failed: disk space exceeded during sync";
    expect(await type('/appliance status')).toContain(failed);
    expect(await type('/appliance mirror sync stats')).toContain(
      'No sync is running, and the last one failed: disk space exceeded during sync',
    );
  });

  test('show a failed sync as failed', async () => {
    const { type, appliance } = await field();
    const { disk } = appliance.state.mirror;
    disk.used = disk.total - 1;
    const told = await type('/appliance mirror sync', 'bob');
    expect(told).toContain('Syncing the mirror succeeded only in part');
    expect(told).toMatch(/the sync ended .+ with \d+ files, \d+ MB, and failed/);
    expect(told).toContain('The mirror replied: disk space exceeded during sync.');
    expect(told).not.toContain('Verified');
  });

  test('show a sync that was refused before it began as failed, whatever was answered, with its reason', async () => {
    const { type, appliance } = await field();
    const { disk } = appliance.state.mirror;
    disk.used = disk.total;
    const told = await type('/appliance mirror sync', 'bob');
    expect(told).toContain('❌ Syncing the mirror failed');
    expect(told).toContain('The mirror replied: not enough disk space to start sync.');
  });

  test('do not show a sync that began just before the order as begun by it', async () => {
    const { type, appliance } = await field();
    const { mirror } = appliance.state;
    const end = appliance.onChange(() => {
      // When the mirror has said that none runs.
      const { path, outcome } = appliance.requests.at(-1) ?? {};
      if (path !== '/api/status' || outcome !== 'answered') return;
      end();
      startSync(mirror, new Date());
    });
    const told = await type('/appliance mirror sync', 'bob');
    expect(told).toContain('✅ Mirror sync finished');
    expect(told).toContain('It was already running, so no second sync was started.');
  });

  test('show a zero time as never, and no missing time', async () => {
    const { type, appliance } = await field();
    appliance.state.mirror.events.length = 0;
    expect(await type('/appliance mirror status')).toContain('The mirror has never synced');
    expect(await type('/appliance mirror sync stats')).toMatch(/Last sync end +never/);
    expect(await type('/appliance mirror stats')).toContain('The mirror has no recorded sync');
    answers(appliance, 'GET /api/status', { status: 'idle', sync_stats: {} });
    expect(await type('/appliance mirror status')).toContain('does not report when it last synced');
    expect(await type('/appliance status')).toContain('does not report when it last synced');
  });

  test('show a sync with failed files as failed, also where the mirror counts those of all syncs', async () => {
    const { type, appliance } = await field();
    appliance.state.mirror.failing = 3;
    const told = await type('/appliance mirror sync', 'bob');
    expect(told).toContain('Syncing the mirror succeeded only in part');
    expect(told).toMatch(/the sync ended .+ with \d+ files, \d+ MB, and could not fetch 3 files\./);
    expect(told).not.toContain('Verified');
  });

  test('show an error of the console as an error, and not as an empty list', async () => {
    const { type, appliance } = await field();
    answers(appliance, 'GET /api/console/events', { error: 'database is locked' });
    expect(await type('/appliance mirror events')).toContain('refused: database is locked');
  });
});

describe('mirrors from 1.1.1 on', () => {
  const current = async (mirrorService: 'current' | 'waiting' = 'current') => {
    const conversation = await converse({ generation: 'field-v1' });
    conversation.appliance.turn({ mirrorService });
    return conversation;
  };

  test('count the failed files of the last sync alone', async () => {
    const { type, appliance } = await current();
    appliance.state.mirror.failing = 3;
    const told = await type('/appliance mirror sync', 'bob');
    expect(told).toContain('Syncing the mirror succeeded only in part');
    expect(told).toMatch(/the sync ended .+, and could not fetch 3 files\./);
    expect(told).not.toContain('Verified');
    const status = await type('/appliance mirror status');
    expect(status).toContain('⚠ The mirror has problems: its last sync could not fetch 3 files.');
    expect(status).toMatch(/Fetched by all syncs {2}[\d,]+ files, [\d.]+ GB\n/);
    expect(status).toContain('Failed in the last sync  3 files');
    expect(await type('/appliance mirror sync stats')).toMatch(
      /No sync is running, and the last one could not fetch 3 files; all syncs fetched [\s\S]*Failed files, last sync {2}3/,
    );
    expect(await type('/appliance status')).toContain("The mirror's last sync could not fetch 3 files");
    appliance.state.mirror.failing = 0;
    expect(await type('/appliance mirror sync', 'bob')).toMatch(/✅ Mirror sync finished[\s\S]*Verified\./);
    expect(await type('/appliance mirror status')).toContain('Failed in the last sync  0 files');
  });

  test('show a sync that waits for its allowed hours as waiting, and report when it ran', async () => {
    const { type, appliance } = await current('waiting');
    const told = await type('/appliance mirror sync', 'bob');
    expect(told).not.toContain('failed');
    expect(told).not.toContain('did not happen');
    expect(told).toMatch(/✅ Mirror sync finished[\s\S]*Verified\./);
    expect(appliance.state.mirror.isWaiting).toBe(false);
  });

  test('show a sync that has not begun after a day as waiting, and not as failed', async () => {
    const { type, appliance } = await current('waiting');
    appliance.state.mirror.opensAt = new Date(Date.now() + 40 * 60 * 60_000);
    const told = await type('/appliance mirror sync', 'bob');
    expect(told).not.toContain('failed');
    expect(told).toContain('It begins in the mirror’s allowed hours, which its API does not report.');
    expect(appliance.state.mirror.isWaiting).toBe(true);
  });

  test('report a sync that begins within its hours while the bot looks as done', async () => {
    const { type, appliance } = await current('waiting');
    appliance.state.mirror.opensAt = new Date(Date.now() + 20 * 60_000);
    expect(await type('/appliance mirror sync', 'bob')).toMatch(/✅ Mirror sync finished[\s\S]*Verified\./);
    expect(appliance.requests.filter(({ operation }) => operation === trigger)).toHaveLength(1);
  });

  test('show a failed check for updates as that, and not as no updates', async () => {
    const { type, appliance } = await current();
    appliance.state.mirror.checkError = 'the repository is unreachable';
    const told = await type('/appliance mirror status');
    expect(told).toContain('Updates  none reported, which it also says where its check failed');
    expect(told).not.toContain('[Sync now]');
    const updates = await type('/appliance mirror updates');
    expect(updates).toContain('the repository is unreachable');
    expect(updates).not.toContain('up to date');
    appliance.state.mirror.checkError = '';
    expect(await type('/appliance mirror status')).toContain('Updates  available');
  });

  test('do not show an unread disk as empty', async () => {
    const { type, appliance } = await current();
    appliance.state.mirror.diskError = 'statfs: input/output error';
    const told = await type('/appliance mirror status');
    expect(told).toContain('its disk could not be read (statfs: input/output error)');
    expect(told).not.toContain('0% full');
    expect(await type('/appliance status')).toContain(
      'The mirror could not read its disk: statfs: input/output error',
    );
  });
});

test('a day with an odd date has its row, and loses no other day', async () => {
  const { type, appliance } = await converse();
  const today = new Date().toISOString().slice(0, 10);
  answers(appliance, 'GET /api/console/events/daily', {
    days: 7,
    summary: [
      { date: today, sync_count: 2, total_files: 30, total_size: 1_000 },
      {
        date: `${today}T00:00:00+02:00`.replace(today, '0001-01-01'),
        sync_count: 1,
        total_files: 4,
        total_size: 5,
      },
      { date: 'yesterday', sync_count: 1, total_files: 4, total_size: 5 },
    ],
  });
  const told = await type('/appliance mirror daily');
  expect(told).toContain('the mirror fetched 38 files');
  expect(told).toContain('yesterday');
  expect(told).toContain('1 Jan 0001');
});

test('a check for updates that never ran found nothing, and is not shown as up to date', async () => {
  const { type, appliance } = await converse();
  answers(appliance, 'GET /api/updates/check', { updates_available: false });
  expect(await type('/appliance mirror updates')).toContain(
    'The mirror reports no updates, but not when it looked for them',
  );
});

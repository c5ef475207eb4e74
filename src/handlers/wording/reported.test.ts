import { describe, expect, test } from 'vitest';
import { plainText } from '../reply.ts';
import { numberUnder, readableName, readableValue, reportedFields, reportedTable } from './reported.ts';

const said = (key: string, value: string | undefined) =>
  `${readableName(key)}: ${plainText(readableValue(key, value))}`;

describe('a report with an appliance’s own field names', () => {
  test.each([
    ['average_latency_us', '410', 'Average latency: 410 µs'],
    ['lastSyncDuration', '2m3s', 'Last sync duration: 2 min 3 s'],
    ['uptime', '1062726', 'Uptime: 12 days 7 h'],
    ['Uptime', '295h12m4s', 'Uptime: 12 days 7 h'],
    ['used_percent', '64.3', 'Used: 64.3%'],
    ['disk.free_bytes', '785050492928', 'Disk free: 785 GB'],
    ['total_bytes_sent', '2500', 'Total bytes sent: 2.5 kB'],
    ['statistics.rx_packets', '2500', 'Received packets: 2,500'],
    ['statistics.tx_bytes', '2500', 'Sent: 2.5 kB'],
    ['udp-queries', '24201331', 'UDP queries: 24,201,331'],
    ['master_pid', '2841', 'Master PID: 2841'],
    ['running', '1', 'Running: yes'],
    ['is_running', 'false', 'Is running: no'],
    ['workers', '1', 'Workers: 1'],
    ['last_sync_end', '2026-09-23T10:00:00Z', 'Last sync end: 2026-09-23T10:00:00.000Z'],
    ['started', '2026-11-14 06:35:10', 'Started: 2026-11-14 06:35:10 (appliance time)'],
    ['started', '2026-11-14 06:35:10+01:00', 'Started: 2026-11-14 06:35:10+01:00'],
    ['started', '2026-11-14 06:35:10 UTC', 'Started: 2026-11-14 06:35:10 UTC'],
    ['State', 'restarting', 'State: restarting'],
    ['Version', '', 'Version: not reported'],
    ['Version', undefined, 'Version: not reported'],
    ['*', 'x', '*: x'],
  ])('%s %s is read as %s', (key, value, words) => {
    expect(said(key, value)).toBe(words);
  });

  test('does not repeat the common prefix of all names', () => {
    const names = (fields: Record<string, string>) => reportedFields(fields).map(({ name }) => name);
    expect(names({ 'Statistics.uptime': '1', 'Statistics.answers': '2' })).toEqual(['Uptime', 'Answers']);
    expect(names({ 'Statistics.uptime': '1', answers: '2' })).toEqual(['Statistics uptime', 'Answers']);
  });

  test('is found at any depth, and a number only if the value is one', () => {
    expect(numberUnder({ 'disk.Total_Bytes': '12' }, 'totalbytes')).toBe(12);
    expect(numberUnder({ total_bytes: 'a lot' }, 'totalbytes')).toBeUndefined();
  });

  test('as rows with different names becomes no table of all names in every row', async () => {
    const rows = Array.from({ length: 3_000 }, (_, at) => ({ id: String(at), [`f${at}`]: 'a' }));
    const table = await reportedTable(rows);
    if (table.kind !== 'table') throw new Error('It is a table');
    expect(table.columns).toHaveLength(8);
    expect(table.rows[2_000]?.at(-1)).toEqual(['F2000: ', 'a']);
  });

  test('as rows becomes a table of all occurring columns, with surplus ones joined in the last', async () => {
    expect(
      await reportedTable([
        { Date: 'today', Event: 'start' },
        { Event: 'stop', PID: '7' },
      ]),
    ).toMatchObject({
      columns: ['Date', 'Event', 'PID'],
      rows: [
        [['today'], ['start'], ['not reported']],
        [['not reported'], ['stop'], ['7']],
      ],
    });
    const table = await reportedTable([
      Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`f${at}`, `${at}`])),
    ]);
    if (table.kind !== 'table') throw new Error('It is a table');
    expect(table.columns).toHaveLength(8);
    expect(plainText(table.rows[0]?.[7] ?? [])).toBe('F7: 7, F8: 8, F9: 9');
  });
});

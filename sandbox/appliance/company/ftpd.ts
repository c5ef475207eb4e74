/** A line of the FTP server's log. */
interface FtpEvent {
  readonly at: Date;
  readonly pid: number;
  readonly text: string;
}

export interface FtpdState {
  /** The running server; undefined: it is not installed. */
  process: { readonly pid: number; readonly startedAt: Date } | undefined;
  /** Oldest first. They outlive the server. */
  readonly events: FtpEvent[];
}

export function ftpdOfTheCompany(now: Date): FtpdState {
  const startedAt = new Date(now.getTime() - 3 * 86_400_000);
  return { process: { pid: 2841, startedAt }, events: logged(startedAt, now) };
}

/** Three days of transfers, one every 47 minutes. */
function logged(from: Date, now: Date): FtpEvent[] {
  const events: FtpEvent[] = [{ at: from, pid: 2841, text: 'FTP server started, listening on port 21' }];
  const step = 47 * 60_000;
  for (let index = 0; from.getTime() + (index + 1) * step < now.getTime(); index += 1) {
    const [user, address, text] = visits[index % visits.length] ?? visits[0];
    const session = Math.floor(index / visits.length) + 1;
    events.push({
      at: new Date(from.getTime() + (index + 1) * step),
      pid: 3000 + index * 13,
      text: `${user}@${address} ${text.replace('#', String(session).padStart(3, '0'))}`,
    });
  }
  return events;
}

type Visit = [user: string, address: string, text: string];

const visits: readonly [Visit, ...Visit[]] = [
  ['scanner01', '10.20.6.201', 'login successful'],
  ['scanner01', '10.20.6.201', 'STOR /scans/invoice-#.pdf (418211 bytes)'],
  ['camera-gate', '10.20.90.31', 'login successful'],
  ['camera-gate', '10.20.90.31', 'STOR /cameras/gate-#.mp4 (18220416 bytes)'],
  ['partner.acme', '192.0.2.44', 'login successful (TLS)'],
  ['partner.acme', '192.0.2.44', 'RETR /exchange/pricelist-#.csv (96114 bytes)'],
  ['erp-export', '10.20.7.15', 'STOR /exchange/pricelist-#.csv (96114 bytes)'],
  ['admin', '203.0.113.77', 'login failed: wrong password'],
  // A user name that somebody chose to be read by a chat.
  ['<!channel> *admin*', '203.0.113.77', 'login failed: no such user'],
  ['backup.operator', '10.20.4.5', 'RETR /backup/config-#.tgz (7340032 bytes)'],
  ['scanner02', '10.20.6.202', 'connection timed out, session closed'],
];

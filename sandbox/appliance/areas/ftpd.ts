import { done, refused } from '../envelope.ts';
import type { Area, Order } from '../route.ts';
import type { State } from '../state.ts';
import { dateText, secondsBetween } from '../times.ts';

/** The FTP server: appliance-api.md §4.10. But for the status, the document shows no shape. */
export const ftpd: Area = {
  routes: [
    {
      method: 'GET',
      path: '/ftpd/install',
      answer({ state, now }) {
        if (!state.software.installed.has('APP_FTPD'))
          return refused('The binaries of the FTP server are not stored on this appliance');
        if (state.ftpd.process === undefined) startServer(state, now);
        return done('The FTP server is installed');
      },
    },
    {
      method: 'GET',
      path: '/ftpd/uninstall',
      answer({ state, now }) {
        if (state.ftpd.process !== undefined) log(state, now, 'FTP server stopped');
        state.ftpd.process = undefined;
        return done('The FTP server is uninstalled');
      },
    },
    { method: 'GET', path: '/ftpd/status', answer: (order) => done(statusText(order)) },
    {
      method: 'GET',
      path: '/ftpd/restart',
      answer({ state, now }) {
        if (state.ftpd.process === undefined) return refused('The FTP server is not installed');
        restartFtpd(state, now);
        return done('The FTP server is restarted');
      },
    },
    { method: 'GET', path: '/ftpd/events/{search}/{max}', answer: findEvents },
  ],
};

/** Requires an installed server. */
export function restartFtpd(state: State, now: Date): void {
  log(state, now, 'FTP server stopped');
  startServer(state, now);
}

function startServer(state: State, now: Date): void {
  const last = state.ftpd.process?.pid ?? state.ftpd.events.at(-1)?.pid ?? 3000;
  state.ftpd.process = { pid: last + 57, startedAt: now };
  log(state, now, 'FTP server started, listening on port 21');
}

function log(state: State, at: Date, text: string): void {
  state.ftpd.events.push({ at, pid: state.ftpd.process?.pid ?? 0, text });
}

/** INI content, as the document says; its keys are not documented. */
function statusText({ state, now }: Order): string {
  const { process } = state.ftpd;
  const seconds = process ? secondsBetween(process.startedAt, now) : 0;
  return [
    '[APP_FTPD]',
    'service_name=FTP server',
    'service_cmd=/etc/init.d/ftpd',
    `installed=${process ? 1 : 0}`,
    `running=${process ? 1 : 0}`,
    `master_pid=${process?.pid ?? 0}`,
    `master_version=${state.software.installed.get('APP_FTPD') ?? ''}`,
    `master_memory=${process ? 18_432 : 0}`,
    `uptime=${seconds}`,
    '',
  ].join('\n');
}

/** The newest events that hold every one of the words, in any case; `*` stands for all. */
function findEvents({ state, slots }: Order) {
  const max = slots.get('max');
  if (!/^[1-9]\d*$/.test(max)) return refused(`Not a number of rows: ${max}`);
  const words = slots.get('search').toLowerCase().split(/\s+/);
  const found = state.ftpd.events
    .filter(({ text }) => words.every((word) => word === '*' || text.toLowerCase().includes(word)))
    .toReversed()
    .slice(0, Number(max));
  return {
    Status: true,
    Error: '',
    Events: found.map(({ at, pid, text }) => ({
      Date: dateText(at),
      PID: pid,
      Event: text,
    })),
  };
}

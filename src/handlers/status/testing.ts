import { NotConfigured, Refused, Unreachable } from '../../api/index.ts';
import type { ReadResult } from '../wording/answer.ts';
import type { Readings } from './status.ts';

/** Readings for tests: a healthy appliance, and deviations. */
export const answered = <Value>(value: Value): ReadResult<Value> => ({ answered: true, value });

export const unreachable: ReadResult<never> = {
  answered: false,
  failure: new Unreachable('ECONNREFUSED', { operation: 'test' }),
};

export const notConfigured: ReadResult<never> = {
  answered: false,
  failure: new NotConfigured('mirrorUrl', { operation: 'test' }),
};

export const refused = (reason: string): ReadResult<never> => ({
  answered: false,
  failure: new Refused(reason, { operation: 'test', sent: 'yes' }),
});

export const now = Date.UTC(2027, 0, 1, 12);

export const report = (fields: Readonly<Record<string, string>>, info = '') => answered({ info, fields });

export const well: Readings = {
  version: answered({ major: '4.50', version: '4.50 Service Pack 5', servicePack: '5' }),
  services: report({ 'services.A.name': 'Proxy', 'services.A.running': '1' }),
  directory: answered({
    connected: true,
    info: 'Connected',
    activeDaemons: 24,
    maxDaemons: 60,
    queueLength: 0,
  }),
  link: answered({ linked: true, info: '' }),
  ports: report({ 'ports.0.port': '3128', 'ports.0.listening': 'true' }, 'All ports are listening'),
  firewall: report({ running: '1', uptime: '86400' }, 'Running'),
  mirror: answered({
    status: 'idle',
    syncStats: { lastSyncEnd: new Date(now - 3_600_000), failedFiles: 0, isRunning: false },
    diskSpace: { usedPercent: 64.3, freeBytes: 785_000_000_000 },
  }),
};

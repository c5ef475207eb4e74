import { isIP } from 'node:net';
import type { Problem } from '../../problem.ts';
import type { HealthSettings } from '../../telemetry/health/server.ts';
import type { Environment } from '../secret.ts';

/** `9464` is on this machine only; `0.0.0.0:9464` or `[::]:9464` also for others. Undefined where it is off, or wrong. */
export function readHealthPort(
  { HEALTH_PORT: given }: Environment,
  problems: Problem[],
): HealthSettings | undefined {
  if (!given) return undefined;
  const [, named, digits = ''] = /^(?:(.*):)?(\d{1,5})$/.exec(given) ?? [];
  const host = named?.replace(/^\[(.*)\]$/, '$1') ?? '127.0.0.1';
  const port = Number(digits);
  if (digits !== '' && port <= 65_535 && isIP(host) !== 0) return { host, port };
  problems.push({
    key: 'HEALTH_PORT',
    wrong:
      'is neither a port number nor an address of this machine and a port. With a port alone, only this machine reaches it.',
    example: 'HEALTH_PORT=9464',
  });
  return undefined;
}

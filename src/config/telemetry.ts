import { isIP } from 'node:net';
import type { Problem } from '../problem.ts';
import type { HealthSettings } from '../telemetry/health-server.ts';
import type { TraceSettings } from '../telemetry/traces/sender.ts';
import type { Environment } from './secret.ts';

/**
 * Uses OpenTelemetry's names (opentelemetry.io/docs/specs/otel/protocol/exporter). Undefined if traces are off,
 * as by default, or invalid.
 */
export function readTraces(environment: Environment, problems: Problem[]): TraceSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = environment;
  if (!(base || own) || environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined;
  const before = problems.length;
  const key = own ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT';
  const url = URL.parse(own || base || '');
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    problems.push({
      key,
      wrong:
        'is not an address by http or https without a user name and password. What the collector wants as a key goes into OTEL_EXPORTER_OTLP_HEADERS.',
      example: 'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318',
    });
  }
  const ownProtocol = environment.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL;
  if (!['http/json', ''].includes(ownProtocol || environment.OTEL_EXPORTER_OTLP_PROTOCOL || '')) {
    const name = ownProtocol ? 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL' : 'OTEL_EXPORTER_OTLP_PROTOCOL';
    problems.push({
      key: name,
      wrong:
        'is not http/json, which is all that the bot speaks. Collectors take it at the same port as http/protobuf.',
      example: `${name}=http/json`,
    });
  }
  const headers = readHeaders(environment, problems);
  const timeout = Number(
    environment.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT || environment.OTEL_EXPORTER_OTLP_TIMEOUT || 10_000,
  );
  if (!(timeout >= 1 && timeout <= 600_000)) {
    problems.push({
      key: 'OTEL_EXPORTER_OTLP_TIMEOUT',
      wrong: 'is not a number of milliseconds.',
      example: 'OTEL_EXPORTER_OTLP_TIMEOUT=10000',
    });
  }
  if (problems.length > before || url === null) return undefined;
  // The general address gets the signal's path appended; the one for traces is used as it is.
  if (!own) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  const named = pairsIn(environment.OTEL_RESOURCE_ATTRIBUTES ?? '') ?? {};
  const service = environment.OTEL_SERVICE_NAME || named['service.name'] || 'appliance-bot';
  return { url: url.href, headers, timeout, resource: { ...named, 'service.name': service } };
}

function readHeaders(environment: Environment, problems: Problem[]): Readonly<Record<string, string>> {
  const own = environment.OTEL_EXPORTER_OTLP_TRACES_HEADERS;
  const key = own ? 'OTEL_EXPORTER_OTLP_TRACES_HEADERS' : 'OTEL_EXPORTER_OTLP_HEADERS';
  const pairs = pairsIn(own || environment.OTEL_EXPORTER_OTLP_HEADERS || '');
  try {
    if (pairs === undefined) throw new TypeError('no pairs');
    return Object.fromEntries(new Headers(pairs));
  } catch {
    problems.push({
      key,
      wrong:
        'is not a list of name=value, separated by commas, with special characters as in addresses (%20).',
      example: `${key}=authorization=Bearer%20…`,
    });
    return {};
  }
}

/** W3C Baggage format: `a=b,c=d%20e`. Undefined for other text. */
function pairsIn(given: string): Readonly<Record<string, string>> | undefined {
  const pairs: [string, string][] = [];
  for (const pair of given.split(',').filter((one) => one.trim() !== '')) {
    const at = pair.indexOf('=');
    if (at < 1) return undefined;
    try {
      pairs.push([pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]);
    } catch {
      return undefined;
    }
  }
  return Object.fromEntries(pairs);
}

/**
 * `9464` listens on this machine only; `0.0.0.0:9464` or `[::]:9464` also for others. Undefined if it is off or
 * invalid.
 */
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

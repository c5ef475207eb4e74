import type { Problem } from '../../problem.ts';
import type { TraceSettings } from '../../telemetry/traces/sender.ts';
import type { Environment } from '../secret.ts';

/**
 * Under the names that OpenTelemetry has for them (opentelemetry.io/docs/specs/otel/protocol/exporter). Undefined where traces are off,
 * as they are by default, or something is wrong.
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
  // Of the general address the signal's own path comes below it; that of traces is taken as it is.
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

/** As W3C Baggage has it: `a=b,c=d%20e`. Undefined where it is none. */
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

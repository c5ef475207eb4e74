import { describe, expect, test } from 'vitest';
import type { Problem } from '../problem.ts';
import type { Environment } from './secret.ts';
import { readTraces } from './telemetry.ts';

function read(environment: Environment) {
  const problems: Problem[] = [];
  return { settings: readTraces(environment, problems), keys: problems.map(({ key }) => key), problems };
}
const endpoint = 'OTEL_EXPORTER_OTLP_ENDPOINT';

describe('traces', () => {
  test.each<Environment>([
    {},
    { [endpoint]: '' },
    { OTEL_SERVICE_NAME: 'bot' },
    { [endpoint]: 'http://a:4318', OTEL_SDK_DISABLED: 'true' },
  ])('are off with %j', (environment) => {
    expect(read(environment)).toMatchObject({ settings: undefined, keys: [] });
  });

  test.each([
    [{ [endpoint]: 'http://collector:4318' }, 'http://collector:4318/v1/traces'],
    [{ [endpoint]: 'https://collector.example.com/otlp/' }, 'https://collector.example.com/otlp/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/own' }, 'http://collector:4318/own'],
    [{ [endpoint]: 'http://a', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://b' }, 'http://b/'],
  ])('with %j go to %s', (environment, url) => {
    expect(read(environment).settings?.url).toBe(url);
  });

  test('carry the configured headers and names, with their escapes', () => {
    const { settings } = read({
      [endpoint]: 'http://a',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%2Cb, x-tenant = 7',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,host.name=h%201',
      OTEL_SERVICE_NAME: 'bot',
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    });
    expect(settings).toMatchObject({
      headers: { authorization: 'Bearer a,b', 'x-tenant': '7' },
      resource: { 'service.name': 'bot', 'host.name': 'h 1' },
      timeout: 500,
    });
  });

  test.each<[Environment, string]>([
    [{ [endpoint]: 'collector:4318' }, endpoint],
    [{ [endpoint]: 'ftp://collector' }, endpoint],
    [{ [endpoint]: 'http://user:hush@collector' }, endpoint],
    [{ [endpoint]: 'http://a', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL'],
    [{ [endpoint]: 'http://a', OTEL_EXPORTER_OTLP_HEADERS: 'hush' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
    [{ [endpoint]: 'http://a', OTEL_EXPORTER_OTLP_HEADERS: 'a b=hush' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
    [{ [endpoint]: 'http://a', OTEL_EXPORTER_OTLP_HEADERS: 'a=hush%0d%0ab' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
    [{ [endpoint]: 'http://a', OTEL_EXPORTER_OTLP_HEADERS: 'a=%' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
    [{ [endpoint]: 'http://a', OTEL_EXPORTER_OTLP_TIMEOUT: 'soon' }, 'OTEL_EXPORTER_OTLP_TIMEOUT'],
  ])('with %j do not start, and the setting is named without what stands in it', (environment, key) => {
    const { settings, keys, problems } = read(environment);
    expect(settings).toBeUndefined();
    expect(keys).toEqual([key]);
    expect(JSON.stringify(problems)).not.toContain('hush');
  });
});

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

/**
 * A collector as https://opentelemetry.io/docs/specs/otlp/ describes it (“OTLP/HTTP”, “JSON Protobuf Encoding”) and
 * opentelemetry/proto/trace/v1/trace.proto: IDs are hex and not all zeros, 64-bit numbers are decimal strings, enumerations are numbers, names
 * are in lowerCamelCase. Whatever is not in the protocol is refused here, although a receiver would ignore it.
 */
const nanoseconds = z.string().regex(/^[1-9]\d{18}$/);
const traceId = z.string().regex(/^(?!0{32})[0-9a-f]{32}$/);
const spanId = z.string().regex(/^(?!0{16})[0-9a-f]{16}$/);
const scalar = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
]);
const attributes = z
  .array(
    z.strictObject({
      key: z.string().min(1),
      value: z.union([scalar, z.strictObject({ arrayValue: z.strictObject({ values: z.array(scalar) }) })]),
    }),
  )
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'keys are unique');
const span = z
  .strictObject({
    ...{ traceId, spanId, parentSpanId: spanId.optional(), name: z.string().min(1) },
    kind: z.number().int().min(0).max(5),
    ...{ startTimeUnixNano: nanoseconds, endTimeUnixNano: nanoseconds, attributes },
    status: z
      .strictObject({ code: z.number().int().min(0).max(2), message: z.string().optional() })
      .optional(),
    links: z.array(z.strictObject({ traceId, spanId })).optional(),
  })
  .refine((one) => BigInt(one.endTimeUnixNano) >= BigInt(one.startTimeUnixNano), 'it ends after its start');
const body = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(span).min(1),
        }),
      ),
    }),
  ),
});

export type ReceivedSpan = z.infer<typeof span>;

interface Answering {
  /** How it answers from now on; undefined: as it should. */
  answer: ((response: ServerResponse) => void) | undefined;
}

export async function collector() {
  const spans: ReceivedSpan[] = [];
  const requests: {
    readonly url: string | undefined;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
  }[] = [];
  const resources: unknown[] = [];
  const wrong: string[] = [];
  const how: Answering = { answer: undefined };
  const server = createServer(async (request, response) => {
    const sent = await text(request).catch(() => '');
    requests.push({ url: request.url, headers: request.headers, body: sent });
    if (how.answer !== undefined) return how.answer(response);
    if (request.method !== 'POST' || request.headers['content-type'] !== 'application/json')
      wrong.push(`${request.method}`);
    const read = body.safeParse(JSON.parse(sent));
    if (read.error !== undefined) wrong.push(z.prettifyError(read.error));
    for (const { resource, scopeSpans } of read.data?.resourceSpans ?? []) {
      resources.push(
        Object.fromEntries(resource.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      );
      for (const { spans: some } of scopeSpans) spans.push(...some);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // Listening at a port.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, spans, requests, resources, wrong, how };
}

export const attributesOf = ({ attributes: given }: ReceivedSpan): Readonly<Record<string, unknown>> =>
  Object.fromEntries(given.map(({ key, value }) => [key, Object.values(value)[0]]));

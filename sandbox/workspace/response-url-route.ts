import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from './http.ts';
import { Refusal } from './refusal.ts';
import { readAnswer } from './response-urls.ts';
import { sufferOr } from './web-api.ts';
import type { World } from './world.ts';

/**
 * Answers a post to a response URL: `ok`, 404 for a dead URL, 400 for a message Slack would not take.
 * No token is needed: the URL is the secret.
 */
export async function responseUrl(
  world: World,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request, 4 * 1024 * 1024);
  const at = performance.now();
  const fault = world.faults.take('response_url', () => [world.responseUrls.ownerOf(path) ?? '']);
  let args: Readonly<Record<string, unknown>> = {};
  const answered = await sufferOr(fault, () => {
    try {
      args = readAnswer(body, request.headers['content-type'] ?? '');
      world.conditions.check('response_url', 'none', args);
      world.responseUrls.take(path, args);
      return { status: 200, headers: { 'content-type': 'text/html' }, body: 'ok' };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const isDead = error.error === 'expired_url' || error.error === 'used_url';
      return {
        status: isDead ? 404 : 400,
        body: JSON.stringify({ ok: false, error: error.error, ...error.details }),
        error: error.error,
      };
    }
  });
  const error = answered === undefined ? fault?.kind : answered.error;
  world.log.addCall({
    method: 'response_url',
    ok: error === undefined,
    status: answered?.status ?? 0,
    at,
    args,
    ...(error === undefined ? {} : { error }),
  });
  if (answered === undefined) {
    if (fault?.kind !== 'hang') request.socket.destroy();
    return;
  }
  response.writeHead(fault?.kind === 'error' ? 404 : answered.status, {
    'content-type': 'application/json; charset=utf-8',
    ...answered.headers,
  });
  response.end(answered.body);
}

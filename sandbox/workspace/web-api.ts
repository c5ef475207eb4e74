import type { IncomingMessage, ServerResponse } from 'node:http';
import { concerns } from './concerns.ts';
import type { Fault } from './faults.ts';
import { readBody } from './http.ts';
import type { Arguments, Method } from './methods/method.ts';
import { type MethodName, methods } from './methods.ts';
import { RateLimited } from './rate-limits.ts';
import { Refusal } from './refusal.ts';
import type { World } from './world.ts';

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** For the log. */
  readonly error?: string;
}

/** Answers `/api/<method>`: reads the arguments, checks the token and its scopes, does it, and says so the way Slack does. */
export async function webApi(
  world: World,
  method: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { args, token } = await readCall(request);
  const logged = { method, at: performance.now(), args };
  const fault = world.faults.take(method, () => concerns(world, args));
  const answered = await sufferOr(fault, () => call(world, method, token, args));
  const { error } = answered ?? { error: fault?.kind };
  const ok = answered !== undefined && error === undefined;
  world.log.addCall({
    ...logged,
    ok,
    status: answered?.status ?? 0,
    ...(error === undefined ? {} : { error }),
  });
  if (answered === undefined) {
    if (fault?.kind !== 'hang') request.socket.destroy();
    return;
  }
  response.writeHead(answered.status, {
    'content-type': 'application/json; charset=utf-8',
    ...answered.headers,
  });
  response.end(answered.body);
}

/** Does the call unless a fault stands in its way; undefined when no answer may leave. */
export async function sufferOr(
  fault: Fault | undefined,
  act: () => Answer | Promise<Answer>,
): Promise<Answer | undefined> {
  switch (fault?.kind) {
    case undefined:
      return act();
    case 'rate_limited':
      return tooMany(fault.retryAfter);
    case 'http':
      return {
        status: fault.status,
        headers: { 'content-type': 'text/plain' },
        body: 'upstream error',
        error: `http_${fault.status}`,
      };
    case 'page':
      return {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<!DOCTYPE html><html><body>Sign in to the proxy</body></html>',
        error: 'page',
      };
    case 'error':
      return refusal(fault.error, fault.details);
    case 'hang':
      return undefined;
    case 'close':
      if (fault.when === 'after') await act();
      return undefined;
    case 'delay':
      await new Promise((resolve) => setTimeout(resolve, fault.ms));
      return act();
  }
}

async function call(world: World, name: string, token: string | undefined, args: Arguments): Promise<Answer> {
  const scopes = [...world.conditions.scopes].join(',');
  const headers = { 'x-oauth-scopes': scopes };
  try {
    const method = methods[name as MethodName] as Method | undefined;
    if (method === undefined) throw new Refusal('unknown_method', { req_method: name });
    authorize(world, method, token);
    world.conditions.check(name, method.token, args);
    const wait = world.rateLimits?.excess(name, method.perMinute, args.channel);
    if (wait !== undefined) throw new RateLimited(wait);
    const step = token === undefined ? undefined : world.executions.withToken(token)?.id;
    const result = await method.answer({ world, args, step });
    return {
      status: 200,
      headers: { ...headers, 'x-accepted-oauth-scopes': method.scopes.join(',') },
      body: JSON.stringify({ ok: true, ...result }),
    };
  } catch (error) {
    if (error instanceof RateLimited) return tooMany(error.retryAfter);
    if (error instanceof Refusal) return { ...refusal(error.error, error.details), headers };
    throw error;
  }
}

function tooMany(retryAfter: number): Answer {
  return { ...refusal('ratelimited'), status: 429, headers: { 'retry-after': String(retryAfter) } };
}

function refusal(error: string, details: Readonly<Record<string, unknown>> = {}): Answer {
  return { status: 200, body: JSON.stringify({ ok: false, error, ...details }), error };
}

function authorize(world: World, method: Method, token: string | undefined): void {
  if (method.token === 'none') return;
  if (token === undefined || token === '') throw new Refusal('not_authed');
  const step = world.executions.withToken(token);
  // A step's token dies with it (bolt-js#2288).
  if (step?.ended !== undefined) throw new Refusal('token_revoked');
  const isBot = token === world.tokens.bot || step !== undefined;
  const kind = isBot ? 'bot' : token === world.tokens.app ? 'app' : undefined;
  if (kind === undefined) throw new Refusal('invalid_auth');
  if (kind !== method.token) throw new Refusal('not_allowed_token_type');
  const granted =
    method.scopes.length === 0 || method.scopes.some((scope) => world.conditions.scopes.has(scope));
  if (kind === 'bot' && !granted) {
    throw new Refusal('missing_scope', {
      needed: method.scopes.join(','),
      provided: [...world.conditions.scopes].join(','),
    });
  }
}

/** Arguments from the query, a form or JSON; the token from the header or among them. */
async function readCall(
  request: IncomingMessage,
): Promise<{ readonly args: Arguments; readonly token: string | undefined }> {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
  const body = await readBody(request, 4 * 1024 * 1024);
  const given = { ...Object.fromEntries(query), ...parseBody(body, request.headers['content-type'] ?? '') };
  const { token, ...args } = given;
  const header = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return { args, token: header ?? (typeof token === 'string' ? token : undefined) };
}

function parseBody(body: string, type: string): Record<string, unknown> {
  if (body === '') return {};
  if (!type.includes('json')) return Object.fromEntries(new URLSearchParams(body));
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

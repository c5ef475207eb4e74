import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { DownloadFault } from './faults.ts';
import { appMayRead } from './file-payload.ts';
import { fileLimits, type StoredFile } from './files.ts';
import { readBytes } from './http.ts';
import { botUserId, team } from './people.ts';
import { Refusal } from './refusal.ts';
import { sufferOr } from './web-api.ts';
import type { World } from './world.ts';

/** Slack's answer, with 200, to a client without access to a file (slack-facts.md §7). */
const loginPage =
  '<!DOCTYPE html><html><head><title>Login | Slack</title></head><body><h1>Sign in to Slack</h1></body></html>';

/** `url_private` and `url_private_download`: the bytes for the bot's token in the header, the login page for anything else. */
export async function download(
  world: World,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const id = new RegExp(`^/files-pri/${team.id}-(\\w+)/`).exec(path)?.[1] ?? '';
  const file = world.files.find(id);
  const allowed =
    file !== undefined &&
    request.headers.authorization === `Bearer ${world.tokens.bot}` &&
    appMayRead(world, file);
  const fault = world.faults.takeDownload();
  const log = (status: number, error?: string): void =>
    world.log.addCall({
      method: 'download',
      ok: error === undefined,
      status,
      at: performance.now(),
      args: { file: id },
      ...(error === undefined ? {} : { error }),
    });
  if (fault !== undefined) {
    log(fault.kind === 'http' ? fault.status : 0, fault.kind);
    if (!(await suffer(fault, allowed ? file : undefined, request, response))) return;
  } else log(200, allowed ? undefined : 'login_page');
  if (!allowed) return html(response);
  response.writeHead(200, headersOf(file));
  response.end(file.content);
}

/** Does what the fault says; true when the file is to be sent as always after it. */
async function suffer(
  fault: DownloadFault,
  file: StoredFile | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  switch (fault.kind) {
    case 'login_page':
      html(response);
      return false;
    case 'rate_limited':
      response.writeHead(429, { 'retry-after': String(fault.retryAfter) }).end();
      return false;
    case 'http':
      response.writeHead(fault.status, { 'content-type': 'text/plain' }).end('upstream error');
      return false;
    case 'redirect':
      response.writeHead(302, { location: fault.to }).end();
      return false;
    case 'hang':
      return false;
    case 'close':
      request.socket.destroy();
      return false;
    case 'delay':
      await pause(fault.ms);
      return true;
    case 'cut_short':
      if (file !== undefined) cutShort(fault, file, response);
      return file === undefined;
    case 'slow':
      if (file !== undefined) await trickle(fault.ms, file, response);
      return file === undefined;
  }
}

function cutShort(
  { bytes, ends }: Extract<DownloadFault, { kind: 'cut_short' }>,
  file: StoredFile,
  response: ServerResponse,
): void {
  const part = file.content.subarray(0, bytes);
  if (ends === 'cleanly') {
    response.writeHead(200, { ...headersOf(file), 'content-length': part.length }).end(part);
    return;
  }
  response.writeHead(200, headersOf(file));
  response.write(part, () => response.destroy());
}

async function trickle(ms: number, file: StoredFile, response: ServerResponse): Promise<void> {
  response.writeHead(200, headersOf(file));
  const step = Math.max(1, Math.ceil(file.content.length / 10));
  for (let start = 0; start < file.content.length; start += step) {
    await pause(ms);
    if (response.destroyed) return;
    response.write(file.content.subarray(start, start + step));
  }
  response.end();
}

function headersOf(file: StoredFile): Record<string, string | number> {
  return {
    'content-type': file.type.mimetype,
    'content-length': file.content.length,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
  };
}

function html(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(loginPage);
}

/** Takes the bytes of an upload that files.getUploadURLExternal announced. The address is the secret, and works once. */
export async function upload(
  world: World,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const content = await uploaded(request);
  const at = performance.now();
  const fault = world.faults.take('upload');
  const answered = await sufferOr(fault, () => {
    try {
      world.files.receive(path.slice('/upload/v1/'.length), botUserId, content);
      return { status: 200, body: `OK - ${content.length}` };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.error === 'expired_url' ? 404 : 400, body: error.error, error: error.error };
    }
  });
  const error = answered === undefined ? fault?.kind : answered.error;
  world.log.addCall({
    method: 'upload',
    ok: error === undefined,
    status: answered?.status ?? 0,
    at,
    args: { bytes: content.length },
    ...(error === undefined ? {} : { error }),
  });
  if (answered === undefined) {
    if (fault?.kind !== 'hang') request.socket.destroy();
    return;
  }
  response.writeHead(answered.status, { 'content-type': 'text/plain', ...answered.headers });
  response.end(answered.body);
}

/** The bytes as they are, or as the one file of a multipart form: both are uploads to Slack, and the SDK sends the form. */
async function uploaded(request: IncomingMessage): Promise<Buffer> {
  const type = request.headers['content-type'] ?? '';
  const body = await readBytes(request, fileLimits.bytes);
  if (!type.startsWith('multipart/form-data')) return body;
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const file = [...form.values()].find((part) => typeof part !== 'string');
  return file === undefined ? Buffer.of() : Buffer.from(await file.arrayBuffer());
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { distort, refusal } from './distort.ts';
import { type Fault, happensUnder, kinds } from './kinds.ts';
import { licenceExpired } from './licence.ts';

/** Answers as the fault says; `reply` is what would have been answered. */
export function answerBadly(fault: Fault, response: ServerResponse, reply: unknown): void {
  switch (fault.kind) {
    case 'slow':
    case 'forget':
    case 'zdate':
      sendJson(response, reply);
      break;
    case 'hang':
      break;
    case 'reset':
      sendHalf(response, reply);
      break;
    case 'empty':
      response.writeHead(200, { 'content-length': 0 }).end();
      break;
    case 'broken_json':
      send(response, 200, json, JSON.stringify(reply).slice(0, -1));
      break;
    case 'huge':
      sendHuge(response, fault.bytes ?? kinds.huge.options.bytes.default);
      break;
    case 'text':
      send(response, 200, 'text/plain; charset=utf-8', fault.text ?? kinds.text.options.text.default);
      break;
    case 'html':
      sendPage(response, 200);
      break;
    case 'content_type':
      send(response, 200, html, JSON.stringify(reply));
      break;
    case 'casing':
    case 'stringly':
    case 'nulls':
    case 'missing_status':
    case 'extra_keys':
      sendJson(response, distort[fault.kind](reply));
      break;
    case 'status':
      sendError(response, fault);
      break;
    case 'redirect':
      response.setHeader('location', asHeader(fault.to ?? kinds.redirect.options.to.default));
      sendPage(response, 302);
      break;
    case 'refuse':
      sendJson(response, refusal(reply, fault.error ?? kinds.refuse.options.error.default));
      break;
    case 'licence':
      sendJson(response, refusal(reply, licenceExpired));
      break;
  }
}

/**
 * Answers, or does not, while the file of an upload is still on its way. Only an order that is not carried out can do
 * without its file. False when the fault is none of those that come so early.
 */
export function answerEarly(fault: Fault, request: IncomingMessage, response: ServerResponse): boolean {
  if (happensUnder(fault)) return false;
  if (fault.kind === 'status') sendError(response, fault);
  else if (fault.kind === 'reset') request.socket.resetAndDestroy();
  else if (fault.kind !== 'hang') return false;
  // Read on and drop it: only so is it noticed when the sender goes away.
  request.resume();
  return true;
}

function sendError(response: ServerResponse, { status }: Extract<Fault, { kind: 'status' }>): void {
  sendPage(response, status ?? kinds.status.options.status.default);
}

const json = 'application/json';
const html = 'text/html; charset=utf-8';

/** A header holds no line feed and nothing beyond Latin 1; what is percent-encoded stays as it is. */
function asHeader(address: string): string {
  return encodeURI(address.toWellFormed()).replaceAll('%25', '%');
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}

export function sendJson(response: ServerResponse, reply: unknown): void {
  send(response, 200, json, JSON.stringify(reply));
}

const titles: Readonly<Record<number, string>> = {
  200: 'Web console',
  302: 'Found',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Content Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

/** A page as web servers have them, with this HTTP status; `note` explains it. */
export function sendPage(response: ServerResponse, status: number, note = ''): void {
  const title = `${status === 200 ? '' : `${status} `}${titles[status] ?? 'Error'}`;
  const explained = note === '' ? '' : `<p>${note.replaceAll('<', '&lt;')}</p>`;
  send(
    response,
    status,
    html,
    `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1>${explained}</body></html>\n`,
  );
}

/** Where a fault of kind 'redirect' leads. */
export function sendLogin(response: ServerResponse): void {
  send(
    response,
    200,
    html,
    `<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><h1>Sign in</h1>
<form><input name="username"><input name="password" type="password"><button>Sign in</button></form></body></html>\n`,
  );
}

/** Only when the first half is on its way may the connection break, or it would break before the answer. */
function sendHalf(response: ServerResponse, reply: unknown): void {
  const text = JSON.stringify(reply);
  response.writeHead(200, { 'content-type': json, 'content-length': Buffer.byteLength(text) });
  response.write(text.slice(0, text.length / 2), () => response.socket?.resetAndDestroy());
}

/** Streamed without a length, so that a client can only notice while it reads. */
function sendHuge(response: ServerResponse, bytes: number): void {
  response.writeHead(200, { 'content-type': json });
  response.write('{"Status":true,"Info":"');
  const block = 'x'.repeat(65_536);
  let left = bytes;
  const pour = () => {
    while (left > 0 && !response.destroyed) {
      left -= block.length;
      if (!response.write(block)) {
        response.once('drain', pour);
        return;
      }
    }
    if (!response.destroyed) response.end('"}');
  };
  pour();
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Asked, distort, refusal } from './distort.ts';
import { type Fault, happensUnder, kinds } from './kinds.ts';
import { licenceExpired } from './licence.ts';
import { asIfAPage, asJson, asPage, asRedirect, asText, nothing, Sent } from './sent.ts';

export function send(response: ServerResponse, { status, type, body, headers }: Sent): void {
  response
    .writeHead(status, {
      ...(body !== '' && { 'content-type': type }),
      'content-length': Buffer.byteLength(body),
      ...headers,
    })
    .end(body);
}

/** Answers as the fault says; `sent` is what would have been answered. */
export function answerBadly(fault: Fault, response: ServerResponse, sent: Sent, asked: Asked): void {
  if (fault.kind === 'hang') return;
  if (fault.kind === 'reset') sendHalf(response, sent);
  else if (fault.kind === 'huge') sendHuge(response, fault.bytes ?? kinds.huge.options.bytes.default);
  else send(response, spoilt(fault, sent, asked));
}

function spoilt(fault: Exclude<Fault, { kind: 'hang' | 'reset' | 'huge' }>, sent: Sent, asked: Asked): Sent {
  switch (fault.kind) {
    case 'slow':
    case 'later':
    case 'stale':
    case 'forget':
    case 'zdate':
      return sent;
    case 'empty':
      return fault.body ? new Sent({}, fault.body) : nothing;
    case 'broken_json':
      return new Sent(sent, sent.body.trimEnd().slice(0, -1));
    case 'text':
      return asText(200, fault.text ?? kinds.text.options.text.default);
    case 'html':
      return asPage(200);
    case 'content_type':
      return asIfAPage(sent);
    case 'casing':
    case 'stringly':
    case 'nulls':
    case 'empty_lists':
    case 'twice':
    case 'missing_status':
    case 'extra_keys':
      return reshaped(sent, distort[fault.kind]);
    case 'cut_lists': {
      const { entries = kinds.cut_lists.options.entries.default } = fault;
      return reshaped(sent, (reply) => distort.cut_lists(reply, entries));
    }
    case 'paged': {
      const { entries = kinds.paged.options.entries.default } = fault;
      return reshaped(sent, (reply) => distort.paged(reply, entries, asked));
    }
    case 'clock': {
      const { hours = kinds.clock.options.hours.default } = fault;
      return reshaped(sent, (reply) => distort.clock(reply, hours));
    }
    case 'identity': {
      const { hostname = kinds.identity.options.hostname.default, serial = '', service_pack = '' } = fault;
      return reshaped(sent, (reply) => distort.identity(reply, { hostname, serial, service_pack }));
    }
    case 'status':
      return errorOf(fault);
    case 'redirect':
      return asRedirect(fault.to ?? kinds.redirect.options.to.default);
    case 'refuse':
      return asJson(refusal(sent.reply, fault.error ?? kinds.refuse.options.error.default, fault.key ?? ''));
    case 'licence':
      return asJson(refusal(sent.reply, licenceExpired, ''));
  }
}

/** A body without JSON has no other shape. */
const reshaped = (sent: Sent, change: (reply: unknown) => unknown): Sent =>
  sent.reply === undefined ? sent : asJson(change(sent.reply));

/**
 * Answers, or does not, while the file of an upload is still on its way. Only an order that is not carried out can do
 * without its file. False when the fault is none of those that come so early.
 */
export function answerEarly(fault: Fault, request: IncomingMessage, response: ServerResponse): boolean {
  if (happensUnder(fault)) return false;
  if (fault.kind === 'status') send(response, errorOf(fault));
  else if (fault.kind === 'reset') breakOff(request.socket);
  else if (fault.kind !== 'hang') return false;
  // Read on and drop it: only so is it noticed when the sender goes away.
  request.resume();
  return true;
}

function errorOf({ status = kinds.status.options.status.default, text }: Extract<Fault, { kind: 'status' }>) {
  return text ? asText(status, `${text}\n`) : asPage(status);
}

/** Only when the first half is on its way may the connection break, or it would break before the answer. */
function sendHalf(response: ServerResponse, { status, type, body }: Sent): void {
  const half = body.slice(0, body.length / 2);
  if (half === '') return void breakOff(response.socket);
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.write(half, () => breakOff(response.socket));
}

/** Node resets no connection that is encrypted; without the word that ends one, it is broken all the same. */
function breakOff(socket: Socket | null): void {
  if (socket !== null && 'encrypted' in socket) socket.destroy();
  else socket?.resetAndDestroy();
}

/** Streamed without a length, so that a client can only notice while it reads. */
function sendHuge(response: ServerResponse, bytes: number): void {
  response.writeHead(200, { 'content-type': 'application/json' });
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

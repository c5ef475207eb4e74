/**
 * A receiver of the webhooks of Appliance Bot, in plain Node (22 or newer), to start from: it verifies what it gets, keeps each delivery
 * once, and answers as soon as it has it. docs/webhooks.md describes what is sent.
 *
 *   WEBHOOK_SECRET=whsec_… PORT=8080 node receiver.js changes.jsonl
 *
 * WEBHOOK_PREVIOUS_SECRET: a secret that is still taken while the bot changes over to another. Put a proxy with TLS in front of it:
 * the bot sends only to https, or to this machine.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';

/** Older, or further ahead, and somebody may have recorded it and sent it again: in seconds. */
const tolerance = 5 * 60;
/** Far more than any delivery has, in bytes. */
const longest = 256 * 1024;

const [file = 'changes.jsonl'] = process.argv.slice(2);
const keys = [process.env.WEBHOOK_SECRET, process.env.WEBHOOK_PREVIOUS_SECRET].filter(Boolean).map(keyOf);
if (keys.length === 0) throw new Error('Set WEBHOOK_SECRET to the secret that the bot signs with.');

/** The deliveries that are kept already, also from before a restart. */
const known = new Set(
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line).id]))
    : [],
);
const kept = openSync(file, 'a');

/** `whsec_` and the key in base64. */
function keyOf(secret) {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}

/** Why it is none of the bot's, or is too old to be one; undefined where it is. */
function problemWith({ id, timestamp, signature }, body) {
  if (!id || !/^\d+$/.test(timestamp ?? '')) return 'a header is missing';
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > tolerance) return 'it is too old, or from the future';
  // Several, while the bot changes from one secret to another.
  const given = (signature ?? '').split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []));
  const isSigned = keys.some((key) => {
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
    return given.some((one) => {
      const actual = Buffer.from(one, 'base64');
      // In a time that tells nothing of how much of it is right.
      return actual.length === expected.length && timingSafeEqual(actual, expected);
    });
  });
  return isSigned ? undefined : 'its signature is wrong';
}

async function bodyOf(request) {
  const pieces = [];
  let length = 0;
  for await (const piece of request) {
    length += piece.length;
    if (length > longest) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Writes to the disk before the confirmation: a confirmed delivery is not sent again. */
function keep(id, text) {
  if (known.has(id)) return;
  known.add(id);
  writeSync(kept, `${JSON.stringify({ id, received: new Date().toISOString(), ...JSON.parse(text) })}\n`);
  fsyncSync(kept);
}

const server = createServer(async (request, response) => {
  const end = (status, words = '') => response.writeHead(status, { connection: 'close' }).end(words);
  try {
    if (request.method !== 'POST') return end(405);
    const body = await bodyOf(request);
    if (body === undefined) return end(413);
    const id = request.headers['webhook-id'];
    const timestamp = request.headers['webhook-timestamp'];
    const problem = problemWith({ id, timestamp, signature: request.headers['webhook-signature'] }, body);
    if (problem !== undefined) return end(401, problem);
    keep(id, body.toString());
    // Note the ticket here, or open and close a change record; slow work belongs after the answer.
    return end(204);
  } catch (error) {
    // Not confirmed, so the bot sends it again.
    process.stderr.write(`${error}\n`);
    return end(500);
  }
});

server.listen(Number(process.env.PORT ?? 8080), process.env.HOST ?? '127.0.0.1', () => {
  process.stdout.write(`Listening on ${server.address().port}\n`);
});
process.on('SIGTERM', () => {
  server.close();
  closeSync(kept);
});

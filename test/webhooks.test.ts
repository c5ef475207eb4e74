import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { sandboxRoles } from '../sandbox/sandbox.ts';
import { crossCheck } from '../src/config/cross-check.ts';
import type { World } from '../src/world.ts';
import { type Conversation, converse } from './conversation.ts';

const secret = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;
const older = `whsec_${Buffer.alloc(32, 'b').toString('base64')}`;
const minute = 60_000;

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A receiver of webhooks that answers as the test wants. */
async function receiver() {
  const got: Delivery[] = [];
  const answers: { status: number; headers?: Record<string, string> }[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces).toString();
    got.push({ headers: request.headers, body, ...JSON.parse(body) });
    const { status, headers = {} } = answers.shift() ?? { status: 204 };
    response.writeHead(status, { connection: 'close', ...headers }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return { got, answers, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

const telling = (url: string, more: object = {}, world: World = {}): Promise<Conversation> =>
  converse({
    world,
    environment: { HOOK: secret, OLDER: older },
    policy: {
      holders: { admin: ['U0DANA0001'] },
      channels: {
        C0HELPDESK: {
          name: 'helpdesk',
          appliance: 'hq',
          roles: { ...sandboxRoles, helpdesk: [], operator: ['U0ALICE001', 'U0BOB00001'] },
        },
      },
      webhook: { url, secret: '${HOOK}', ...more },
    },
  });

/** The page documents the deliveries. */
const docs = readFileSync(join(import.meta.dirname, '..', 'docs', 'webhooks.md'), 'utf8');
const exampleInDocs = JSON.parse(/```json\n([^`]*)```/.exec(docs)?.[1] ?? '');
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const add = '/appliance category add shop.example.net to 252';
const typesOf = (got: readonly Delivery[]) => got.map(({ type }) => type);

const isSignedWith = ({ headers, body }: Delivery, key: string): boolean => {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headers;
  const made = createHmac('sha256', Buffer.from(key.slice(6), 'base64')).update(`${id}.${at}.${body}`);
  return String(signature)
    .split(' ')
    .includes(`v1,${made.digest('base64')}`);
};

test('a change with a ticket is delivered when it is asked, approved, done, undone and over, signed, in its order; one without is not', async () => {
  const { got, url } = await receiver();
  const { type, press, pass, bot } = await telling(url);
  await type('/appliance category add plain.example to 252');
  await type(`${add} --for 2h --ticket CHG-7`);
  await press('End now');
  await type('/appliance rdp disconnect 12 --ticket CHG-8', 'bob');
  await press('Disconnect', 'bob');
  await type('/appliance category add other.example to 252 --ticket CHG-9');
  await press('Undo');
  await pass(minute);
  await expect.poll(() => bot.journal.pendingWebhooks()).toEqual([]);
  const of = (ticket: string) => typesOf(got.filter(({ data }) => data.ticket === ticket));
  expect(of('CHG-7').toSorted()).toEqual([
    'change.asked',
    'change.asked',
    'change.done',
    'change.done',
    'change.ended',
  ]);
  expect(of('CHG-8')).toEqual(['change.asked', 'change.approved', 'change.done']);
  expect(of('CHG-9').toSorted()).toEqual([
    'change.asked',
    'change.asked',
    'change.done',
    'change.done',
    'change.undone',
  ]);
  expect(new Set(got.map(({ headers }) => headers['webhook-id'])).size).toBe(got.length);
  expect(got.every((one) => isSignedWith(one, secret))).toBe(true);
  const done = got.find(({ type, data }) => type === 'change.done' && data.ticket === 'CHG-8');
  const { timestamp, ...documented } = exampleInDocs;
  expect(JSON.parse(done?.body ?? '')).toEqual({
    timestamp: expect.stringMatching(moment),
    ...documented,
    data: {
      ...documented.data,
      ...{
        action: expect.any(String),
        reference: expect.any(String),
        ticket: 'CHG-8',
        team: expect.any(String),
      },
      ...{ line: 'rdp disconnect 12 --ticket CHG-8', asked: expect.stringMatching(moment) },
    },
  });
  expect(timestamp).toMatch(moment);
  expect(got.map(({ type }) => type).filter((one) => !docs.includes(`\`${one}\``))).toEqual([]);
  const told = got.flatMap(({ data }) => Object.keys(data));
  expect(told.filter((one) => !docs.includes(`"${one}"`) && !docs.includes(`\`${one}\``))).toEqual([]);
  const undo = got.find(({ type }) => type === 'change.undone');
  const undoing = got.find(({ type, data }) => type === 'change.done' && data.undoes === undo?.data.action);
  expect(undo?.data.undoneBy).toBe(undoing?.data.action);
});

test('an accepted change that is not visible is delivered as accepted, and then with its outcome', async () => {
  const { got, url } = await receiver();
  const { type, press, appliance, bot } = await telling(url, { changes: 'all' });
  appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'forget' });
  await type('/appliance rdp disconnect 12', 'bob');
  await press('Disconnect', 'bob');
  await expect.poll(() => bot.journal.pendingWebhooks()).toEqual([]);
  expect(typesOf(got)).toEqual(['change.asked', 'change.approved', 'change.accepted', 'change.unknown']);
});

test('a refused delivery is repeated with the same key and body, and only the same change’s later ones wait', async () => {
  const { got, answers, url } = await receiver();
  const { type, pass, bot } = await telling(url, { changes: 'all', previous_secret: '${OLDER}' });
  answers.push({ status: 302, headers: { location: 'http://127.0.0.1:1/elsewhere' } }, { status: 500 });
  expect(await type(add)).toContain('added to category');
  await pass(minute);
  await expect.poll(() => got.length).toBe(1);
  expect(typesOf(got)).toEqual(['change.asked']);
  await pass(2 * minute);
  await expect.poll(() => got.length).toBe(2);
  await pass(3 * minute);
  await expect.poll(() => bot.journal.pendingWebhooks()).toEqual([]);
  expect(typesOf(got)).toEqual(['change.asked', 'change.asked', 'change.asked', 'change.done']);
  const [first, second, third] = got;
  expect([second?.headers['webhook-id'], third?.headers['webhook-id']]).toEqual([
    first?.headers['webhook-id'],
    first?.headers['webhook-id'],
  ]);
  expect([second?.body, third?.body]).toEqual([first?.body, first?.body]);
  expect(got.every((one) => isSignedWith(one, secret) && isSignedWith(one, older))).toBe(true);
});

test('a new receiver in the policy file gets deliveries at once, also those that the old one refused', async () => {
  const [one, other] = [await receiver(), await receiver()];
  const { type, pass, bot, data, read } = await telling(one.url, { changes: 'all' });
  one.answers.push({ status: 410 });
  await type(add);
  await pass(minute);
  await expect
    .poll(() => read('dana', 'appliance-bot'))
    .toContain('says that it is gone for good (HTTP 410), so it gets no more notifications');
  await type('/appliance plan\nacl object disable google_sni\nrdp policy disable Contractors', 'bob');
  const file = join(dirname(data), 'appliance-bot.yml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(one.url, other.url));
  bot.reload();
  await bot.idle();
  await pass(1_000);
  await expect.poll(() => bot.journal.pendingWebhooks()).toEqual([]);
  expect(typesOf(one.got)).toEqual(['change.asked']);
  expect(typesOf(other.got).toSorted()).toEqual(['change.asked', 'change.asked', 'change.done']);
  expect(read('dana', 'appliance-bot')).toContain(`${other.url} is told of all changes now`);
  // The lines of a plan have the details.
  const plan = other.got.find(({ data: { command } }) => command === 'plan');
  expect(plan?.data).toMatchObject({
    appliances: ['hq'],
    args: { lines: ['acl object disable google_sni', 'rdp policy disable Contractors'] },
  });
  const { data: body } = one.got[0] ?? {};
  expect(body).toMatchObject({ args: { site: ['shop.example.net'], category: '252' } });
});

test('without a receiver no delivery is recorded, and the policy check refuses bad receivers', async () => {
  const { got } = await receiver();
  const { type, bot } = await converse();
  await type(`${add} --ticket CHG-7`, 'bob');
  expect(await bot.journal.pendingWebhooks()).toEqual([]);
  expect(got).toEqual([]);
  const refused = (more: object) =>
    telling('https://hooks.example.com/', more).catch((error: Error) => error.message);
  expect(await refused({ url: 'http://hooks.example.com/' })).toContain('must be an https address');
  expect(await refused({ url: 'https://user:pass@hooks.example.com/' })).toContain(
    'must be an https address',
  );
  for (const url of [
    'https://169.254.169.254/',
    'https://[fe80::1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://2852039166/',
  ])
    expect(await refused({ url })).toContain('at which a cloud keeps the secrets of its machines');
  const other = 'https://appliance.example.com:8443/hook';
  const appliances = { hq: { url: 'https://appliance.example.com:8443/' } };
  expect(crossCheck({ appliances, webhook: { url: other } }).map(({ path, wrong }) => [path, wrong])).toEqual(
    [[['webhook', 'url'], expect.stringContaining('is the address of an appliance')]],
  );
  expect(await refused({ secret: 'whsec_abc' })).toContain('must be a reference');
  expect(await refused({ secret: '${SHORT}' })).toContain('SHORT');
});

test('an end that is due before its change has an outcome, because the clock has jumped, is delivered after it', async () => {
  const { got, url } = await receiver();
  const outcome = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const { type, pass, bot } = await telling(
    url,
    { changes: 'all' },
    {
      journal: (journal) => ({
        ...journal,
        move: async (action, to, ...more) => {
          if (to === 'done') {
            isHeld.resolve();
            await outcome.promise;
          }
          return journal.move(action, to, ...more);
        },
      }),
    },
  );
  const asked = type(`${add} --for 1h`);
  await isHeld.promise;
  const ended = pass(2 * 60 * minute);
  // Long enough for an end that waits for nothing.
  await sleep(300);
  outcome.resolve();
  await Promise.all([asked, ended]);
  await pass(minute);
  await expect.poll(() => bot.journal.pendingWebhooks()).toEqual([]);
  expect(typesOf(got)).toEqual(['change.asked', 'change.done', 'change.ended']);
});

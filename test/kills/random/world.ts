import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type SimulatedAppliance, startSimulatedAppliance } from '../../../sandbox/appliance/index.ts';
import { startHarbour } from '../../../sandbox/harbour.ts';
import type { ChannelOption, PersonOption } from '../../../sandbox/workspace/people.ts';
import type { Workspace } from '../../../sandbox/workspace/workspace.ts';
import { openGate } from '../gate.ts';
import { type Disk, openDisk } from './disk.ts';
import { type JournalWitness, witnessOfDatabase, witnessOfFile } from './journal-witness.ts';
import { meaningOf } from './orders.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import { type Supervised, supervise } from './supervised.ts';
import type { Order, Post } from './testimony.ts';

/** The bots with all that they work with, each bot a process of its own. */
export interface RandomWorld {
  readonly workspace: Workspace;
  readonly appliance: SimulatedAppliance;
  readonly bots: readonly Supervised[];
  readonly journal: JournalWitness;
  /** The disk of the journal's file; undefined for a database. */
  readonly disk: Disk | undefined;
  readonly askers: readonly string[];
  readonly approvers: readonly string[];
  /** Without a role. */
  readonly guests: readonly string[];
  readonly receiver: Receiver;
  readonly channels: readonly string[];
  readonly orders: () => readonly Order[];
  /** Messages that Slack has taken from the bots for more than one person. */
  readonly posts: () => readonly Post[];
  readonly end: () => Promise<void>;
}

export interface WorldOptions {
  /** The built bot. */
  readonly program: string;
  /** A folder for Node's compile cache: hundreds of processes load the same file. */
  readonly cache: string;
  /** The address of an empty PostgreSQL database, and how many share it; without one a single bot keeps a file. */
  readonly database?: string;
  readonly replicas?: number;
  /** How many milliseconds go by before a bot that has ended is started again. */
  readonly pause: () => number;
  /** A number between 0 and 1, which decides the fate of a webhook. */
  readonly random: () => number;
}

/** Slack takes about one message a second in each channel. */
const counts = { askers: 10, approvers: 2, guests: 4, channels: 40 };

export async function openRandomWorld(options: WorldOptions): Promise<RandomWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'random-kills-'));
  const askers = people('U0ASK', 'asker', counts.askers);
  const approvers = people('U0YES', 'approver', counts.approvers);
  const guests = people('U0GST', 'guest', counts.guests);
  const channels = Array.from(
    { length: counts.channels },
    (_, index): ChannelOption => ({ id: `C0RANDOM${two(index)}`, name: `random-${index}`, topic: '' }),
  );
  // More often than Slack: deliveries to a stopped bot are lost, and no mention may be given up here.
  const eventRetryDelaysMs = Array.from({ length: 200 }, () => 1_000);
  const workspace = await startHarbour({
    people: [...askers, ...approvers, ...guests],
    ...{ channels, eventRetryDelaysMs },
  });
  const receiver = await openReceiver(options.random);
  const appliance = await startSimulatedAppliance();
  const replicas = options.replicas ?? 1;
  const data = (number: number) => join(folder, `data-${number}`);
  const journal =
    options.database === undefined
      ? witnessOfFile(join(data(0), 'journal.sqlite'))
      : witnessOfDatabase(options.database);
  const asked: (Pick<Order, 'method' | 'path'> & { readonly intents: Order['intents'] })[] = [];
  const gate = await openGate(appliance.url, async (path, when, method) => {
    const meaning = when === 'before' ? meaningOf(method, path) : undefined;
    if (meaning !== undefined) {
      asked.push({ method, path, intents: await journal.intents(meaning.phrase, meaning.words) });
    }
    return false;
  });
  const config = join(folder, 'bot.yml');
  const roles = { operator: askers.map(({ id }) => id), approver: approvers.map(({ id }) => id) };
  const policy = {
    appliances: { hq: { url: gate.url } },
    channels: Object.fromEntries(channels.map(({ id, name }) => [id, { name, appliance: 'hq', roles }])),
    approvals: [{ commands: [{ phrase: 'rdp policy delete' }], by: 'approver' }],
    self_service: {
      ...{ channel: channels[0]?.id, allow_category: 207 },
      per_person: { open: 50, day: 500 },
    },
    webhook: { url: receiver.url, secret: '${WEBHOOK_SECRET}', changes: 'all' },
  };
  writeFileSync(config, stringify(policy, { aliasDuplicateObjects: false }));
  for (let number = 0; number < replicas; number += 1) mkdirSync(data(number), { mode: 0o700 });
  const disk = options.database === undefined ? openDisk(data(0)) : undefined;
  const bots = Array.from({ length: replicas }, (_, number) => {
    const environment = {
      SLACK_BOT_TOKEN: workspace.botToken,
      SLACK_APP_TOKEN: workspace.appToken,
      SLACK_API_URL: workspace.apiUrl,
      APPLIANCE_BOT_CONFIG: config,
      APPLIANCE_BOT_DATA: data(number),
      DATABASE_URL: options.database,
      NODE_COMPILE_CACHE: options.cache,
      WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 'a').toString('base64')}`,
    };
    return supervise(options.program, environment, options.pause);
  });
  return {
    ...{ workspace, appliance, bots, journal, disk, receiver },
    ...{ askers: roles.operator, approvers: roles.approver, guests: guests.map(({ id }) => id) },
    ...{ channels: channels.map(({ id }) => id) },
    orders: () => {
      const left = [...asked];
      return appliance.requests.flatMap(({ method, path, at, endedAt }) => {
        if (meaningOf(method, path) === undefined) return [];
        // The same order comes through in the order in which it was asked for.
        const index = left.findIndex((one) => one.method === method && one.path === path);
        const [known] = index < 0 ? [] : left.splice(index, 1);
        return [{ method, path, at: at.getTime(), endedAt: endedAt?.getTime(), intents: known?.intents }];
      });
    },
    posts: () => {
      const since = Date.now() - performance.now();
      return workspace.log.calls('chat.postMessage').flatMap(({ ok, at, args }): readonly Post[] => {
        if (!ok) return [];
        const noted = stampIn(args.metadata);
        return [{ at: since + at, key: noted.message, card: noted.action, text: String(args.text) }];
      });
    },
    end: async () => {
      await Promise.all(bots.map((bot) => bot.end()));
      await journal.close();
      disk?.remove();
      await workspace.stop();
      receiver.stop();
      await gate.stop();
      await appliance.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The bot's metadata on a message, by its documentation. */
function stampIn(metadata: unknown): { readonly message?: string; readonly action?: string } {
  const { event_payload = {} } = typeof metadata === 'string' ? JSON.parse(metadata) : Object(metadata);
  return event_payload;
}

const people = (prefix: string, name: string, length: number): readonly PersonOption[] =>
  Array.from({ length }, (_, index) => ({ id: `${prefix}00${two(index)}`, name: `${name}-${index}` }));

const two = (index: number): string => String(index).padStart(2, '0');

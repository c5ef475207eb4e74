import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { type SimulatedAppliance, startSimulatedAppliance } from '../../sandbox/appliance/index.ts';
import { startHarbour } from '../../sandbox/harbour.ts';
import { NoSuchButton, type Person, personIn } from '../../sandbox/person.ts';
import type { Message } from '../../sandbox/workspace/protocol.ts';
import type { Workspace } from '../../sandbox/workspace/workspace.ts';
import { blockPageLink } from '../../src/block-page/link.ts';
import type { State } from '../../src/journal/actions/states.ts';
import { filledIn, formIn, pageVisitor } from '../block-page-visitor.ts';
import { freePort } from '../free-port.ts';
import { openDatabase } from './database.ts';
import { type Facts, judge, type Verdict } from './ends.ts';
import { openGate, type Watch } from './gate.ts';
import { createTurn, type Kind, type Name, visitor } from './kind.ts';
import { type Mortal, startMortal } from './process.ts';
import { asksAgain, beginningOf, isAbout, play, type Sight, type Stage } from './story.ts';

/** The blow to a process at its boundary. */
export type Hit = 'kill' | 'freeze';

/** The moment of the blow: the number of a call, and whether it comes before the call or before its answer. */
export type Boundary =
  | { readonly at: 'journal'; readonly number: number }
  | { readonly at: 'slack' | 'appliance'; readonly number: number; readonly when: 'before' | 'after' };

/** How often there was something of each in an unharmed life. */
export type Counts = Record<Boundary['at'], number>;

export interface Told {
  /** When the bot had started, and when the story was over. */
  readonly began: Counts;
  readonly counts: Counts;
  readonly again: number;
  /** Whether it came to its boundary. */
  readonly isHit: boolean;
  /** Buttons and fields that were missing. */
  readonly missed: readonly string[];
  readonly verdict: Verdict;
}

/** Milliseconds of a freeze: longer than anybody in Slack waits. */
const frozenFor = 2_500;
const minute = 60_000;
const channel = 'C0HELPDESK';
const open: readonly State[] = ['asked', 'waiting', 'approved', 'running'];

/** Slack methods that change something or show something. */
const saying = /\/api\/(?:chat\.|views\.|files\.)/;

export interface Options {
  /** A folder for Node's compile cache: hundreds of processes load the same files. */
  readonly cache?: string;
  /** The blow; a kill by default. */
  readonly hit?: Hit;
}

/** Plays a story with a real process, which is killed at a boundary and started again, or frozen; without one it lives. */
export async function tellReally(
  kind: Kind,
  boundary: Boundary | undefined,
  { cache, hit = 'kill' }: Options = {},
): Promise<Told> {
  const world = await openWorld(kind, boundary, hit, cache);
  try {
    let again = 0;
    let isHit = false;
    let first: Mortal | undefined;
    if (boundary !== undefined) {
      first = await world.start(boundary);
      again += await play(world.stage(first), kind);
      isHit = hit === 'kill' ? first.isDead() : world.isFrozen();
      if (hit === 'kill') {
        first.kill();
        await first.dead;
      }
    }
    // A frozen process goes on.
    const last = first === undefined || first.isDead() ? await world.start() : first;
    const began = world.counts();
    const stage = world.stage(last);
    const missed: string[] = [];
    again += await play(stage, kind, { misses: (what) => void missed.push(what) });
    const counts = world.counts();
    const facts = await world.settle(last);
    const { twice, untold } = await world.seen(stage, facts);
    return {
      began,
      counts,
      again,
      isHit,
      missed,
      verdict: judge(kind, { facts, appliances: world.appliances, twice, untold }),
    };
  } finally {
    await world.end();
  }
}

const blockPageSecret = 'the secret of killed bots, long enough';

async function openWorld(kind: Kind, boundary: Boundary | undefined, hit: Hit, cache: string | undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'kills-'));
  let ahead = 0;
  let living: Mortal | undefined;
  const counts: Counts = { journal: 0, slack: 0, appliance: 0 };
  let isArmed = false;
  let wasHit = false;
  const now = () => Date.now() + ahead;

  const watch =
    (at: 'slack' | 'appliance'): Watch =>
    (path, when) => {
      if (living?.isDead()) return true;
      if (at === 'slack' && !saying.test(path)) return false;
      if (when === 'before') counts[at] += 1;
      if (!isArmed || boundary?.at !== at || boundary.when !== when || counts[at] !== boundary.number)
        return false;
      if (hit === 'kill') living?.kill();
      else living?.freeze(frozenFor);
      wasHit = true;
      return hit === 'kill';
    };
  const workspace = await startHarbour({ clock: now, ackTimeoutMs: 2_000 });
  const slackGate = await openGate(workspace.url, watch('slack'));
  const appliances = new Map<string, SimulatedAppliance>();
  const gates = [slackGate];
  const addresses: Record<string, unknown> = {};
  for (const name of ['hq', 'branch-2'].slice(0, 1 + (kind.branches ?? 0))) {
    const appliance = await startSimulatedAppliance({ clock: () => new Date(now()) });
    const gate = await openGate(appliance.url, watch('appliance'));
    appliances.set(name, appliance);
    gates.push(gate);
    addresses[name] = { url: gate.url, mirror_url: gate.url };
  }
  const [hq] = appliances.values();
  if (hq !== undefined) kind.before?.(hq);
  const database = await openDatabase();
  const blockPagePort = await freePort();
  const blockPageUrl = new URL(`http://127.0.0.1:${blockPagePort}`);
  const config = join(folder, 'bot.yml');
  writeFileSync(config, stringify(policyFor(addresses, kind)));
  const environment = {
    SLACK_BOT_TOKEN: workspace.botToken,
    SLACK_APP_TOKEN: workspace.appToken,
    SLACK_API_URL: `${slackGate.url}/api/`,
    APPLIANCE_BOT_CONFIG: config,
    APPLIANCE_BOT_DATA: join(folder, 'data'),
    DATABASE_URL: database?.url,
    LOG_LEVEL: 'fatal',
    NODE_COMPILE_CACHE: cache,
    BLOCK_PAGE_PORT: String(blockPagePort),
    BLOCK_PAGE_URL: blockPageUrl.origin,
    BLOCK_PAGE_SECRET: blockPageSecret,
  };
  const pages = new Set<string>();
  const turn = createTurn(hq);
  let lives = 0;
  const typed: { by: Name; line: string; since: number }[] = [];

  /** The process counts its own writes. */
  const isFrozen = () => wasHit || (boundary?.at === 'journal' && counts.journal >= boundary.number);

  return { appliances, counts: () => ({ ...counts }), isFrozen, start, stage, settle, seen, end };

  async function start(hitAt?: Boundary, tries = 20): Promise<Mortal> {
    isArmed = hitAt !== undefined;
    const lastWrite = hitAt?.at === 'journal' ? { HIT_AFTER_WRITE: String(hitAt.number) } : {};
    const freezing = hit === 'freeze' ? { FROZEN_FOR: String(frozenFor) } : {};
    const started = await startMortal(
      { ...environment, ...lastWrite, ...freezing, AHEAD: String(ahead) },
      (answer) => {
        ahead = Math.max(ahead, answer.ahead);
        counts.journal = answer.writes;
      },
      (born) => {
        living = born;
      },
    );
    // A machine that has too much to do lets it wait for its connection for too long.
    if (started.isDead() && !isArmed && tries > 1) {
      await pause(1_000);
      return start(undefined, tries - 1);
    }
    if (database !== undefined && lives > 0) await started.rest({ isAlone: true });
    lives += 1;
    return started;
  }

  function stage(bot: Mortal): Stage {
    const who = (by: Name): Person => personIn(workspace, { idle: async () => void (await bot.rest()) }, by);
    return {
      isDead: bot.isDead,
      turn,
      rest: async () => void (await bot.rest()),
      send: async (site) => {
        if (pages.has(site)) return;
        const { call } = pageVisitor(blockPagePort);
        const parts = { url: blockPageUrl, secrets: [blockPageSecret] };
        const link = new URL(blockPageLink(parts, 'hq', { user: visitor.user, site }));
        const form = (text: string) =>
          filledIn(formIn(text), { site, name: visitor.said, user: visitor.user });
        const sent = await call('GET', `${link.pathname}${link.search}`)
          .then(({ text }) => call('POST', '/ask', form(text)))
          // The bot has died.
          .catch(() => undefined);
        if (sent?.status === 303) pages.add(site);
      },
      pass: async (minutes) => {
        for (const part of [minutes / 2, minutes / 2]) await bot.rest({ pass: part * minute });
      },
      type: async (by, line) => {
        typed.push({ by, line, since: workspace.snapshot(idOf(workspace, by)).messages.length });
        await Promise.race([who(by).type('helpdesk', `/appliance ${line}`), bot.dead]);
      },
      press: async (by, label) => {
        if (label === 'Undo' && !isUndoOfTyped(by)) return false;
        try {
          await Promise.race([who(by).press('helpdesk', label), bot.dead]);
          return true;
        } catch (error) {
          if (error instanceof NoSuchButton) return false;
          throw error;
        }
      },
      fill: async (by, values) => {
        if (who(by).form() === undefined) return false;
        await who(by).fill(values);
        await Promise.race([who(by).submit(), bot.dead]);
        return true;
      },
      look: async (by, line): Promise<Sight> => {
        const last = typed.findLast((one) => one.by === by && one.line === line);
        if (last === undefined) return 'nothing';
        if (who(by).form() !== undefined) return 'open';
        const facts = (await bot.rest())?.facts;
        const action = facts?.actions.find(
          (one) => one.person === idOf(workspace, by) && isAbout(one.line, line),
        );
        if (action !== undefined && open.includes(action.state)) return 'open';
        const heard = messagesFor(by, line, last.since).at(-1);
        if (heard === undefined) return 'nothing';
        return asksAgain(wordsOf(heard)) ? 'again' : 'answered';
      },
    };
  }

  /** This person's messages about their line, oldest first: cards, and private messages since they typed. */
  function messagesFor(by: Name, line: string, since: number): readonly Message[] {
    const { messages } = workspace.snapshot(idOf(workspace, by));
    const cards = messages.filter((one) => isCard(one) && isCardOf(one, line));
    if (cards.length > 0) return cards;
    return messages
      .slice(since)
      .filter(
        (one) =>
          one.user === workspace.botUserId && (one.ephemeral_to !== undefined || one.channel.startsWith('D')),
      );
  }

  function isUndoOfTyped(by: Name): boolean {
    const { messages } = workspace.snapshot(idOf(workspace, by));
    const undoable = messages.findLast((one) => isCard(one) && wordsOf(one).includes('"Undo"'));
    return undoable !== undefined && typed.some(({ line }) => isCardOf(undoable, line));
  }

  function isCard({ user, channel: place, thread_ts, ephemeral_to }: Message): boolean {
    return (
      user === workspace.botUserId &&
      place === channel &&
      thread_ts === undefined &&
      ephemeral_to === undefined
    );
  }

  /** Lets the clock run until nothing is left to be done, or for as long as that may take. */
  async function settle(bot: Mortal): Promise<Facts> {
    for (const minutes of [1, 5, 30]) await bot.rest({ pass: minutes * minute });
    const answer = await bot.rest();
    if (answer?.facts === undefined) throw new Error('The last life has ended');
    return answer.facts;
  }

  async function seen(stage: Stage, { actions }: Facts) {
    const sights = await Promise.all(
      typed.map(async ({ by, line }) => ({ by, line, sight: await stage.look(by, line) })),
    );
    const { messages } = workspace.snapshot(idOf(workspace, 'bob'));
    const ours = messages.filter(
      ({ user, ephemeral_to }) => user === workspace.botUserId && ephemeral_to === undefined,
    );
    const cards = ours.filter(isCard);
    const replies = ours.filter(({ thread_ts }) => thread_ts !== undefined);
    const said = replies.map((one) => `below ${one.thread_ts}: ${one.text} ${stable(one)}`);
    const keys = workspace.log
      .calls('chat.postMessage')
      .flatMap(({ ok, args }) => (ok ? [keyOf(args.metadata)] : []))
      .filter((key) => key !== undefined);
    return {
      twice: [
        ...keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `the message ${key}`),
        ...said.filter((words, index) => said.indexOf(words) !== index),
        ...cards
          .filter(({ ts }) => actions.every(({ card }) => card !== ts))
          .map(({ text }) => `a card of nothing: ${text}`),
      ],
      untold: [
        ...sights
          .filter(({ sight }) => sight !== 'answered')
          .map(({ by, line, sight }) => `${by} of ${line}: ${sight}`),
        ...cards
          .filter((one) => /Still waiting|"(?:Cancel|Approve|Withdraw)"/.test(wordsOf(one)))
          .map(({ text }) => `a card that still asks or waits: ${text}`),
      ],
    };
  }

  async function end(): Promise<void> {
    living?.kill();
    await living?.dead;
    await workspace.stop();
    for (const gate of gates) await gate.stop();
    for (const appliance of appliances.values()) await appliance.close();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const idOf = ({ people }: Workspace, name: Name): string =>
  people.find((one) => one.name === name)?.id ?? name;

const wordsOf = ({ text, blocks = [] }: Message): string => `${text} ${JSON.stringify(blocks)}`;

/** A card names the line that it is of. */
const isCardOf = (message: Message, line: string): boolean =>
  JSON.stringify(message.blocks ?? [])
    .replaceAll('\\', '')
    .includes(beginningOf(line));

/** The text, without the parts that are new in every message. */
const stable = ({ blocks = [] }: Message): string =>
  JSON.stringify(blocks).replaceAll(/"(?:block_id|action_id|value)":"[^"]*"/g, '');

function keyOf(metadata: unknown): string | undefined {
  const read = typeof metadata === 'string' ? JSON.parse(metadata) : metadata;
  const payload = (read as { event_payload?: { message?: unknown } } | undefined)?.event_payload;
  return typeof payload?.message === 'string' ? payload.message : undefined;
}

/** The policy of the kinds of command. */
const policyFor = (appliances: Readonly<Record<string, unknown>>, { approved = {} }: Kind) => ({
  appliances,
  channels: {
    [channel]: {
      name: 'helpdesk',
      appliance: 'hq',
      appliances: 'all',
      roles: { operator: ['U0BOB00001', 'U0CAROL001'], approver: ['U0CAROL001'] },
    },
  },
  approvals: [
    { commands: [{ phrase: 'rdp policy delete' }], by: 'approver' },
    ...Object.entries(approved).map(([phrase, minutes]) => ({
      ...{ commands: [{ phrase }], by: 'approver' },
      ...(minutes > 0 && { temporary: { longest: `${minutes}m` } }),
    })),
  ],
  emergency: { break_glass: 'operator' },
  self_service: { channel, allow_category: 207 },
});

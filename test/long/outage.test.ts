import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { sandboxRoles, startSandbox } from '../../sandbox/sandbox.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { telling } from '../bad-days.ts';
import { emptyJournal } from '../lives-journal.ts';
import { sized } from '../size.ts';
import { unsynced } from '../unsynced.ts';

/** The bot, Slack and its rate limits live so much faster than this machine's clock. */
const speed = 4;
const minute = 60_000;
const minutes = sized(1, 3, 10);
const outage = minutes * minute;
const perSecond = 10;
/** Slack takes one message a second in a channel: in fewer, ten lines a second could not even be answered on a good day. */
const channels = Array.from({ length: 40 }, (_, index) => ({
  id: `C0CROWD${String(index).padStart(3, '0')}`,
  name: `crowd-${index}`,
}));

/** The bot's rate limit for one person sets the pace. */
const people = Array.from({ length: 100 }, (_, index) => {
  const number = String(index).padStart(3, '0');
  return { id: `U0CROWD${number}`, name: `person${number}` };
});

interface Line {
  readonly index: number;
  readonly isPrivate: boolean;
}

test(`after an outage of ${minutes} minutes under ten lines a second, everybody has an answer as long after it, in order, within Slack’s limits, and memory is freed`, async () => {
  const began = performance.now();
  const from = Date.now();
  const now = () => from + (performance.now() - began) * speed;
  const sandbox = await startSandbox({
    journal: await emptyJournal(),
    workspace: { channels, people, clock: now, rateLimits: true, retention: minute },
    policy: {
      channels: Object.fromEntries(
        channels.map(({ id, name }) => [id, { name, appliance: 'hq', roles: sandboxRoles }]),
      ),
    },
    world: {
      now,
      shared: { databaseTime: now },
      sleep: (milliseconds) => sleep(milliseconds / speed),
      every: (milliseconds, callback) => {
        const timer = setInterval(callback, milliseconds / speed);
        return () => clearInterval(timer);
      },
      log: createLog('silent'),
      journalFile: { open: unsynced },
    },
  });
  const { workspace } = sandbox;
  onTestFinished(sandbox.stop);
  const type = (index: number, text: string) =>
    workspace.act({
      ...{ act: 'type', as: people[index % people.length]?.id ?? '', text: `/appliance ${text}` },
      channel: channelOf(index),
    });
  const channelOf = (index: number) => channels[Math.floor(index / 5) % channels.length]?.id ?? '';
  // Slack's memory of each line (its trigger, its response URL) does not belong to the bot.
  await sandbox.restart(async () => {
    for (let index = 0; index < outage / 100; index += 1) await type(index, 'whoami');
  });
  const { bot } = sandbox;
  /** The answered lines of each channel, in their order. */
  const told = new Map<string, number[]>();
  workspace.onChange((change) => {
    if (change.type !== 'message' && change.type !== 'ephemeral') return;
    const line = Number(/\bn(\d+)\.example/.exec(change.message.text)?.[1]);
    if (change.message.user !== workspace.botUserId || Number.isNaN(line)) return;
    const known = told.get(channelOf(line)) ?? [];
    if (!known.includes(line)) told.set(channelOf(line), [...known, line]);
  });
  /** Slack gave up on them before the bot had taken them, on a clock so much faster, and their people saw an error. */
  const unheard = new Set<number>();
  const unanswered = (lines: readonly Line[]) => {
    const answered = new Set([...told.values()].flat());
    return lines.filter(({ index }) => !answered.has(index) && !unheard.has(index)).length;
  };
  /** Types these lines while Slack takes nothing, and waits until they are answered. Resolves to what that took after the outage. */
  const suffer = async (lines: readonly Line[]) => {
    told.clear();
    unheard.clear();
    for (const call of telling)
      workspace.faults.next(call, { kind: 'http', status: 503 }, Number.POSITIVE_INFINITY);
    const start = now();
    const typed: Promise<unknown>[] = [];
    for (const { index, isPrivate } of lines) {
      const due = (start + (index * 1_000) / perSecond - now()) / speed;
      if (due > 1) await sleep(due);
      const line = isPrivate ? `frobnicate n${index}.example` : `categorize n${index}.example`;
      typed.push(type(index, line).then(({ ok }) => ok || unheard.add(index)));
    }
    await Promise.all(typed);
    expect(unheard.size).toBeLessThan(lines.length / 50);
    workspace.faults.clear();
    const over = now();
    while (unanswered(lines) > 0 && now() - over < 1.2 * outage) await sleep(1_000);
    const took = (now() - over) / minute;
    await bot.idle();
    return took;
  };
  /** Megabytes in use, when also what stands in Slack's channels is the same as ever. */
  const held = async () => {
    await sleep((1.5 * minute) / speed);
    for (let index = 0; index < 5 * channels.length; index += 5) await type(index, 'categorize last.example');
    await bot.idle();
    workspace.log.clear();
    return heap();
  };
  const lines = Array.from({ length: (outage / 1_000) * perSecond }, (_, index) => ({
    index,
    // Every fifth is understood by nobody.
    isPrivate: index % 5 === 4,
  }));
  // A short outage comes first: all that one needs is loaded and known before memory is looked at.
  await suffer(lines.slice(0, lines.length / 6));
  const before = await held();
  const took = await suffer(lines);
  const refused = workspace.log.calls().filter(({ status }) => status === 429).length;
  const after = await held();
  process.stdout.write(
    `outage: ${unanswered(lines)} of ${lines.length} lines not answered ${took.toFixed(1)} min after its end; heap ${before.toFixed(1)} MB before, ${after.toFixed(1)} MB after; refused with 429: ${refused}\n`,
  );
  expect(unanswered(lines)).toBe(0);
  expect(took).toBeLessThan(minutes);
  for (const answered of told.values()) {
    // Answers keep their order, give or take half a minute.
    const order = answered.filter((line) => !lines[line]?.isPrivate);
    const overtaken = order.filter((line, at) =>
      order.slice(0, at).some((one) => one > line + 30 * perSecond),
    );
    expect(overtaken).toEqual([]);
  }
  // The last one before Slack says so is told by it; on a clock so much faster also what a timer is late.
  expect(refused).toBeLessThan(lines.length / 20);
  // A line that is kept takes some 8 kB; 3 kB are tables that grow.
  expect(after - before).toBeLessThan((6 * lines.length) / 1_024);
}, 600_000);

/** Megabytes that are in use after everything that can be given back was. */
function heap(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

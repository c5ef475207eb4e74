import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { sandboxRoles, startSandbox } from '../../sandbox/sandbox.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { telling } from '../bad-days.ts';
import { emptyJournal } from '../lives-journal.ts';
import { unsynced } from '../unsynced.ts';

/** The bot, Slack and its rate limits live so much faster than this machine's clock. */
const speed = 4;
const minute = 60_000;
const outage = 10 * minute;
const perSecond = 10;
/** Slack takes one message a second in a channel: in fewer, ten lines a second could not even be answered on a good day. */
const channels = Array.from({ length: 40 }, (_, index) => ({
  id: `C0CROWD${String(index).padStart(3, '0')}`,
  name: `crowd-${index}`,
}));

/** Nobody types faster than the bot lets one person. */
const people = Array.from({ length: 100 }, (_, index) => {
  const number = String(index).padStart(3, '0');
  return { id: `U0CROWD${number}`, name: `person${number}` };
});

test('an outage of ten minutes under ten lines a second: ten minutes after its end everybody has an answer, in order, within Slack’s limits, and memory is back', async () => {
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
  // What Slack remembers of each line (its trigger, its response URL) is none of the bot's memory.
  await sandbox.restart(async () => {
    for (let index = 0; index < outage / 100; index += 1) await type(index, 'whoami');
  });
  const { bot } = sandbox;
  // Everything is loaded and known before memory is looked at.
  for (let index = 0; index < 3 * channels.length; index += 1)
    await type(index, `categorize warm-${index}.example`);
  await bot.idle();
  const before = heap();

  /** What was told of which line, channel by channel, in the order in which it was. */
  const told = new Map<string, number[]>();
  workspace.onChange((change) => {
    if (change.type !== 'message' && change.type !== 'ephemeral') return;
    const line = Number(/\bn(\d+)\.example/.exec(change.message.text)?.[1]);
    if (change.message.user !== workspace.botUserId || Number.isNaN(line)) return;
    const known = told.get(channelOf(line)) ?? [];
    if (!known.includes(line)) told.set(channelOf(line), [...known, line]);
  });
  for (const call of telling)
    workspace.faults.next(call, { kind: 'http', status: 503 }, Number.POSITIVE_INFINITY);
  const lines = Array.from({ length: (outage / 1_000) * perSecond }, (_, index) => ({
    index,
    // Every fifth is understood by nobody.
    isPrivate: index % 5 === 4,
  }));
  const start = now();
  const typed: Promise<unknown>[] = [];
  const failed: unknown[] = [];
  for (const { index, isPrivate } of lines) {
    const due = (start + (index * 1_000) / perSecond - now()) / speed;
    if (due > 1) await sleep(due);
    const line = isPrivate ? `frobnicate n${index}.example` : `categorize n${index}.example`;
    typed.push(type(index, line).then((acted) => acted.ok || failed.push(acted)));
  }
  await Promise.all(typed);
  expect(failed).toEqual([]);
  workspace.faults.clear();
  const over = now();

  const count = () => [...told.values()].flat().length;
  while (count() < lines.length && now() - over < 12 * minute) await sleep(1_000);
  const took = (now() - over) / minute;
  await bot.idle();
  // Nor is what stands in its channels.
  const refused = workspace.log.calls().filter(({ status }) => status === 429).length;
  await sleep((2 * minute) / speed);
  for (let index = 0; index < 5 * channels.length; index += 5) await type(index, 'categorize last.example');
  await bot.idle();
  workspace.log.clear();
  const after = heap();
  process.stdout.write(
    `outage: ${count()} of ${lines.length} lines answered ${took.toFixed(1)} min after its end; heap ${before.toFixed(1)} MB before, ${after.toFixed(1)} MB after; refused with 429: ${refused}\n`,
  );
  expect(count()).toBe(lines.length);
  expect(took).toBeLessThan(10);
  for (const answered of told.values()) {
    // Nobody is overtaken by who asked half a minute later.
    const order = answered.filter((line) => !lines[line]?.isPrivate);
    const overtaken = order.filter((line, at) =>
      order.slice(0, at).some((one) => one > line + 30 * perSecond),
    );
    expect(overtaken).toEqual([]);
  }
  // The last one before Slack says so is told by it; on a clock so much faster also what a timer is late.
  expect(refused).toBeLessThan(lines.length / 20);
  // Some 13 MB are code and tables of what ran for the first time, after 1,800 lines as after 6,000; what is kept of each line
  // would be twice as much.
  expect(after).toBeLessThan(before + 25);
}, 600_000);

/** Megabytes that are in use after everything that can be given back was. */
function heap(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

import { expect } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { waking } from '../../../tools/watching/pages.ts';
import { type Family, readExposition, seriesOf } from '../exposition.ts';
import { type Line, type Watched, watched } from '../watched.ts';
import { firing } from './prometheus.ts';

/** How something that somebody may want to be woken by really happens. */
export interface Scene {
  /** The options of the bot in this scene. */
  readonly options?: Parameters<typeof watched>[0] | (() => Promise<Parameters<typeof watched>[0]>);
  readonly happen: (bot: Watched) => Promise<unknown>;
  /** Fields of this line beside those of every line. */
  readonly line: Readonly<Record<string, unknown>>;
  /** Milliseconds of trouble before somebody is woken: the clock moves by so much. */
  readonly lasts?: number;
}

export type Scenes = Readonly<Record<string, Scene>>;

/** In every line, beside what its event declares. */
const always = ['level', 'time', 'event', 'msg', 'version', 'replica', 'actions', 'called', 'trace'];

/**
 * Makes it happen, and looks like an operator: at the log lines, at the metrics before and after, and at the alerts that
 * Prometheus makes of them.
 */
export async function expectWaking(id: string, { options, happen, line, lasts = 0 }: Scene): Promise<void> {
  const bot = await watched(typeof options === 'function' ? await options() : options);
  await bot.pass(0);
  const before = await bot.metricsText();
  await happen(bot);
  await expect.poll(() => bot.linesOf(id).length, { timeout: 3_000 }).toBeGreaterThan(0);
  if (lasts > 0) bot.wait(lasts);
  const after = await bot.metricsText();
  const beside = await Promise.all(bot.beside.map(async (url) => (await fetch(`${url}/metrics`)).text()));
  expectSeen(id, { lines: bot.linesOf(id), before, after, beside }, line);
}

/** The operator's view of the event. */
interface Seen {
  /** Log lines of this event. */
  readonly lines: readonly Line[];
  /** The metrics. */
  readonly before: string;
  readonly after: string;
  /** Series of other replicas, afterwards. */
  readonly beside?: readonly string[];
}

export function expectSeen(id: string, { lines, before, after, beside }: Seen, line: Scene['line']): void {
  const { event, by } = waking.find((one) => one.event.id === id) ?? {};
  if (event === undefined || by === undefined) throw new Error(`${id} wakes nobody`);
  for (const one of lines) expectLine(one, event);
  expect(lines[0]).toMatchObject(line);
  const labels = { event: id, level: event.level };
  // The metrics of a crashed process cannot be read.
  if (event.level !== 'fatal')
    expect(countedIn(readExposition(after), labels), 'counted as often as told').toBe(lines.length);
  const fired = firing(before, after, beside);
  if (fired === undefined) return;
  expect(
    by.map(({ name }) => name).filter((name) => fired.includes(name)),
    `fires one of ${by.map(({ name }) => name)}, and not only ${fired}`,
  ).not.toEqual([]);
}

function expectLine(line: Line, event: (typeof waking)[number]['event']): void {
  expect(line).toMatchObject({
    ...{ level: event.level, event: event.id, msg: event.says, version: packageJson.version },
    time: expect.any(Number),
  });
  // The replica gets its name when its journal is open.
  if (event.id !== 'journal_disk_low') expect(line.replica).toEqual(expect.any(String));
  const declared: readonly string[] = event.fields;
  expect(Object.keys(line).filter((name) => !always.includes(name) && !declared.includes(name))).toEqual([]);
}

const countedIn = (families: ReadonlyMap<string, Family>, labels: Readonly<Record<string, string>>): number =>
  seriesOf(families, 'appliance_bot_events_total', labels) ?? Number.NaN;

import { execFile } from 'node:child_process';
import { createWriteStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { machine } from '../../sandbox/machine.ts';
import { freePort } from '../../test/free-port.ts';
import { type Contestant, startContestant } from '../contestant.ts';
import { median } from '../figures.ts';
import { probe } from '../memory.ts';
import { answerTo, homeOf, lines, scrape } from './asking.ts';
import { house } from './lives.ts';

/** A journal, wherever it is, and the bot that works on it. */
export interface Place {
  readonly store: 'SQLite' | 'PostgreSQL';
  /** The data folder; an empty one for PostgreSQL. */
  readonly data: string;
  readonly url?: string;
}

interface Bot extends Contestant {
  readonly port: number;
}

const environmentOf = ({ data, url }: Place) => ({
  APPLIANCE_BOT_DATA: data,
  ...(url !== undefined && { DATABASE_URL: url }),
});

export async function startBot(
  place: Place,
  applianceUrl: string,
  policy: Readonly<Record<string, unknown>> = {},
): Promise<Bot> {
  const port = await freePort();
  const contestant = await startContestant({
    ...{ kind: 'bot', applianceUrl, channels: house.channels.length, data: place.data, policy },
    ...{ appliances: house.appliances, nodeFlags: probe },
    environment: { HEALTH_PORT: String(port), ...environmentOf(place) },
  });
  return { ...contestant, port };
}

/** Medians in milliseconds; memory in megabytes. */
export interface Asked {
  readonly start: number;
  readonly firstAnswer: number;
  readonly answers: ReadonlyMap<string, number>;
  readonly scrape: number;
  /** Resident memory. */
  readonly atStart: number;
  readonly after: number;
}

/** Starts the bot, asks everything and repeats, as often as these numbers say. */
export async function ask(
  place: Place,
  applianceUrl: string,
  { rounds, more }: { readonly rounds: number; readonly more: number },
): Promise<Asked> {
  const starts: number[] = [];
  const firsts: number[] = [];
  let bot = await startBot(place, applianceUrl);
  for (let round = 0; round < rounds; round += 1) {
    await bot.stop();
    bot = await startBot(place, applianceUrl);
    starts.push(bot.connectedAfter);
    firsts.push(await answerTo(bot, 'audit'));
  }
  try {
    const atStart = await residentOf(bot);
    const taken = new Map<string, number[]>([...lines, 'Home', 'metrics'].map((line) => [line, []]));
    const take = (line: string, took: number) => taken.get(line)?.push(took);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, line] of lines.entries())
        take(line, await answerTo(bot, line, (round * lines.length + index) % 50));
      take('Home', await homeOf(bot, round));
    }
    // The appliances have answered the page's questions by then.
    await sleep(2_000);
    for (let round = 0; round < rounds; round += 1) take('metrics', await scrape(bot.port));
    for (let index = 0; index < more; index += 1)
      await answerTo(bot, lines[index % lines.length] ?? 'help', index % 50);
    const { metrics = 0, ...answers } = Object.fromEntries(
      [...taken].map(([line, all]) => [line, median(all)]),
    );
    return {
      ...{ start: median(starts), firstAnswer: median(firsts), scrape: metrics },
      answers: new Map(Object.entries(answers)),
      ...{ atStart, after: await residentOf(bot) },
    };
  } finally {
    await bot.stop();
  }
}

async function residentOf(bot: Contestant): Promise<number> {
  // The probe answers nothing else.
  const { resident } = (await bot.ask('memory')) as { readonly resident: number };
  return resident / 1024 ** 2;
}

export const megabytesOf = (file: string): number => statSync(file).size / 1e6;

const program = fileURLToPath(new URL('../../bin/appliance-bot.js', import.meta.url));

/** Runs `appliance-bot …` beside the bot, with its output in a file. Resolves to the milliseconds that it took. */
export async function beside(place: Place, words: readonly string[]): Promise<number> {
  const began = performance.now();
  const child = execFile(process.execPath, [program, ...words], {
    env: { ...machine(), ...environmentOf(place) },
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  if (child.stdout !== null) await pipeline(child.stdout, createWriteStream(join(place.data, 'printed')));
  const code = await ended;
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}.`);
  return performance.now() - began;
}

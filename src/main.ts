import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAuthority } from './action/authority.ts';
import { startClock } from './action/clock.ts';
import { createConfirmation } from './action/confirm.ts';
import { createFlow } from './action/flow.ts';
import { homeOf } from './action/home.ts';
import { recover } from './action/recover.ts';
import { createStory } from './action/story.ts';
import { createWork } from './action/work.ts';
import { connectAppliance } from './api/index.ts';
import { createMembers } from './auth/members.ts';
import { createSlackChat } from './bot/chat.ts';
import { connectSlack } from './bot/connection.ts';
import { createDelivery } from './bot/delivery.ts';
import { publishHome } from './bot/home.ts';
import { listen } from './bot/inbound.ts';
import { createSlackLookup } from './bot/people.ts';
import { readConfig } from './config/config.ts';
import type { Environment } from './config/secret.ts';
import { commandByPhrase, commands, match } from './handlers/registry.ts';
import type { Journal } from './journal/journal.ts';
import { type Lock, takeLock } from './journal/lock.ts';
import { createLog, hideSecrets, type Log } from './log.ts';
import { CannotStart } from './problem.ts';

/** A running bot. */
export interface Bot {
  readonly journal: Journal;
  /** Resolves when nothing that was asked is under way any more. */
  readonly idle: () => Promise<void>;
  /** Takes nothing new, lets what is under way finish, and closes everything. */
  readonly stop: () => Promise<void>;
}

/** What a test or the sandbox may put in place of the world. */
export interface World {
  readonly now?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  readonly log?: Log;
}

/** Builds the parts, connects them, and starts. @throws CannotStart with every setting that is in the way */
export async function start(environment: Environment, world: World = {}): Promise<Bot> {
  const config = readConfig(environment);
  const now = world.now ?? Date.now;
  const wait = world.sleep ?? ((milliseconds) => sleep(milliseconds));
  const log = world.log ?? createLog(config.logLevel);

  // Slack takes its time to say who we are; the journal is loaded and opens meanwhile.
  const connecting = connectSlack(config.slack, log);
  connecting.catch(() => undefined);
  const { journal, lock } = await openData(config.data, now);
  const slack = await connecting.catch(async (error: unknown) => {
    await journal.close();
    lock.release();
    throw error;
  });
  const appliances = new Map(
    config.appliances.map((settings) => [
      settings.name,
      connectAppliance({ ...settings, onRequest: (request) => log.debug(request, 'appliance') }),
    ]),
  );

  const members = createMembers(createSlackLookup(slack.asking, slack.team), now);
  const authority = createAuthority(config.policy, members);
  const delivery = createDelivery({ client: slack.posting, fetch, now, sleep: wait, log });
  const chat = createSlackChat(delivery, log);
  const story = createStory(chat, commandByPhrase);
  const common = { commandByPhrase, authority, appliances, journal, chat, story, now, sleep: wait };
  const confirmation = createConfirmation(common);
  const flow = createFlow({ ...common, match, commands, confirmation, after });

  const work = createWork(chat, log);

  listen(
    slack.app,
    {
      ask: flow.ask,
      press: confirmation.press,
      openHome: async (person) => {
        const page = await homeOf(person, Object.keys(config.policy.channels), commands, authority);
        await publishHome(slack.asking, person, page);
      },
      personChanged: members.forgetPerson,
      groupChanged: members.forgetGroup,
      track: work.track,
    },
    log,
  );
  work.track(() => recover(common));
  const clock = startClock(journal, confirmation, now, work.track);
  try {
    await slack.start();
  } catch (error) {
    await stop();
    throw error;
  }
  log.info({ team: slack.team, appliances: [...appliances.keys()] }, 'Appliance Bot is connected');

  return { journal, idle: work.idle, stop };

  async function stop(): Promise<void> {
    clock.stop();
    await slack.stop();
    await work.idle();
    await Promise.all([...appliances.values()].map((appliance) => appliance.close()));
    await journal.close();
    lock.release();
  }
}

/** Takes the data folder for this process, and opens the journal in it. */
async function openData(
  folder: string,
  now: () => number,
): Promise<{ readonly journal: Journal; readonly lock: Lock }> {
  const problem = (wrong: string) =>
    new CannotStart([{ key: 'APPLIANCE_BOT_DATA', wrong, example: 'APPLIANCE_BOT_DATA=./data' }]);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = takeLock(join(folder, 'lock.sqlite'));
    if (lock === undefined) throw problem(`names ${folder}, which another running bot is using.`);
    const { openJournal } = await import('./journal/journal.ts');
    const journal = await openJournal(join(folder, 'journal.sqlite'), now).catch((error: unknown) => {
      lock.release();
      throw error;
    });
    return { lock, journal };
  } catch (error) {
    if (error instanceof CannotStart) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw problem(`names ${folder}, where the journal cannot be opened: ${reason}.`);
  }
}

function after(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}

/** The bot as a process: starts, stops at a signal, and says what is in the way instead of a stack trace. */
export async function run(environment: Environment): Promise<void> {
  try {
    const bot = await start(environment);
    // A Slack connection that could not be renewed ends here: whoever supervises the process starts it again.
    process.once('unhandledRejection', (error) => {
      process.stderr.write(`${hideSecrets(String(error))}\n`);
      process.exit(1);
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => void bot.stop().then(() => process.exit(0)));
    }
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    process.stderr.write(`${hideSecrets(error.message)}\n`);
    process.exitCode = 1;
  }
}

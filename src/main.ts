import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { createActions } from './action/actions.ts';
import { createReload } from './action/authority/reload.ts';
import { vocabularyOf } from './action/authority/vocabulary.ts';
import { recorded } from './action/base/request-log.ts';
import { absentAppliance, connectAppliance, type RequestReport } from './api/index.ts';
import { inForce } from './auth/in-force.ts';
import { createMembers } from './auth/members.ts';
import { versionOf } from './auth/version.ts';
import { createSlackChat } from './bot/delivery/chat.ts';
import { createDelivery } from './bot/delivery/delivery.ts';
import { createLatest } from './bot/delivery/latest.ts';
import { connectSlack } from './bot/in/connection.ts';
import { createSlackFiles } from './bot/in/files.ts';
import { listen } from './bot/in/inbound.ts';
import { createSlackLookup } from './bot/in/people.ts';
import { createHome } from './bot/rendering/home.ts';
import { type Config, readConfig } from './config/config.ts';
import { rereadPolicy } from './config/reread.ts';
import type { Environment } from './config/secret.ts';
import { unknownWords } from './config/unknown-words.ts';
import { watchFile } from './config/watch.ts';
import type { Journal } from './journal/journal.ts';
import type { Notices } from './journal/offline/database.ts';
import { type Lock, takeLock } from './journal/storage/lock.ts';
import { keepPrivate, type Privacy } from './journal/storage/private-files.ts';
import { JournalUnavailable } from './journal/unavailable.ts';
import { createLog, hideSecrets, type Log } from './log.ts';
import { endWithParent } from './parent.ts';
import { CannotStart } from './problem.ts';

/** A running bot. */
export interface Bot {
  readonly journal: Journal;
  /** Resolves when everybody who asked has got an answer. */
  readonly answered: () => Promise<void>;
  /** Resolves when nothing is under way any more, also not what follows from an answer. */
  readonly idle: () => Promise<void>;
  /** Reads the policy file again, and takes it when it is in order. */
  readonly reload: () => void;
  /**
   * Takes nothing new, which people are told, lets what is under way finish for 25 seconds, and closes everything. What is
   * not over by then goes on at the next start.
   */
  readonly stop: () => Promise<void>;
}

/** What a test or the sandbox may put in place of the world. */
export interface World {
  readonly now?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  /** Calls back again and again, until it is called off by what it returns. */
  readonly every?: (milliseconds: number, callback: () => void) => () => void;
  readonly log?: Log;
  /** Puts something before the journal, such as what kills the process at a certain write. */
  readonly journal?: (journal: Journal) => Journal;
  /** How long what is under way may go on after the order to stop, in milliseconds. */
  readonly timeout?: number;
}

/** Builds the parts, connects them, and starts. @throws CannotStart with every setting that is in the way */
export async function start(environment: Environment, world: World = {}): Promise<Bot> {
  // No closure takes `source`: the file's text, tree and lines are given back when the bot has started.
  const { read: source, ...config } = readConfig(environment);
  const now = world.now ?? Date.now;
  const wait = world.sleep ?? ((milliseconds) => sleep(milliseconds));
  const log = world.log ?? createLog(config.logLevel);

  // Slack takes its time to say who we are; the commands are loaded and the journal opens meanwhile.
  const connecting = connectSlack(config.slack, log);
  connecting.catch(() => undefined);
  const { commandByPhrase, commands, match } = await import('./handlers/registry.ts');
  const vocabulary = vocabularyOf(commands);
  const unknown = source.told(unknownWords(source.content, vocabulary));
  if (unknown.length > 0) throw new CannotStart(unknown);
  const { journal: opened, lock } = await openData(config, now, log);
  const journal = world.journal?.(opened) ?? opened;
  const slack = await connecting.catch(async (error: unknown) => {
    await journal.close();
    lock?.release();
    throw error;
  });
  const heardAndLogged = (request: RequestReport) => {
    recorded(request);
    log.debug(request, 'appliance');
  };
  const appliances = new Map(
    config.appliances.map((settings) => [
      settings.name,
      connectAppliance({ ...settings, onRequest: heardAndLogged }),
    ]),
  );
  const members = createMembers(createSlackLookup(slack.asking, slack.team), now);
  const delivery = createDelivery({
    client: slack.posting,
    workspace: slack.url,
    fetch,
    now,
    sleep: wait,
    log,
  });
  const { botToken, apiUrl } = config.slack;
  // What was left on where the configuration does not lead any more can still be told of, and closed by people.
  const left = (await journal.timedChanges()).filter(({ appliance }) => !appliances.has(appliance));
  for (const { appliance } of left) appliances.set(appliance, absentAppliance(appliance));
  const absent = left.map(({ appliance, channel }) => [appliance, { tags: [], onlyIn: channel }] as const);
  const fleet = new Map([...config.fleet, ...absent]);
  const policy = inForce(config.policy);
  const chat = createSlackChat(delivery, slack.asking, log);
  const actions = createActions({
    ...{ commands, commandByPhrase, match, policy, fleet, members, appliances, journal, log, now },
    chat,
    files: createSlackFiles({ client: slack.asking, botToken, apiUrl, fetch }),
    secret: config.slack.botToken,
    sleep: wait,
    every: world.every ?? regularly,
  });
  const { ask, press, submit, search, shortcut, home, work } = actions;
  const showHome = createHome(slack.asking, slack.url);
  const homes = createLatest();
  const openHome = (person: string) =>
    homes.run(person, async () => {
      const page = await home(person);
      // They have seen it a moment ago.
      if (page !== undefined) await showHome(person, page);
    });
  const changed = {
    personChanged: members.forgetPerson,
    groupChanged: members.forgetGroup,
    channelChanged: members.forgetChannel,
  };
  const { track } = work;
  const { claimDelivery: isFirst, seenTo, isShared } = journal;
  const read = () => rereadPolicy({ ...config, environment, vocabulary });
  const reload = createReload({ read, policy, members, journal, chat, log });
  listen(
    slack.app,
    { ask, press, submit, search, shortcut, openHome, ...changed, isFirst, seenTo, isShared, track },
    log,
  );
  actions.begin();
  try {
    await slack.start();
  } catch (error) {
    await stop();
    throw error;
  }
  const stopWatching = watchFile(config.file, () => work.later(reload));
  // It may have been changed while we started.
  work.later(reload);
  log.info(
    { team: slack.team, policy: versionOf(config.policy), appliances: [...appliances.keys()] },
    'Appliance Bot is connected',
  );

  let stopped: Promise<void> | undefined;
  return {
    journal,
    answered: work.answered,
    idle: work.idle,
    reload: () => work.later(reload),
    stop: () => {
      stopWatching();
      stopped ??= stop();
      return stopped;
    },
  };

  async function stop(): Promise<void> {
    // Whoever asks meanwhile is told so; without a connection they would wonder.
    await actions.end(world.timeout ?? timeout);
    await slack.stop();
    // Out of reach of its database, it is missed by the others soon enough.
    await journal.leave().catch(() => undefined);
    // Before the appliances: what is still under way must not take it for an outcome that they cannot be asked any more.
    await journal.close();
    lock?.release();
    const closing = Promise.all([...appliances.values()].map((appliance) => appliance.close()));
    // A request that is still under way would keep them open, and the process ends anyway.
    await Promise.race([closing, sleep(1_000, undefined, { ref: false })]);
  }
}

/** How long what is under way may go on after the order to stop, in milliseconds: supervisors kill after 30 seconds. */
const timeout = 25_000;

/** By the machine's own clock. It does not keep the process alive. */
function regularly(milliseconds: number, callback: () => void): () => void {
  const timer = setInterval(callback, milliseconds).unref();
  return () => clearInterval(timer);
}

interface Data {
  readonly journal: Journal;
  /** Of the data folder; none is needed where replicas share a database. */
  readonly lock?: Lock;
}

const openData = (config: Pick<Config, 'data' | 'database'>, now: () => number, log: Log): Promise<Data> =>
  config.database === undefined ? openFolder(config.data, now, log) : openShared(config.database, now, log);

/** Takes the data folder for this process, and opens the journal in it. */
async function openFolder(folder: string, now: () => number, log: Log): Promise<Data> {
  const problem = (wrong: string) =>
    new CannotStart([{ key: 'APPLIANCE_BOT_DATA', wrong, example: 'APPLIANCE_BOT_DATA=./data' }]);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    sayWhoCanRead(folder, keepPrivate(folder), log);
    const lock = takeLock(join(folder, 'lock.sqlite'));
    if (lock === undefined) throw problem(`names ${folder}, which another running bot is using.`);
    const [{ openJournal }, { openSqlite }] = await Promise.all([
      import('./journal/journal.ts'),
      import('./journal/storage/sqlite.ts'),
    ]);
    try {
      return { lock, journal: await openJournal(openSqlite(join(folder, 'journal.sqlite')), now) };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    if (error instanceof CannotStart) throw error;
    throw problem(`names ${folder}, where the journal cannot be opened: ${reasonOf(error)}.`);
  }
}

function sayWhoCanRead(folder: string, { openFolder, tightened }: Privacy, log: Log): void {
  if (tightened.length > 0) {
    log.warn(
      { folder, files: tightened },
      'Others could read files of the journal until now; they have mode 600 from here on',
    );
  }
  if (openFolder !== undefined) {
    log.warn(
      { folder, mode: openFolder },
      'The data folder is open to others on this machine: give it mode 700',
    );
  }
}

/** Opens the journal in a database that replicas share. Its client takes megabytes, and is loaded for this alone. */
async function openShared(url: string, now: () => number, log: Log): Promise<Data> {
  const [{ openJournal }, { openPostgres }, { offline }] = await Promise.all([
    import('./journal/journal.ts'),
    import('./journal/storage/postgres.ts'),
    import('./journal/offline/offline.ts'),
  ]);
  try {
    const journal = await openJournal(openPostgres(url), now);
    // Before it is at anything, the others know that it is there.
    await journal.heartbeat().catch(async (error: unknown) => {
      await journal.close();
      throw error;
    });
    return { journal: offline(journal, noticesIn(log), now) };
  } catch (error) {
    const reason = reasonOf(error instanceof JournalUnavailable ? error.cause : error);
    throw new CannotStart([
      {
        key: 'DATABASE_URL',
        wrong: `names a database in which the journal cannot be opened: ${reason}.`,
        example: 'DATABASE_URL=postgres://bot:password@db.example.com:5432/appliance_bot',
      },
    ]);
  }
}

const noticesIn = (log: Log): Notices => ({
  away: (cause) =>
    log.warn(
      { reason: reasonOf(cause) },
      'The database of the journal is away; look-ups go on, and nothing is changed',
    ),
  back: (written) => log.info({ written }, 'The database of the journal is back'),
  lost: (what, why) => log.error({ what, reason: reasonOf(why) }, 'This will not be in the journal'),
});

/** Where a name has several addresses, Node has tried them all and sums that up in a code. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message || String('code' in error ? error.code : error) : String(error);

/** The bot as a process: starts, stops at a signal, and says what is in the way instead of a stack trace. */
export async function run(environment: Environment): Promise<void> {
  let bot: Bot | undefined;
  endWithParent(environment);
  // Sent while it starts, it would end the process; the start ends with a look at the file anyway.
  process.on('SIGHUP', () => bot?.reload());
  try {
    const started = await start(environment);
    bot = started;
    // A Slack connection that could not be renewed ends here: whoever supervises the process starts it again.
    process.once('unhandledRejection', (error) => {
      process.stderr.write(`${hideSecrets(String(error))}\n`);
      process.exit(1);
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      // Each time, and it stops once: Ctrl+C in `npm start` comes from the terminal and from npm, and the second one must not
      // cut short what is under way.
      process.on(signal, () => void started.stop().then(() => process.exit(0)));
    }
  } catch (error) {
    const isTold = error instanceof CannotStart;
    // Node would print an error with all that it carries: headers, the address of a database.
    process.stderr.write(`${hideSecrets(isTold ? error.message : inspect(error))}\n`);
    if (!isTold) process.exit(1);
    process.exitCode = 1;
  }
}

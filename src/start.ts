/** The bot put together: builds the parts, connects them, starts and stops them. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Actions, createActions } from './action/actions.ts';
import { createTellAdmins } from './action/authority/admins.ts';
import { createReload } from './action/authority/reload.ts';
import { vocabularyOf } from './action/authority/vocabulary.ts';
import { createGenerations } from './action/base/generations.ts';
import { currentActions } from './action/base/request-log.ts';
import { connectAppliances } from './action/target/connect.ts';
import { absentAppliance } from './api/index.ts';
import { inForce } from './auth/in-force.ts';
import { createMembers } from './auth/members.ts';
import { groupsNamed } from './auth/policy-index.ts';
import { noFacts } from './auth/request.ts';
import { ticketAddress } from './auth/ticket.ts';
import { versionOf } from './auth/version.ts';
import { createBlockPage } from './block-page/server.ts';
import { connectSlack, usualTiming } from './bot/connection/connection.ts';
import { createSlackChat } from './bot/delivery/chat.ts';
import { createDelivery } from './bot/delivery/delivery.ts';
import { createEndStep } from './bot/delivery/steps.ts';
import { createSlackFiles } from './bot/in/files.ts';
import { listen } from './bot/in/inbound.ts';
import { createSlackLookup } from './bot/in/people.ts';
import { createHome } from './bot/rendering/home.ts';
import { createWebhook } from './bot/webhook.ts';
import { readConfig } from './config/config.ts';
import { rereadPolicy } from './config/reread.ts';
import type { Environment } from './config/secret.ts';
import { unknownWords } from './config/unknown-words.ts';
import { watchFiles } from './config/watch.ts';
import type { Journal, JournalTrouble } from './journal/journal.ts';
import { isScarce, openFilesLimit, socketsWithin } from './open-files.ts';
import { openJournalOf } from './open-journal.ts';
import { CannotStart } from './problem.ts';
import { createSemaphore } from './semaphore.ts';
import { crashed, fewFiles, started, stopped, stopping } from './telemetry/events/process.ts';
import { createTelemetry } from './telemetry/telemetry.ts';
import type { World } from './world.ts';

/** A running bot. */
export interface Bot {
  readonly journal: Journal;
  /** Whether it can do all that it is there for; else why not. It takes lines all the same, and answers what it can. */
  readonly readiness: () => Readiness;
  /** Resolves when it has to be stopped, and the process to be ended with 1: only the next one can go on. */
  readonly lost: Promise<void>;
  /** What a line would be taken for, typed by somebody in a channel (IDs). Nothing is run. */
  readonly read: Actions['read'];
  readonly readWithAnswer: Actions['readWithAnswer'];
  /** Resolves when everybody who asked has got an answer. */
  readonly answered: () => Promise<void>;
  /** Resolves when nothing is under way any more, also not what follows from an answer. */
  readonly idle: () => Promise<void>;
  /** Reads the policy file again, and takes it when it is in order. Resolves when that is over. */
  readonly reload: () => Promise<void>;
  /**
   * Takes nothing new, which people are told, lets what is under way finish for 25 seconds, and closes everything. What is
   * not over by then goes on at the next start.
   */
  readonly stop: () => Promise<void>;
  /** After an error that nothing handled: logs it with its stack, and stops without waiting for what is under way. */
  readonly crash: (error: unknown) => Promise<void>;
}

/** What keeps a bot that runs from being ready. */
interface Readiness {
  readonly isReady: boolean;
  readonly why: JournalTrouble | undefined;
}

/** Builds the parts, connects them, and starts. @throws CannotStart with every setting that is in the way */
export async function start(environment: Environment, world: World = {}): Promise<Bot> {
  // No closure takes `source`: the file's text, tree and lines are given back when the bot has started.
  const { read: source, ...config } = readConfig(environment);
  const wait = world.sleep ?? ((milliseconds) => sleep(milliseconds));
  const policy = inForce(config.policy);
  const telemetry = createTelemetry(config, world, {
    current: currentActions,
    policy: () => versionOf(policy.current()),
  });
  const { log } = telemetry;

  // Slack takes its time to say who we are; the commands are loaded and the journal opens meanwhile.
  const limit = openFilesLimit();
  const sockets = socketsWithin(limit, config.slack.inlet.kind, config.blockPage !== undefined);
  if (isScarce(limit)) {
    log.tell(fewFiles, { limit, sockets });
  }
  const slackTiming = { ...usualTiming, ...world.slackTiming };
  const connecting = connectSlack({ ...config.slack, sockets }, log, slackTiming);
  connecting.catch(() => undefined);
  const { commandByPhrase, commands, match } = await import('./handlers/registry.ts');
  const vocabulary = vocabularyOf(commands);
  const unknown = source.told(unknownWords(source.content, vocabulary));
  if (unknown.length > 0) throw new CannotStart(unknown);
  const {
    journal: opened,
    lock,
    health,
    now,
  } = await openJournalOf(config, world.now ?? Date.now, log, {
    ...world.journalFile,
    ...world.shared,
  });
  const journal = world.journal?.(opened) ?? opened;
  const slack = await connecting.catch(async (error: unknown) => {
    await journal.close();
    lock?.release();
    throw error;
  });
  const { appliances, up } = connectAppliances(config.appliances, sockets.toAppliances, log, now);
  const ticketAt = (ticket: string) => ticketAddress(ticket, policy.current().tickets);
  const members = createMembers(createSlackLookup(slack.asking, slack.team, log), now);
  const delivery = createDelivery({
    client: slack.posting,
    workspace: slack.url,
    ticketAt,
    fetch: slack.fetch,
    deadline: slackTiming.answering,
    takePlace: createSemaphore(sockets.toSlack),
    now,
    sleep: wait,
    log,
  });
  const { botToken, apiUrl, inlet } = config.slack;
  // What was left on where the configuration does not lead any more can still be told of, and closed by people.
  const left = (await journal.timedChanges()).filter(({ appliance }) => !appliances.has(appliance));
  for (const { appliance } of left) appliances.set(appliance, absentAppliance(appliance));
  const absent = left.map(({ appliance, channel }) => [appliance, { ...noFacts, onlyIn: channel }] as const);
  const fleet = new Map([...config.fleet, ...absent]);
  const generations = createGenerations(journal);
  const own = { user: slack.user, workspace: slack.url, stamp: generations.stamp, now };
  const chat = createSlackChat(delivery, slack.asking, own, log);
  const tellAdmins = createTellAdmins({ policy, members, chat, log });
  const webhooks = createWebhook(config.webhook, config.slack.proxy, journal);
  const actions = createActions({
    ...{ commands, commandByPhrase, match, policy, fleet, members, appliances, journal, log, now },
    ...{ chat, generations, showHome: createHome(slack.asking, slack.url, ticketAt) },
    ...{ endStep: createEndStep(slack.asking, log), traces: telemetry.traces },
    webhooks: { ...webhooks, tellAdmins },
    files: createSlackFiles({ client: slack.asking, botToken, apiUrl, fetch: slack.fetch }),
    secrets: [
      ...[botToken, inlet.kind === 'socket' ? inlet.appToken : inlet.signingSecret],
      ...(config.blockPage?.secrets ?? []),
    ],
    sleep: wait,
    every: world.every ?? regularly,
  });
  const { ask, edited, press, submit, search, shortcut, step, build, openHome, firstSteps, work } = actions;
  const { invited } = firstSteps;
  const changed = {
    personChanged: members.forgetPerson,
    groupChanged: members.forgetGroup,
    channelChanged: members.forgetChannel,
  };
  const { claimDelivery: isFirst, isWritten, seenTo, isShared } = journal;
  let watched = [config.file, ...source.files];
  const read = () => {
    const found = rereadPolicy({ ...config, environment, vocabulary });
    if (found.ok) watched = [config.file, ...found.files];
    return webhooks.taking(found);
  };
  const takePolicy = createReload({ read, policy, journal, tellAdmins, log });
  const mindPolicy = async () => {
    await actions.tellFrozen();
    // A group that Slack does not tell of gives nobody a role: that is found out now, and not by whoever misses it.
    await members.openGroups(groupsNamed(policy.current()));
  };
  const reload = () => takePolicy().then(mindPolicy);
  const { acknowledged } = listen(
    slack.app,
    {
      ...{ ask, edited, press, submit, search, shortcut, step, build, openHome, invited },
      ...{ ...changed, isFirst, isWritten, seenTo, track: work.track },
    },
    log,
  );
  const blockPage =
    config.blockPage &&
    createBlockPage({
      ...{ settings: config.blockPage, requests: actions.siteRequests, now, log },
      ...{ selfService: () => policy.current().selfService, timeZone: () => policy.current().timeZone },
      mostSockets: sockets.fromBrowsers,
    });
  telemetry.watch({
    ...{ replica: journal.replica, figures: journal.figures, now, appliancesUp: up },
    isSlackConnected: slack.isConnected,
    journalTrouble: health.trouble,
    replicas: async () => (journal.isShared ? (await journal.others()).length + 1 : 1),
  });
  let healthAddress: string | undefined;
  let hasCrashed = false;
  actions.begin();
  try {
    // Before Slack: a start that takes long can be watched.
    healthAddress = await telemetry.start();
    await slack.start();
    await blockPage?.start();
  } catch (error) {
    await close(world.timeout ?? timeout);
    throw error;
  }
  health.tell(tellAdmins);
  // Out of reach of its database, it shows it with its next heartbeat.
  if (isShared) await journal.heartbeat({ isTaking: true }).catch(() => undefined);
  // Also what was changed while we started.
  const stopWatching = watchFiles(
    () => watched,
    config.signature,
    () => work.later(reload),
  );
  work.later(mindPolicy);
  for (const { learnRelease } of appliances.values()) work.later(async () => void (await learnRelease()));
  work.later(async () => {
    const missing = await firstSteps.missing({ user: slack.user, missingScopes: slack.missingScopes });
    if (missing !== undefined) await tellAdmins(missing);
  });
  log.tell(started, {
    ...{ team: slack.team, policy: versionOf(config.policy), appliances: [...appliances.keys()] },
    proxy: config.slack.proxy?.address,
    ...{ health: healthAddress, journal: journal.isShared ? 'postgresql' : 'sqlite', ...machine },
  });

  let ended: Promise<void> | undefined;
  return {
    journal,
    read: actions.read,
    readWithAnswer: actions.readWithAnswer,
    readiness: () => {
      const why = health.trouble();
      return { isReady: why === undefined, why };
    },
    lost: health.lost,
    answered: work.answered,
    idle: async () => {
      await work.idle();
      await journal.tidy();
    },
    reload: () => new Promise((resolve) => work.later(() => reload().finally(resolve))),
    stop: () => stop(world.timeout ?? timeout),
    crash: (error) => {
      hasCrashed = true;
      log.tell(crashed, { err: error });
      return stop(0);
    },
  };

  function stop(milliseconds: number): Promise<void> {
    stopWatching();
    ended ??= close(milliseconds);
    return ended;
  }

  async function close(milliseconds: number): Promise<void> {
    const began = performance.now();
    log.tell(stopping);
    const blockPageStopped = blockPage?.stop();
    // Without a connection whoever asks would wonder: where nobody else takes it, they are told that the bot is being stopped.
    if (await actions.leaveToOthers().catch(() => false)) {
      // What has come in until now is still taken.
      await Promise.race([
        acknowledged(),
        sleep(Math.min(milliseconds, handover), undefined, { ref: false }),
      ]);
      await slack.stop();
    }
    await blockPageStopped;
    await actions.end(Math.max(0, milliseconds - (performance.now() - began)));
    await slack.stop();
    // Out of reach of its database, it is missed by the others soon enough; after a crash, the next start is to tell of it.
    if (isShared || !hasCrashed) await journal.leave().catch(() => undefined);
    // Before the appliances: what is still under way must not take it for an outcome that they cannot be asked any more.
    await journal.close();
    lock?.release();
    await telemetry.stop();
    const seconds = Math.round((performance.now() - began) / 1_000);
    log.tell(stopped, { seconds, uptime: Math.round(process.uptime()) });
    const closing = Promise.all([...appliances.values()].map((appliance) => appliance.close()));
    // A request that is still under way would keep them open, and the process ends anyway.
    await Promise.race([closing, sleep(1_000, undefined, { ref: false })]);
  }
}

/** How long what is under way may go on after the order to stop, in milliseconds: supervisors kill after 30 seconds. */
const timeout = 25_000;

/** How long connections that are given back wait for what has come in over them to be acknowledged, in milliseconds. */
const handover = 1_500;

/** What it runs on. */
const machine = { node: process.version, system: `${process.platform} ${process.arch}` };

/** By the machine's own clock. It does not keep the process alive. */
function regularly(milliseconds: number, callback: () => void): () => void {
  const timer = setInterval(callback, milliseconds).unref();
  return () => clearInterval(timer);
}

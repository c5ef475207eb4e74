/** Assembles the bot: builds the parts, connects them, starts and stops them. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Actions, createActions } from './action/actions.ts';
import { createTellAdmins } from './action/authority/admins.ts';
import { vocabularyOf } from './action/authority/authority.ts';
import { createReload } from './action/authority/reload.ts';
import { createGenerations } from './action/base/generations.ts';
import { currentActions } from './action/base/request-log.ts';
import { connectAppliances } from './action/target/appliance-states.ts';
import { absentAppliance } from './api/index.ts';
import { createMembers } from './auth/members.ts';
import { inForce, versionOf } from './auth/policy.ts';
import { groupsNamed } from './auth/policy-index.ts';
import { noFacts } from './auth/request.ts';
import { ticketAddress } from './auth/ticket.ts';
import { createBlockPage } from './block-page/server.ts';
import { createAppWatch } from './bot/connection/app-elsewhere.ts';
import { connectSlack, usualTiming } from './bot/connection/slack-connection.ts';
import { createDelivery } from './bot/delivery/delivery.ts';
import { createEndStep } from './bot/delivery/end-step.ts';
import { createSlackChat } from './bot/delivery/slack-chat.ts';
import { createSlackFiles } from './bot/in/files.ts';
import { listen } from './bot/in/inbound.ts';
import { createSlackLookup } from './bot/in/slack-people.ts';
import { createHome } from './bot/rendering/home-view.ts';
import { createWebhook } from './bot/webhook.ts';
import { createCertainTime } from './certain-time.ts';
import { readConfig } from './config/config.ts';
import { rereadPolicy } from './config/reread-policy.ts';
import type { Environment } from './config/secret.ts';
import { unknownWords } from './config/unknown-words.ts';
import { watchFiles } from './config/watched-files.ts';
import type { Journal, JournalTrouble } from './journal/journal.ts';
import { isScarce, openFilesLimit, socketsWithin } from './open-files.ts';
import { openJournalOf } from './open-journal.ts';
import { CannotStart } from './problem.ts';
import { createSemaphore } from './semaphore.ts';
import { crashed, fewFiles, started, stopped, stopping } from './telemetry/events/process.ts';
import { createTelemetry } from './telemetry/telemetry.ts';
import type { World } from './world.ts';

export interface Bot {
  readonly journal: Journal;
  /** Whether it can do everything; otherwise the reasons. It accepts lines anyway, and answers what it can. */
  readonly readiness: () => Readiness;
  /** Resolves when the process must stop and exit with 1, because only the next one can continue. */
  readonly lost: Promise<void>;
  /** The reading of a line by somebody in a channel (IDs), without running it. */
  readonly read: Actions['read'];
  readonly readWithAnswer: Actions['readWithAnswer'];
  /** Resolves when every request has an answer. */
  readonly answered: () => Promise<void>;
  /** Resolves when nothing is running any more, including consequences of answers. */
  readonly idle: () => Promise<void>;
  /** Reads the policy file again, and applies it if it is valid. Resolves afterwards. */
  readonly reload: () => Promise<void>;
  /**
   * Accepts nothing new and tells people so, lets running work finish for 25 seconds, and closes everything.
   * Unfinished work continues at the next start.
   */
  readonly stop: () => Promise<void>;
  /** After an unhandled error: logs it with its stack, and stops without waiting for running work. */
  readonly crash: (error: unknown) => Promise<void>;
}

/** Reasons why a running bot is not ready. */
interface Readiness {
  readonly isReady: boolean;
  readonly why: JournalTrouble | undefined;
}

/** Builds the parts, connects them, and starts. @throws CannotStart with every wrong setting */
export async function start(environment: Environment, world: World = {}): Promise<Bot> {
  // No closure may keep `source`, so that the file's text and tree are freed after the start.
  const { read: source, ...config } = readConfig(environment);
  const wait = world.sleep ?? ((milliseconds) => sleep(milliseconds));
  const policy = inForce(config.policy);
  const telemetry = createTelemetry(config, world, {
    current: currentActions,
    policy: () => versionOf(policy.current()),
  });
  const { log } = telemetry;

  // Slack takes time to identify the bot; meanwhile the commands are loaded and the journal opens.
  const limit = openFilesLimit();
  const sockets = socketsWithin(limit, config.slack.inlet.kind, config.blockPage !== undefined);
  if (isScarce(limit)) {
    log.tell(fewFiles, { limit, sockets });
  }
  const slackTiming = { ...usualTiming, ...world.slackTiming };
  const certain = createCertainTime(world.now ?? Date.now, log, world.otherClocks);
  const connecting = connectSlack({ ...config.slack, sockets }, log, slackTiming, (time) =>
    certain.heard('slack', time),
  );
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
  } = await openJournalOf(
    config,
    world.now ?? Date.now,
    log,
    { ...world.journalFile, ...world.shared },
    (time) => certain.heard('database', time),
  );
  const journal = world.journal?.(opened) ?? opened;
  const slack = await connecting.catch(async (error: unknown) => {
    await journal.close();
    lock?.release();
    throw error;
  });
  const { toAppliances } = sockets;
  const { elapsed } = world.otherClocks ?? {};
  const { appliances, up } = connectAppliances(config.appliances, toAppliances, log, now, elapsed);
  const ticketAt = (ticket: string) => ticketAddress(ticket, policy.current().tickets);
  const members = createMembers(createSlackLookup(slack.asking, slack.team, log), now);
  const delivery = createDelivery({
    client: slack.posting,
    workspace: slack.url,
    ticketAt,
    fetch: slack.fetch,
    deadline: slackTiming.answering,
    takePlace: createSemaphore(sockets.toSlack).acquire,
    now,
    sleep: wait,
    log,
  });
  const { botToken, apiUrl, inlet } = config.slack;
  // Changes that are still active on a removed appliance can still be shown, and closed by people.
  const left = (await journal.timedChanges()).filter(({ appliance }) => !appliances.has(appliance));
  for (const { appliance } of left) appliances.set(appliance, absentAppliance(appliance));
  const absent = left.map(({ appliance, channel }) => [appliance, { ...noFacts, onlyIn: channel }] as const);
  const fleet = new Map([...config.fleet, ...absent]);
  const generations = createGenerations(journal);
  const own = { user: slack.user, workspace: slack.url, stamp: generations.stamp, now };
  const chat = createSlackChat(delivery, slack.asking, own, log);
  const tellAdmins = createTellAdmins({ policy, members, chat, log });
  const watchApp = createAppWatch({ journal, tellAdmins, log });
  const webhooks = createWebhook(config.webhook, config.slack.proxy, journal);
  const actions = createActions({
    ...{ commands, commandByPhrase, match, policy, fleet, members, appliances, journal, log, now },
    certainlyOver: certain.over,
    ownUser: slack.user ?? '',
    ...{ chat, generations, showHome: createHome(slack.asking, log, slack.url, ticketAt) },
    ...{ endStep: createEndStep(slack.asking, log), traces: telemetry.traces },
    webhooks: { ...webhooks, tellAdmins },
    filesFor: createSlackFiles({ client: slack.asking, botToken, apiUrl, fetch: slack.fetch, members }),
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
  const { claimDelivery: isFirst, isWritten, secured, seenTo, isShared } = journal;
  let watched = [config.file, ...source.files];
  const read = () => {
    const found = rereadPolicy({ ...config, environment, vocabulary });
    if (found.ok) watched = [config.file, ...found.files];
    return webhooks.taking(found);
  };
  const takePolicy = createReload({ read, policy, journal, tellAdmins, log });
  const mindPolicy = async () => {
    await actions.tellFrozen();
    // Finds a group that Slack does not disclose now, rather than when somebody misses its role.
    await members.openGroups(groupsNamed(policy.current()));
  };
  const reload = () => takePolicy().then(mindPolicy);
  slack.onCounted((counted) => work.later(() => watchApp(counted)));
  const { acknowledged } = listen(
    slack.app,
    {
      ...{ ask, edited, press, submit, search, shortcut, step, build, openHome, invited },
      ...{ ...changed, isFirst, isWritten, secured, seenTo, track: work.track, attempt: work.attempt },
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
    // Before Slack, so that a slow start can be watched.
    healthAddress = await telemetry.start();
    // The other replicas must know this one before Slack counts its connections.
    if (isShared) await journal.heartbeat().catch(() => undefined);
    await slack.start();
    await blockPage?.start();
  } catch (error) {
    await close(world.timeout ?? timeout);
    throw error;
  }
  health.tell(tellAdmins);
  // Without its database, the next heartbeat shows it.
  if (isShared) await journal.heartbeat({ isTaking: true }).catch(() => undefined);
  // Includes changes during the start.
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
    // Without a connection, people would wonder. If no other replica takes over, they are told that the bot is
    // stopping.
    if (await actions.leaveToOthers().catch(() => false)) {
      // Requests received until now are still accepted.
      await Promise.race([
        acknowledged(),
        sleep(Math.min(milliseconds, handover), undefined, { ref: false }),
      ]);
      await slack.stop();
    }
    await blockPageStopped;
    await actions.end(Math.max(0, milliseconds - (performance.now() - began)));
    await slack.stop();
    // Without its database, the others notice its absence soon; after a crash, the next start reports it.
    if (isShared || !hasCrashed) await journal.leave().catch(() => undefined);
    // Before the appliances, so that running work does not take their closing for a result.
    await journal.close();
    lock?.release();
    await telemetry.stop();
    const seconds = Math.round((performance.now() - began) / 1_000);
    log.tell(stopped, { seconds, uptime: Math.round(process.uptime()) });
    const closing = Promise.all([...appliances.values()].map((appliance) => appliance.close()));
    // A running request would keep them open, and the process ends anyway.
    await Promise.race([closing, sleep(1_000, undefined, { ref: false })]);
  }
}

/** How long running work may continue after the order to stop, in milliseconds: supervisors kill after 30 seconds. */
const timeout = 25_000;

/** How long connections wait for acknowledgements of received requests before closing, in milliseconds. */
const handover = 1_500;

/** The machine and Node version. */
const machine = { node: process.version, system: `${process.platform} ${process.arch}` };

/** By the machine's own clock. It does not keep the process alive. */
function regularly(milliseconds: number, callback: () => void): () => void {
  const timer = setInterval(callback, milliseconds).unref();
  return () => clearInterval(timer);
}

import { parseArgs } from 'node:util';
import { WebAPIPlatformError, WebClient, type WebClientOptions } from '@slack/web-api';
import { Agent, request } from 'undici';
import { connectorFor, readWay } from '../../src/api/wire/way.ts';
import type { Policy } from '../../src/auth/policy.ts';
import { codeOf } from '../../src/bot/codes.ts';
import { missingScopes } from '../../src/bot/connection/slack-connection.ts';
import { cureOfGroup } from '../../src/bot/in/slack-people.ts';
import { openNetwork, problemIn } from '../../src/bot/network.ts';
import { type Config, readConfig } from '../../src/config/config.ts';
import type { Environment } from '../../src/config/secret.ts';
import { elapsed, plural } from '../../src/handlers/reply.ts';
import { CannotStart, inLines, type Problem } from '../../src/problem.ts';
import { askAppliances } from '../policy/ask-appliances.ts';
import { groupsIn, peopleIn } from '../policy/holders.ts';
import { readPolicyFile } from '../policy/policy.ts';
import { readWords, type Terminal } from '../terminal.ts';
import { blockPage } from './block-page.ts';
import { certificates } from './certificates.ts';
import { connections } from './connections.ts';
import { type Finding, note, right, wrong } from './finding.ts';
import { journal } from './journal.ts';

const usage = `Usage:

appliance-bot doctor
    Checks, with the settings and tokens that the bot starts with, everything that it needs: settings, tokens, scopes, the
    WebSocket of Socket Mode and who else is connected with the app, user groups, people and channels of the policy,
    appliances (address, key, release, certificate, clock), the links of block pages, and the data folder or database.
    Says what is wrong and what to do. Makes no changes. Exits with 0 if nothing is wrong, and with 1 if something is.
`;

const marks = { right: '✓', wrong: '✗', note: '!' } as const;

/** Runs the tool with the words of its command line; resolves to its exit code. */
export async function doctorTool(words: readonly string[], terminal: Terminal): Promise<number> {
  const { write } = terminal;
  const read = readWords(
    () => parseArgs({ args: [...words], options: { help: { type: 'boolean', short: 'h' } } }),
    usage,
    terminal,
  );
  if ('code' in read) return read.code;
  const config = settingsIn(terminal);
  if (config === undefined) return 1;
  let isWell = true;
  const tell = (title: string, findings: readonly Finding[]) => {
    isWell &&= findings.every((one) => one.is !== 'wrong');
    write(`${title}\n${findings.map(({ is, says }) => `  ${marks[is]} ${says}\n`).join('')}`);
  };
  tell('Settings', [
    right(`The environment and ${config.file} are valid.`),
    // The same warnings as `policy check`.
    ...readPolicyFile(config.file, terminal).doubtful.map(({ key, wrong }) => note(`${key}: ${wrong}`)),
  ]);
  const { client, findings } = await slackOf(config, terminal.environment);
  tell('Slack', findings);
  if (client !== undefined) {
    tell('User groups', await groups(client, config.policy));
    tell('People', await people(client, config.policy));
    tell('Channels', await channels(client, config.policy));
  }
  write('Appliances\n');
  const asked = await askAppliances(config.appliances);
  write(asked.text);
  isWell &&= asked.areWell;
  const shown = await certificates(config.appliances, terminal.now());
  if (shown.length > 0) tell('Certificates', shown);
  tell('Clocks', await clocks(config, terminal.now));
  if (config.blockPage !== undefined) tell('Block page', await blockPage(config.blockPage, config.policy));
  tell('Journal', await journal(config, terminal));
  write(isWell ? '\nNothing is wrong.\n' : '\nSomething is wrong: see ✗ above.\n');
  return isWell ? 0 : 1;
}

function settingsIn({ environment, write }: Terminal): Config | undefined {
  try {
    return readConfig(environment);
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    write(`Settings\n${inLines(error.problems)}\n\nNothing else was checked: fix the settings first.\n`);
    return undefined;
  }
}

async function slackOf({ slack }: Config, environment: Environment) {
  const network = openNetwork(slack.proxy, () => undefined);
  const options: WebClientOptions = {
    ...{
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: 10_000,
      allowAbsoluteUrls: false,
      fetch: network.fetch,
    },
    ...(slack.apiUrl !== undefined && { slackApiUrl: slack.apiUrl }),
  };
  const client = new WebClient(slack.botToken, options);
  const way = proxyOf(slack);
  const identity = await answerTo(() => client.auth.test());
  if (!identity.ok) {
    const cure = identity.isRefused
      ? 'Copy the Bot User OAuth Token again, from "OAuth & Permissions" of the app.'
      : 'Check the network, the proxy and SLACK_API_URL.';
    const finding = cannotReach(identity.network) ?? wrong(`SLACK_BOT_TOKEN: ${saidBy(identity)} ${cure}`);
    return { client: undefined, findings: [...way, finding] };
  }
  const { team, team_id: id, user, response_metadata } = identity.answer;
  const missing = missingScopes(response_metadata?.scopes);
  const scopes =
    missing.length === 0
      ? right('Scopes: all of manifest.yml are granted.')
      : wrong(
          `Scopes: ${missing.join(', ')} missing. Paste manifest.yml into App Manifest, then reinstall the app in the workspace.`,
        );
  const token = right(
    `SLACK_BOT_TOKEN: accepted, @${user ?? 'unknown'} in ${team ?? id ?? 'an unnamed workspace'}.`,
  );
  const settings = note(
    'App settings: not checked, because Slack doesn’t show them to bots. Compare App Manifest in Slack’s settings with manifest.yml.',
  );
  const inlet = await inletOf(slack, options, (address) =>
    connections(address, network.forWebSockets().dispatcher, environment),
  );
  return { client, findings: [...way, token, scopes, ...inlet, settings] };
}

async function inletOf(
  { inlet }: Config['slack'],
  options: WebClientOptions,
  lookAt: (address: string) => Promise<Finding>,
): Promise<readonly Finding[]> {
  if (inlet.kind === 'http') {
    return [
      note(
        `Slack calls the bot over HTTP on port ${inlet.port}: check the request URLs in Slack’s settings.`,
      ),
    ];
  }
  const opened = await answerTo(() => new WebClient(inlet.appToken, options).apps.connections.open());
  if (opened.ok) {
    const accepted = right('SLACK_APP_TOKEN: accepted, Socket Mode is on.');
    return opened.answer.url === undefined ? [accepted] : [accepted, await lookAt(opened.answer.url)];
  }
  if (opened.code === 'too_many_websockets') {
    return [
      wrong(
        'SLACK_APP_TOKEN: accepted, but other programs hold all connections that Slack allows an app. Stop the programs that are not this bot, or give each an app and tokens of its own.',
      ),
    ];
  }
  const cure = opened.isRefused
    ? 'Generate an app-level token with the scope connections:write, and turn Socket Mode on.'
    : 'Check the network and the proxy.';
  return [cannotReach(opened.network) ?? wrong(`SLACK_APP_TOKEN: ${saidBy(opened)} ${cure}`)];
}

function proxyOf({ proxy }: Config['slack']): readonly Finding[] {
  if (proxy === undefined) return [];
  const but = proxy.except === '' ? '' : `, except for the hosts in NO_PROXY (${proxy.except})`;
  return [note(`HTTPS_PROXY: Slack is reached through the proxy ${proxy.address}${but}.`)];
}

const cannotReach = (network: Problem | undefined): Finding | undefined =>
  network && wrong(`${network.key} ${network.wrong}`);

async function groups(client: WebClient, policy: Policy): Promise<readonly Finding[]> {
  const all = [...groupsIn(policy)];
  if (all.length === 0) return [right('None in the policy.')];
  return Promise.all(
    all.map(async (id) => {
      const found = await answerTo(() => client.usergroups.users.list({ usergroup: id }));
      if (!found.ok)
        return wrong(`${id}: ${found.code}. ${cureOfGroup(found.code) ?? 'Try again in a minute'}.`);
      const count = found.answer.users?.length ?? 0;
      return count === 0 ? note(`${id}: has no members.`) : right(`${id}: ${plural(count, 'member')}.`);
    }),
  );
}

async function people(client: WebClient, policy: Policy): Promise<readonly Finding[]> {
  const all = [...peopleIn(policy)];
  if (all.length === 0) return [right('None in the policy.')];
  return Promise.all(
    all.map(async (id) => {
      const found = await answerTo(() => client.users.info({ user: id }));
      if (!found.ok) return wrong(`${id}: ${found.code}. Check the ID in the profile of the person.`);
      const { name, deleted } = found.answer.user ?? {};
      return deleted
        ? wrong(`${id} (${name}): the account is deactivated. Remove it from the policy file.`)
        : right(`${id} (${name})`);
    }),
  );
}

async function channels(client: WebClient, { channels }: Policy): Promise<readonly Finding[]> {
  return Promise.all(
    Object.keys(channels).map(async (id) => {
      const found = await answerTo(() => client.conversations.info({ channel: id }));
      if (!found.ok) {
        return wrong(
          `${id}: ${found.code}. Check the ID; in a private channel, type /invite @appliance-bot.`,
        );
      }
      const {
        name = 'direct message',
        is_member,
        is_archived,
        is_im,
        is_ext_shared,
      } = found.answer.channel ?? {};
      if (is_archived) return wrong(`${id} (${name}): archived. Remove it from the policy file.`);
      if (!is_member && !is_im)
        return wrong(`${id} (${name}): the bot is not a member. Type /invite @appliance-bot there.`);
      return is_ext_shared
        ? note(`${id} (${name}): shared with another organization, whose people can read the answers.`)
        : right(`${id} (${name})`);
    }),
  );
}

/** In milliseconds. More, and times in answers of an appliance mislead. */
const mostApart = 60_000;

/** By the time that an appliance puts on its answers, whatever they are. */
async function clocks({ appliances }: Config, now: () => number): Promise<readonly Finding[]> {
  return Promise.all(
    appliances.map(async ({ name, url, tls, proxy }) => {
      // Its own way, whatever this process uses otherwise (NODE_USE_ENV_PROXY).
      const way = readWay(name, tls, proxy);
      const dispatcher = new Agent({ connect: connectorFor(way, 5_000).connect });
      const date = await request(new URL('/', url), {
        method: 'HEAD',
        dispatcher,
        signal: AbortSignal.timeout(5_000),
      })
        .then(({ headers }) => Date.parse(String(headers.date)))
        .catch(() => Number.NaN);
      if (Number.isNaN(date)) return note(`${name}: not compared, because no answer came with a time.`);
      const apart = Math.abs(now() - date);
      return apart <= mostApart
        ? right(`${name}: its clock is within a minute of this machine’s.`)
        : wrong(
            `${name}: its clock differs from this machine’s by ${elapsed(apart)}. Check the NTP servers of both.`,
          );
    }),
  );
}

type Answered<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | {
      readonly ok: false;
      readonly code: string;
      readonly isRefused: boolean;
      readonly network: Problem | undefined;
    };

/** Slack's code, or that it gave none. */
const saidBy = ({ code, isRefused }: { readonly code: string; readonly isRefused: boolean }): string =>
  isRefused ? `${code}.` : `not checked, because Slack did not answer (${code}).`;

async function answerTo<Answer>(call: () => Promise<Answer>): Promise<Answered<Answer>> {
  try {
    return { ok: true, answer: await call() };
  } catch (error) {
    return {
      ok: false,
      code: codeOf(error),
      isRefused: error instanceof WebAPIPlatformError,
      network: problemIn(error),
    };
  }
}

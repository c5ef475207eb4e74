import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BlockPageSettings } from '../block-page/settings.ts';
import type { SlackSettings } from '../bot/connection/connection.ts';
import type { Inlet } from '../bot/connection/inlet.ts';
import { CannotStart, type Problem } from '../problem.ts';
import type { HealthSettings } from '../telemetry/health/server.ts';
import type { TraceSettings } from '../telemetry/traces/sender.ts';
import { readBlockPage } from './block-page.ts';
import { type ReadFile, readPolicyText } from './policy-file.ts';
import { checkAuthorities, readProxy } from './proxy.ts';
import { type Environment, whyUnreadable } from './secret.ts';
import type { PolicyFile } from './shape/file-shape.ts';
import { readSlackAddress } from './slack-address.ts';
import { readHealthPort } from './telemetry/health-port.ts';
import { readTraces } from './telemetry/traces.ts';
import { signatureNow } from './watch.ts';

/** Everything the bot is told from outside, checked. */
export interface Config extends PolicyFile {
  readonly slack: SlackSettings;
  /** The YAML file, and what was read from it. */
  readonly file: string;
  readonly read: ReadFile;
  /** Which state of the file, and of those that it refers to, that was (`watchFiles`). */
  readonly signature: string;
  /** The folder of the journal. */
  readonly data: string;
  /** The address of the PostgreSQL that keeps the journal instead, with its password: a secret. */
  readonly database: string | undefined;
  /** Where requests from block pages come in; undefined: nowhere. */
  readonly blockPage: BlockPageSettings | undefined;
  /** Where health and metrics are asked for; undefined: nowhere. */
  readonly health: HealthSettings | undefined;
  /** Where traces go; undefined: none are made. */
  readonly traces: TraceSettings | undefined;
  readonly logLevel: string;
}

/** Reads the environment and the YAML file it names. @throws CannotStart with every problem of both */
export function readConfig(environment: Environment): Config {
  const problems: Problem[] = [];
  const slack = readSlack(environment, problems);
  const source = readFile(environment, problems);
  const database = readDatabase(environment, problems);
  const blockPage = readBlockPage(environment, problems);
  const health = readHealthPort(environment, problems);
  const traces = readTraces(environment, problems);
  const logLevel = environment.LOG_LEVEL || 'info';
  if (!['fatal', 'error', 'warn', 'info', 'debug', 'silent'].includes(logLevel)) {
    problems.push({
      key: 'LOG_LEVEL',
      wrong: 'is not a log level. Use fatal, error, warn, info, debug or silent.',
      example: 'LOG_LEVEL=info',
    });
  }
  if (problems.length > 0 || slack === undefined || source?.read.meaning === undefined) {
    throw new CannotStart(problems);
  }
  const data = resolve(environment.APPLIANCE_BOT_DATA || './data');
  return { slack, data, database, blockPage, health, traces, logLevel, ...source, ...source.read.meaning };
}

function readSlack(environment: Environment, problems: Problem[]): SlackSettings | undefined {
  const before = problems.length;
  const botToken = environment.SLACK_BOT_TOKEN ?? '';
  if (!/^xoxb-\S+$/.test(botToken)) {
    problems.push({
      key: 'SLACK_BOT_TOKEN',
      wrong: `${missingOr(botToken, 'does not start with xoxb-')} Use the bot token of the Slack app, under "OAuth & Permissions".`,
      example: 'SLACK_BOT_TOKEN=xoxb-…',
    });
  }
  const inlet = readInlet(environment, problems);
  const apiUrl = readSlackAddress(environment.SLACK_API_URL, problems);
  const proxy = readProxy(environment, problems);
  checkAuthorities(environment, problems);
  return problems.length > before || inlet === undefined ? undefined : { botToken, inlet, apiUrl, proxy };
}

function readDatabase(environment: Environment, problems: Problem[]): string | undefined {
  const url = environment.DATABASE_URL || undefined;
  if (url !== undefined && !isDatabaseAddress(url)) {
    problems.push({
      key: 'DATABASE_URL',
      // Not a character of it is repeated: there is a password in it, or part of one that has broken it.
      wrong:
        'is not the address of a PostgreSQL database. In its password, write @, /, ?, # and % as %40, %2F, %3F, %23 and %25.',
      example: 'DATABASE_URL=postgres://bot:password@db.example.com:5432/appliance_bot',
    });
  }
  return url;
}

/** One that was broken by a password can still be an address, of another host: of what comes after the @ in it. */
function isDatabaseAddress(url: string): boolean {
  const address = URL.parse(url);
  return (
    address !== null &&
    /^postgres(?:ql)?:$/.test(address.protocol) &&
    address.hash === '' &&
    !address.pathname.includes('@')
  );
}

function readInlet(environment: Environment, problems: Problem[]): Inlet | undefined {
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = environment;
  if (appToken) {
    if (/^xapp-\S+$/.test(appToken)) return { kind: 'socket', appToken };
    problems.push({
      key: 'SLACK_APP_TOKEN',
      wrong:
        'does not start with xapp-. Use an app-level token with the scope connections:write, under "Basic Information".',
      example: 'SLACK_APP_TOKEN=xapp-…',
    });
    return undefined;
  }
  if (!signingSecret) {
    problems.push({
      key: 'SLACK_APP_TOKEN',
      wrong:
        'is not set, and neither is SLACK_SIGNING_SECRET. Set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for HTTP.',
      example: 'SLACK_APP_TOKEN=xapp-…',
    });
    return undefined;
  }
  const port = Number(environment.PORT || 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    problems.push({ key: 'PORT', wrong: 'is not a port number. Use 0 to 65535.', example: 'PORT=3000' });
    return undefined;
  }
  return { kind: 'http', signingSecret, port, host: environment.HOST || undefined };
}

function readFile(
  environment: Environment,
  problems: Problem[],
): Pick<Config, 'file' | 'read' | 'signature'> | undefined {
  const file = environment.APPLIANCE_BOT_CONFIG;
  const example = 'APPLIANCE_BOT_CONFIG=/etc/appliance-bot.yml';
  if (!file) {
    problems.push({
      key: 'APPLIANCE_BOT_CONFIG',
      wrong:
        'is not set. Set it to the path of the policy file. To create one, copy appliance-bot.example.yml.',
      example,
    });
    return undefined;
  }
  try {
    // Before it is read: what is written meanwhile is then read once more, and not missed.
    const own = signatureNow([file]);
    const read = readPolicyText(readFileSync(file, 'utf8'), file, environment);
    const signature = [own, ...(read.files.length > 0 ? [read.signature] : [])].join('\n');
    problems.push(...read.problems, ...read.missing);
    return { file, read, signature };
  } catch (error) {
    problems.push({
      key: 'APPLIANCE_BOT_CONFIG',
      wrong: `points to ${file}, which ${whyUnreadable(error)}.`,
      example,
    });
    return undefined;
  }
}

const missingOr = (value: string, otherwise: string): string =>
  value === '' ? 'is not set.' : `${otherwise}.`;

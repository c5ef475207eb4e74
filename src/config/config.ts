import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { getCACertificates } from 'node:tls';
import type { BlockPageSettings } from '../block-page/link.ts';
import type { Inlet } from '../bot/connection/inlet.ts';
import type { SlackSettings } from '../bot/connection/slack-connection.ts';
import type { ProxySettings } from '../bot/network.ts';
import { notInTokens, oddIn } from '../meant.ts';
import { CannotStart, type Problem } from '../problem.ts';
import type { HealthSettings } from '../telemetry/health-server.ts';
import type { TraceSettings } from '../telemetry/traces/sender.ts';
import { readBlockPage } from './block-page.ts';
import { type ReadFile, readPolicyText } from './policy-file.ts';
import { asMeant, asWritten, type Environment, whyUnreadable } from './secret.ts';
import type { PolicyFile } from './shape/file-shape.ts';
import { readSlackAddress } from './slack-address.ts';
import { readHealthPort, readTraces } from './telemetry.ts';
import { signatureNow } from './watched-files.ts';

export interface Config extends PolicyFile {
  readonly slack: SlackSettings;
  /** The YAML file, and what was read from it. */
  readonly file: string;
  readonly read: ReadFile;
  /** Identifies this state of the file and of those that it refers to (`watchFiles`). */
  readonly signature: string;
  readonly data: string;
  /** The address of the PostgreSQL that holds the journal instead, with its password: a secret. */
  readonly database: string | undefined;
  /** The block page's settings; undefined if off. */
  readonly blockPage: BlockPageSettings | undefined;
  /** The health port's settings; undefined if off. */
  readonly health: HealthSettings | undefined;
  /** Where traces are sent; undefined if off. */
  readonly traces: TraceSettings | undefined;
  readonly logLevel: string;
}

/** Reads the environment and the YAML file it names. @throws CannotStart with every problem of both */
export function readConfig(given: Environment): Config {
  const problems: Problem[] = [];
  /** Other problems of such a value follow from this one. */
  const odd = new Map<string, Problem>();
  const environment = asMeant(given, (key, has) =>
    odd.set(key, { key, wrong: `has ${has}. Write the value without it.`, example: `${key}=…` }),
  );
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
  const data = resolve(environment.APPLIANCE_BOT_DATA || './data');
  const all = [...odd.values(), ...problems.filter(({ key }) => !odd.has(key))];
  if (all.length > 0 || slack === undefined || source?.read.meaning === undefined) {
    throw new CannotStart(all);
  }
  return { slack, data, database, blockPage, health, traces, logLevel, ...source, ...source.read.meaning };
}

function readSlack(environment: Environment, problems: Problem[]): SlackSettings | undefined {
  const before = problems.length;
  const botToken = environment.SLACK_BOT_TOKEN ?? '';
  const problem = problemWithToken(botToken, 'xoxb-');
  if (problem !== undefined) {
    problems.push({
      key: 'SLACK_BOT_TOKEN',
      wrong: `${problem} Use the bot token of the Slack app, under "OAuth & Permissions".`,
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
  // Repeats no character: the address contains a password, or a part of one that has broken it.
  const wrong =
    url === undefined
      ? undefined
      : hasSeveralHosts(url)
        ? 'names several hosts, and the bot connects to one: use a name that always leads to the primary.'
        : isDatabaseAddress(url)
          ? undefined
          : 'is not the address of a PostgreSQL database. In its password, write @, /, ?, # and % as %40, %2F, %3F, %23 and %25.';
  if (wrong !== undefined) {
    problems.push({
      key: 'DATABASE_URL',
      wrong,
      example: 'DATABASE_URL=postgres://bot:password@db.example.com:5432/appliance_bot',
    });
  }
  return url;
}

/** In the notation of PostgreSQL's own programs: `a:5432,b:5432`. */
const hasSeveralHosts = (url: string): boolean =>
  /^postgres(?:ql)?:\/\/(?:[^@/]*@)?(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?,[^@]*$/i.test(url);

/** An address that a password has broken may still parse, with a part of the password as the host. */
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
    const problem = problemWithToken(appToken, 'xapp-');
    if (problem === undefined) return { kind: 'socket', appToken };
    problems.push({
      key: 'SLACK_APP_TOKEN',
      wrong: `${problem} Use an app-level token with the scope connections:write, under "Basic Information".`,
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
  const odd = oddIn(signingSecret, notInTokens);
  if (odd !== undefined) {
    problems.push({
      key: 'SLACK_SIGNING_SECRET',
      wrong: `has ${odd}. Copy it again, from "Basic Information".`,
      example: 'SLACK_SIGNING_SECRET=…',
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
    // Before reading, so that a change meanwhile is read again, and not missed.
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

/** Why a token is invalid; undefined if it is valid. Repeats no character except one that no token contains. */
function problemWithToken(token: string, prefix: string): string | undefined {
  if (token === '') return 'is not set.';
  const odd = oddIn(token, notInTokens);
  if (odd !== undefined) return `has ${odd}.`;
  return token.startsWith(prefix) && token !== prefix ? undefined : `does not start with ${prefix}.`;
}

/** Reads HTTPS_PROXY and NO_PROXY. The lower-case names take precedence, as usual. */
export function readProxy(environment: Environment, problems: Problem[]): ProxySettings | undefined {
  const key = environment.https_proxy ? 'https_proxy' : 'HTTPS_PROXY';
  const given = environment[key];
  if (!given) return undefined;
  const url = URL.parse(given);
  if (url === null || !isProxyAddress(url)) {
    problems.push({
      key,
      // Repeats no character: the address may contain a password, or a part of one that has broken it.
      wrong:
        'is not the address of an HTTP proxy. Begin it with http:// or https://, and end it with the port. In its user name and password, write @, :, /, ?, # and % as %40, %3A, %2F, %3F, %23 and %25.',
      example: `${key}=http://user:password@proxy.example.com:3128`,
    });
    return undefined;
  }
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return {
    url: url.href,
    address: `${url.hostname}:${port}`,
    except: environment.no_proxy || environment.NO_PROXY || '',
  };
}

function isProxyAddress({ protocol, username, password, pathname, search, hash }: URL): boolean {
  return (
    /^https?:$/.test(protocol) && pathname === '/' && search + hash === '' && isDecodable(username + password)
  );
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Node reads NODE_EXTRA_CA_CERTS itself, once, when the process starts, and hardly reports an unusable file. */
function checkAuthorities(environment: Environment, problems: Problem[]): void {
  const { NODE_EXTRA_CA_CERTS: file } = environment;
  if (!file || getCACertificates('extra').length > 0) return;
  const isAsWritten = asWritten(environment, 'NODE_EXTRA_CA_CERTS') === file;
  problems.push({
    key: 'NODE_EXTRA_CA_CERTS',
    wrong: `${isAsWritten ? '' : 'has quotes or white space around it, which Node takes for a part of it. It '}points to ${file}, from which Node read no certificate when the process started. Check that the file exists, that the bot can read it, and that it contains certificates in PEM format.`,
    example: 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/company-ca.pem',
  });
}
